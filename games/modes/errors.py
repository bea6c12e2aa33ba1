"""Errors about modes, by cause."""


class UnknownMode(ValueError):
    """No mode has this key."""


class BadWishes(ValueError):
    """A mode does not offer what was wished: `field` is the wish, the text explains it."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field
