"""What can be said at a table of Inis."""
