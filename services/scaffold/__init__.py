"""Lays the folders of a new game, as a small one that already plays and passes every contract."""
