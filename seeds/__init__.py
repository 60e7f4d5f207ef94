"""Component catalogues, recorded games and sample tables; data, and the code that reads it."""
