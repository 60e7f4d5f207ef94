"""What is seen of a table of any game: the two doors, around those of the game played."""
