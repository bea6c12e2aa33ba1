"""Figures as text in the language of the reader; an unknown figure is a dash."""

from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _

UNKNOWN: Final = "–"
MINUS: Final = "\N{MINUS SIGN}"


def plain(value: float | None, digits: int = 1) -> str:
    """A number without a plus."""
    if value is None:
        return UNKNOWN
    shown = round(value, digits) + 0.0
    return (MINUS if shown < 0 else "") + str(number_format(abs(shown), digits))


def signed(value: float | None, digits: int = 3) -> str:
    """A number with its sign; none for nought."""
    if value is None:
        return UNKNOWN
    shown = round(value, digits) + 0.0
    return ("+" if shown > 0 else "") + plain(shown, digits)


def percent(share: float | None, digits: int = 1) -> str:
    """A share, 0 to 1, in per cent."""
    return UNKNOWN if share is None else _("{value}%").format(value=plain(100 * share, digits))


def signed_percent(share: float | None, digits: int = 1) -> str:
    """A difference of shares in per cent, with its sign."""
    return UNKNOWN if share is None else _("{value}%").format(value=signed(100 * share, digits))


def of_result(value: float | None, *, points: bool, sign: bool = True) -> str:
    """A part of the result: per cent of the match, or points in unlimited play."""
    if points:
        return signed(value, 2) if sign else plain(value, 2)
    return signed_percent(value) if sign else percent(value)
