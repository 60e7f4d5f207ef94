"""The store that comes along: a Valkey server of our own over a data folder, for one machine."""
