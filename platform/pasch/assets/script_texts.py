"""The texts of a page's scripts in the reader's language.

A script says its English sentence where it uses it, through `say`, `sayIn` or `sayCount` of
static/js/say.js. They are read from the script and all that it imports, so there is no list.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from babel import Locale
from django.contrib.staticfiles import finders
from django.utils.translation import get_language, gettext, ngettext, pgettext

from pasch.assets.linking import modules_of

_CALL: Final = re.compile(r"(?<![.\w])(?<!function )(say|sayIn|sayCount)\(")
_TEXT: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*(?:,|(?=\)))')

#: the numbers among which each plural category of a language has one
NUMBERS: Final = range(200)


class TextNotWrittenOut(Exception):
    """A script says something other than a text in double quotes."""

    code = "text_not_written_out"


class ScriptText(NamedTuple):
    """A text of a script; `plural` is empty without a number."""

    context: str
    singular: str
    plural: str


def texts_of(source: str) -> Iterator[ScriptText]:
    """The texts that a script says. Raises `TextNotWrittenOut`."""
    for call in _CALL.finditer(source):
        kind, at = call[1], call.end()
        written = []
        for _ in range(1 if kind == "say" else 2):
            text = _TEXT.match(source, at)
            if text is None:
                raise TextNotWrittenOut(source[call.start() :].partition("\n")[0])
            written.append(str(json.loads(text[1])))
            at = text.end()
        context = written[0] if kind == "sayIn" else ""
        plural = written[1] if kind == "sayCount" else ""
        yield ScriptText(context, written[-1] if kind == "sayIn" else written[0], plural)


def translations(script: str) -> dict[str, str | dict[str, str]]:
    """The texts that the reader's language has in other words, by `key`; or each of their forms."""
    found: dict[str, str | dict[str, str]] = {}
    for text in _texts_of_page(script):
        context, singular, plural = text
        if plural:
            forms = {name: ngettext(singular, plural, at) for name, at in _categories().items()}
            if any(form not in (singular, plural) for form in forms.values()):
                found[key(text)] = forms
        else:
            told = pgettext(context, singular) if context else gettext(singular)
            if told != singular:
                found[key(text)] = told
    return found


def key(text: ScriptText) -> str:
    """The checksum of a text, by which a page has its translation; static/js/say.js computes it."""
    whole = f"{text.context}\4{text.singular}" if text.context else text.singular
    return f"{crc32(whole.encode()) >> 8:x}"


@cache
def _texts_of_page(script: str) -> tuple[ScriptText, ...]:
    """The texts of a script and of all that it imports, each once."""
    said: dict[ScriptText, None] = {}
    for module in modules_of(script, _source):
        said |= dict.fromkeys(texts_of(_source(module)))
    return tuple(said)


def _source(name: str) -> str:
    path = finders.find(name)
    assert path is not None, name
    return Path(path).read_text(encoding="utf-8")


def _categories() -> dict[str, int]:
    """The plural categories of the language, each with a number that belongs to it."""
    rule = Locale.parse(get_language() or "en", sep="-").plural_form
    return {rule(number): number for number in reversed(NUMBERS)}
