"""The parts of a house's settings: which fields each has, and what a field may contain.

A content maps names of fields to values. A field that is missing has its default, so an empty
content is a house as it comes. `PARTS` describes every field once; the form of the desk, the
command and the audit follow from it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from accounts.plain_text import normal, text_fault

Content = dict[str, Any]

NAME_LENGTH_MAX: Final = 30
SIGN_LENGTH_MAX: Final = 4
WORD_LENGTH_MAX: Final = 24

_NEVER_IN_A_SIGN: Final = frozenset("<>&\"'`\\{}%+-−.,;:/|")


class Part(StrEnum):
    """The parts; each change is about one of them."""

    NAME = "name"
    CURRENCY = "currency"


BY_TWO: Final[frozenset[Part]] = frozenset()
"""The parts that move credits or liability: two administrators decide each change."""


@dataclass(frozen=True, slots=True)
class HouseFault:
    """One thing that is wrong with a content: at which field, which rule, and in a sentence."""

    name: str
    code: str
    sentence: str


class BadContent(ValueError):
    """A content that no house can have; `faults` names all that is wrong with it."""

    def __init__(self, faults: tuple[HouseFault, ...]) -> None:
        super().__init__(" ".join(fault.sentence for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a part. `rule` returns the value as it is stored, or raises ValueError with
    a code and a sentence about it."""

    name: str
    rule: Callable[[Any], Any]


def text(longest: int) -> Callable[[Any], str]:
    """A rule: one line of at most so many letters."""

    def rule(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("type", "is no text")
        line = normal(value)
        if len(line) > longest:
            raise ValueError("long", f"has more than {longest} letters")
        if text_fault(line) or not line.isprintable():
            raise ValueError("hidden", "has characters that cannot be seen")
        return line

    return rule


def _sign(value: Any) -> str:
    """The sign of the currency: it stands behind amounts, so nothing that belongs to a number."""
    line = text(SIGN_LENGTH_MAX)(value)
    if any(letter.isdigit() or letter.isspace() or letter in _NEVER_IN_A_SIGN for letter in line):
        raise ValueError("sign", "has a digit, a space or a mark that numbers or pages need")
    return line


def _word(value: Any) -> str:
    line = text(WORD_LENGTH_MAX)(value)
    if line and not re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+)*", line):
        raise ValueError("word", "is not one word or more of letters alone")
    return line


PARTS: Final[Mapping[Part, tuple[Field, ...]]] = {
    Part.NAME: (Field("name", text(NAME_LENGTH_MAX)),),
    Part.CURRENCY: (Field("sign", _sign), Field("word_de", _word), Field("word_en", _word)),
}


def content_of(part: Part, values: object) -> Content:
    """The content that these values make, without fields that are empty.

    Raises `BadContent` with every fault.
    """
    if not isinstance(values, Mapping):
        raise BadContent((HouseFault("", "type", "The content is no list of names and values."),))
    fields = {field.name: field for field in PARTS[part]}
    faults = [
        HouseFault(str(name), "unknown", f"There is no field {name!r}.")
        for name in sorted(set(values) - set(fields), key=str)
    ]
    content: Content = {}
    for name, field in fields.items():
        try:
            value = field.rule(values[name]) if values.get(name) not in (None, "", []) else None
        except ValueError as error:
            code, sentence = error.args
            faults.append(HouseFault(name, code, f"{name} {sentence}."))
            continue
        if value not in (None, "", []):
            content[name] = value
    if faults:
        raise BadContent(tuple(faults))
    return content


def contents_usable(rows: Mapping[str, Any]) -> Iterator[tuple[Part, Content]]:
    """The contents that this version can use; a part that it does not have, or whose content
    breaks a rule, keeps its defaults."""
    for part in Part:
        if part.value in rows:
            try:
                yield part, content_of(part, rows[part.value])
            except BadContent:
                continue
