"""The languages of the pages, and the word of the currency in each.

"Credits" is replaced by the word of the house in every text of the site.

Texts are translated as ever; where the house has a word of its own for a language, it replaces
the usual one in what Django's translation returns for that language. So sentences need no
placeholder, and a house without a word of its own pays nothing. Values that are filled into a
sentence come later and stay as they are.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from django.db import models
from django.utils.translation import trans_real


class Language(models.TextChoices):
    """The languages of every page."""

    GERMAN = "de", "Deutsch"
    ENGLISH = "en", "English"


_CREDITS: Final = re.compile(r"(?<![%({\w])([Cc])redits\b")
_GERMAN: Final = re.compile(r"(?<![%({\w])(\b(?:[Ii]n|[Zz]u) )?Credits\b")


def words_use(currency: Mapping[str, Any]) -> None:
    """Use the words of this content of the currency from now on: ``word_en``, ``word_de``."""
    for language, replaced in _REPLACED.items():
        word = str(currency.get(f"word_{language}", ""))
        if _words.get(language, "") == word:
            continue
        _words[language] = word
        _texts_replace(language, replaced(word) if word else None)


def english(word: str) -> Callable[[str], str]:
    """Replace the word in English: with a capital where the usual one has it."""

    def replaced(text: str) -> str:
        capital = word[0].upper() + word[1:]
        return _CREDITS.sub(lambda found: capital if found[1] == "C" else word, text)

    return replaced


def german(word: str) -> Callable[[str], str]:
    """Replace the word in German: a noun, which "in" and "zu" put into the dative."""
    dative = word if word.endswith(("n", "s")) else f"{word}n"

    def replaced(text: str) -> str:
        return _GERMAN.sub(lambda found: f"{found[1]}{dative}" if found[1] else word, text)

    return replaced


_REPLACED: Final = {"en": english, "de": german}
_words: Final[dict[str, str]] = {}


def _texts_replace(language: str, replaced: Callable[[str], str] | None) -> None:
    """Send what the texts of this language come to through `replaced`; None: no more."""
    texts: Any = trans_real.translation(language)
    for name in ("gettext", "ngettext"):
        vars(texts).pop(name, None)
        if replaced is not None:
            setattr(texts, name, _through(getattr(texts, name), replaced))


def _through(translated: Callable[..., str], replaced: Callable[[str], str]) -> Callable[..., str]:
    kept = lru_cache(maxsize=8192)(replaced)
    return lambda *message: kept(translated(*message))
