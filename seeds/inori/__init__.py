"""The components of Inori."""
