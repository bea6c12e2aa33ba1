"""The trainer of the net for backgammon that fits on a device: it learns what bgsage answers."""
