"""The HTTP doors, version 1: whoever asks is known, what is asked is checked, and rules are asked by stream."""
