"""The components of Inis."""
