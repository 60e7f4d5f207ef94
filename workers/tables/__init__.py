"""Table life: a decider of its own that wraps whatever game is played."""
