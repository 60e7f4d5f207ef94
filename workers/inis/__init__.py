"""The rules of Inis."""
