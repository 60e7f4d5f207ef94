"""What anybody may know of all tables: which are open, running and over."""
