"""Tables that the service opens when it first starts, one file for each."""
