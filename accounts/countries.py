"""The countries that people can show beside their name, in the reader's language.

Codes are ISO 3166-1 alpha-2 and XK; names are those of the Unicode CLDR, by way of Babel.
"""

import unicodedata
from functools import cache
from typing import Final

from babel import Locale

#: codes of the CLDR that are no country: parts of one, unions, and codes for tests
NO_COUNTRIES: Final = frozenset(
    {
        *("AC", "CP", "CQ", "DG", "EA", "EU", "EZ"),
        *("IC", "QO", "TA", "UN", "XA", "XB", "ZZ"),
    }
)


@cache
def codes() -> frozenset[str]:
    """Every code that may be chosen."""
    return frozenset(_territories("en")) - NO_COUNTRIES


def country_name(code: str, language: str) -> str:
    """The name of a country in a language; empty for a code that is none."""
    return _territories(language)[code] if code in codes() else ""


@cache
def countries(language: str) -> tuple[tuple[str, str], ...]:
    """Every country as its code and its name, in the order of the names."""
    named = [(code, country_name(code, language)) for code in codes()]
    return tuple(sorted(named, key=lambda each: _order(each[1])))


@cache
def _territories(language: str) -> dict[str, str]:
    """The names of the territories whose code has two letters, not three figures."""
    found = {str(code): str(name) for code, name in Locale(language).territories.items()}
    return {code: name for code, name in found.items() if len(code) == 2 and code.isalpha()}


def _order(name: str) -> str:
    """The name without accents, so that Ägypten stands before Albanien and not after Zypern."""
    parts = unicodedata.normalize("NFKD", name).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part))
