"""Putting something else in the place of a part of the product, which must be there."""


def swap(owner: object, name: str, new: object) -> None:
    """Put `new` in the place of something that must be there. Raises `AttributeError`."""
    if not hasattr(owner, name):
        raise AttributeError(f"{owner} has no {name} any more: plant this fault anew")
    setattr(owner, name, new)


def changed(text: str, old: str, new: str) -> str:
    """The text with `new` in the place of what must be in it once. Raises `ValueError`."""
    if text.count(old) != 1:
        raise ValueError(f"{old!r} is not there once any more: plant this fault anew")
    return text.replace(old, new)
