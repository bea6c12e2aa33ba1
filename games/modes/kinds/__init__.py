"""One file for each mode: its name is the mode's key, and its `MODE` is the mode."""
