"""The loop that turns commands into events."""
