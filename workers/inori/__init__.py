"""The rules of Inori."""
