"""Words in the wrong language on a page that is shown."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.messages.pofile import read_po

#: the visible texts and choices, except names, codes, talk and texts marked with their language
TEXTS: Final = Path(__file__).with_name("texts.js").read_text(encoding="utf-8")
LOCALE: Final = Path(__file__).parents[2] / "locale"
CATALOGUES: Final = [
    folder / "de" / "LC_MESSAGES" / "django.po" for folder in (LOCALE, LOCALE / "allauth")
]

#: the name of each language in itself
OWN_NAMES: Final = frozenset({"Deutsch", "English"})

#: common words of one language that do not exist in the other
SMALL_WORDS: Final = {
    "en": "the you your and with this that are has have from is of for to by it be cannot when"
    " which if only they their there",
    "de": "der das und ist nicht mit du dein deine deinen ein eine einen von zu auf für wird sind"
    " oder bei kein keine wenn wer nur noch dem den des sich im zum zur",
}


def foreign_words(page: Any, language: str) -> list[str]:
    """Texts on the page that belong to the other language."""
    other = "de" if language == "en" else "en"
    small = set(SMALL_WORDS[other].split())
    found = []
    for text in set(page.evaluate(TEXTS)) - OWN_NAMES:
        words = set(re.findall(r"[\w'-]+", text.lower()))
        if words & small or (language == "de" and text in _untranslated()):
            found.append(f"in the wrong language: {text[:80]!r}")
    return found


@cache
def _untranslated() -> frozenset[str]:
    """English texts that no German page may show."""
    pairs = []
    for path in CATALOGUES:
        with path.open("rb") as lines:
            pairs += [(m.id, m.string) for m in read_po(lines) if m.id and isinstance(m.id, str)]
    return frozenset(english for english, _ in pairs) - {german for _, german in pairs}
