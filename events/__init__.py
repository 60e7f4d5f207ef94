"""What can be said: messages, how they are stored and what their streams are called."""
