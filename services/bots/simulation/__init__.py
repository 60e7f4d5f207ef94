"""Whole tables in one process, without a store: for proofs, for speed, and for recorded games."""
