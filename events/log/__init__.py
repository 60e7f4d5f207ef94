"""Where commands wait and histories are kept: on Redis, and in memory for tests and simulations."""
