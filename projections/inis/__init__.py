"""What is seen of a game of Inis."""
