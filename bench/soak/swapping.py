"""Putting something else in the place of a part of the product, which must be there."""

import inspect
from collections.abc import Callable
from typing import Any, cast


def swap(owner: object, name: str, new: object) -> None:
    """Put `new` in the place of something that must be there and be called in the same way.

    Raises `AttributeError`, and `TypeError` for a function that takes other arguments by now.
    """
    if not hasattr(owner, name):
        raise AttributeError(f"{owner} has no {name} any more: plant this fault anew")
    old = inspect.getattr_static(owner, name)
    if inspect.isroutine(old) and callable(new):
        _takes_the_same(cast("Callable[..., Any]", getattr(owner, name)), new)
    setattr(owner, name, new)


def _takes_the_same(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Raise `TypeError` unless every argument of the old function can be given to the new one."""
    by_place, by_name = [], {}
    for name, parameter in inspect.signature(old).parameters.items():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            by_place.append(name)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            by_name[name] = name
    try:
        inspect.signature(new).bind(*by_place, **by_name)
    except TypeError as error:
        raise TypeError(
            f"{old.__qualname__} takes other arguments by now ({error}): plant this fault anew"
        ) from error


def changed(text: str, old: str, new: str) -> str:
    """The text with `new` in the place of what must be in it once. Raises `ValueError`."""
    if text.count(old) != 1:
        raise ValueError(f"{old!r} is not there once any more: plant this fault anew")
    return text.replace(old, new)
