"""What an arbiter needs: a table's history held against the rules it was played by."""
