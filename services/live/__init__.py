"""The live door: many tables over one socket, each step as it happens."""
