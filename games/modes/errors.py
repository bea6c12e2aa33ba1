"""Errors about modes, by cause."""


class UnknownMode(ValueError):
    """No mode has this key."""


class BadWishes(ValueError):
    """A mode does not offer what was wished; the text names it."""
