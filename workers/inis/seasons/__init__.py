"""Seasons of Inis: five modules that can be combined freely; "expansion" cites their document."""
