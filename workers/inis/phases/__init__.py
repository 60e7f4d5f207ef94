"""What the steps of the agenda are for, by part of the rules."""
