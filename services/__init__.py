"""Who asks: the doors for clients, bots and operators."""
