"""What may happen: the rules of each game, and the loop that turns commands into events."""
