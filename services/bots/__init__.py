"""Players of the service: clients that see only what their seat sees."""
