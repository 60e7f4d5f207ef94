"""Measures the program beside its limits, in one run."""
