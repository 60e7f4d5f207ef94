"""The loop that reads events and saves what is seen of them."""
