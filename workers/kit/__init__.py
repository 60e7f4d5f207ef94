"""Pure pieces the rules of all games are made of."""
