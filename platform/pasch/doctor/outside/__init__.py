"""Checks of the public address, as a stranger sees it."""
