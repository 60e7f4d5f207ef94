"""What can be said of a table's life, whatever is played at it."""
