"""Pieces that all projections share."""
