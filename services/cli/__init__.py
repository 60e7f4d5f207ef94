"""The command line: one program whose words each room brings along."""
