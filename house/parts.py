"""The parts of a house's settings: which fields each has, and what a field may contain.

A content maps names of fields to values. A field that is missing has its default, so an empty
content is a house as it comes. `PARTS` describes every field once; the form of the desk, the
command and the audit follow from it. The rule of the prices is registered by the app that has them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final

from house.board import COLOURS as BOARD_COLOURS
from house.board import board_faults, board_of
from house.colours import Scheme, pale
from house.languages import Language
from kit.plain_text import normal, text_fault
from kit.png import BadPng, png_bytes, png_read, png_text

Content = dict[str, Any]

NAME_LENGTH_MAX: Final = 30
SIGN_LENGTH_MAX: Final = 4
WORD_LENGTH_MAX: Final = 24
FACT_LENGTH_MAX: Final = 500
KEYS_MOST: Final = 60
AMOUNT_CENTS_MOST: Final = 10_000_000

LOGO_SHOWN: Final = ("beside", "alone")
"""A logo stands beside the name of the house, as by default, or instead of it."""

DOES_NOT_APPLY: Final = "-"
"""A fact about the operator that this house does not have."""

_NEVER_IN_A_SIGN: Final = frozenset("<>&\"'`\\{}%+-−.,;:/|")


class HousePart(StrEnum):
    """The parts; each change is about one of them."""

    NAME = "name"
    CURRENCY = "currency"
    LANGUAGES = "languages"
    COLOURS = "colours"
    LOGO = "logo"
    OFFERS = "offers"
    LIMITS = "limits"
    OPERATOR = "operator"
    PRICES = "prices"


BY_TWO: Final = frozenset(
    {HousePart.OFFERS, HousePart.LIMITS, HousePart.OPERATOR, HousePart.PRICES}
)
"""The parts that move credits or liability: two administrators decide each change."""


@dataclass(frozen=True, slots=True)
class HouseFault:
    """One thing that is wrong with a content: at which field, which rule, and in a sentence.

    `said` are the values that a sentence about it in another language needs.
    """

    name: str
    code: str
    sentence: str
    said: Mapping[str, Any] = field(default_factory=dict)


class BadContent(ValueError):
    """A content that no house can have; `faults` names all that is wrong with it."""

    def __init__(self, faults: tuple[HouseFault, ...]) -> None:
        super().__init__(" ".join(fault.sentence for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a part. `rule` returns the value as it is stored, or raises ValueError with
    a code, a sentence about it and, where the sentence has values, these by name."""

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


def whole(least: int, most: int) -> Callable[[Any], int]:
    """A rule: a whole number between these, also as digits."""

    def rule(value: Any) -> int:
        if isinstance(value, str) and value.isascii() and value.isdecimal():
            value = int(value)
        if type(value) is not int:
            raise ValueError("type", "is no whole number")
        if not least <= value <= most:
            raise ValueError("bounds", f"must be between {least} and {most}")
        return value

    return rule


def _keys(value: Any) -> list[str]:
    """Keys, as a list or with commas between them, each once."""
    found = value.split(",") if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(key, str) for key in found):
        raise ValueError("type", "is no list of keys")
    keys = [key.strip() for key in found if key.strip()]
    if len(keys) > KEYS_MOST or not all(re.fullmatch(r"[a-z0-9_]{1,40}", key) for key in keys):
        raise ValueError("keys", "has something that is no key")
    return list(dict.fromkeys(keys))


def _languages(value: Any) -> list[str]:
    keys = _keys(value)
    if unknown := [key for key in keys if key not in Language.values]:
        raise ValueError("keys", f"has no such language as {unknown[0]}")
    return keys


def _language(value: Any) -> str:
    (key,) = _languages([value]) or [""]
    return key


def _mail(value: Any) -> str:
    line = text(FACT_LENGTH_MAX)(value)
    if line not in ("", DOES_NOT_APPLY) and not re.fullmatch(r"[^@\s]+@[^@\s]+", line):
        raise ValueError("mail", "is no mail address")
    return line


def _website(value: Any) -> str:
    line = text(FACT_LENGTH_MAX)(value)
    if line not in ("", DOES_NOT_APPLY) and not re.fullmatch(r"https?://[^\s]+", line):
        raise ValueError("website", "does not begin with https://")
    return line


def _days(value: Any) -> str:
    return str(value) if value == DOES_NOT_APPLY else str(whole(1, 36_500)(value))


def _colour(value: Any) -> str:
    colour = text(7)(value).lower()
    if not re.fullmatch(r"#[0-9a-f]{6}", colour):
        raise ValueError("colour", "is no colour such as #8a4b12")
    return colour


def _accent(scheme: Scheme) -> Callable[[Any], str]:
    """A rule: a colour that everybody can read on the pages of this scheme."""

    def rule(value: Any) -> str:
        colour = _colour(value)
        if found := pale(colour, scheme):
            sentence = f"has a contrast of {found.ratio}; take {found.instead}"
            raise ValueError("pale", sentence, asdict(found))
        return colour

    return rule


def _picture(value: Any) -> str:
    """A PNG file in base64, written anew."""
    if not isinstance(value, str):
        raise ValueError("type", "is no PNG picture")
    try:
        return png_text(png_read(png_bytes(value)))
    except BadPng as error:
        raise ValueError(f"png_{error.code}", str(error)) from error


def _shown(value: Any) -> str:
    if value not in LOGO_SHOWN:
        raise ValueError("keys", f"is none of {', '.join(LOGO_SHOWN)}")
    return str(value)


_FACT: Final = text(FACT_LENGTH_MAX)

PARTS: Final[Mapping[HousePart, tuple[Field, ...]]] = {
    HousePart.LANGUAGES: (Field("offered", _languages), Field("usual", _language)),
    HousePart.COLOURS: (
        Field("accent_light", _accent("light")),
        Field("accent_dark", _accent("dark")),
        *(Field(name, _colour) for name in BOARD_COLOURS),
    ),
    HousePart.LOGO: (Field("png", _picture), Field("shown", _shown)),
    HousePart.OFFERS: (
        Field("modes", _keys),
        Field("variants", _keys),
        Field("length_most", whole(1, 25)),
        Field("stake_cents_most", whole(1, AMOUNT_CENTS_MOST)),
    ),
    HousePart.LIMITS: (
        Field("payout_minimum_cents", whole(1, AMOUNT_CENTS_MOST)),
        Field("minimum_age", whole(0, 99)),
        Field("welcome_cents", whole(0, AMOUNT_CENTS_MOST)),
        Field("signups_per_hour", whole(1, 100_000)),
        Field("engine_hours_per_week", whole(1, 168)),
    ),
    HousePart.OPERATOR: (
        *(Field(f"operator_{name}", _FACT) for name in ("name", "representative", "address")),
        Field("operator_mail", _mail),
        *(
            Field(f"operator_{name}", _FACT)
            for name in ("phone", "register", "vat_id", "licence", "jurisdiction")
        ),
        Field("privacy_mail", _mail),
        Field("privacy_authority", _FACT),
        Field("hosting", _FACT),
        Field("log_days", _days),
        Field("backup_days", _days),
        Field("helpline", _FACT),
        Field("helpline_url", _website),
    ),
    HousePart.NAME: (Field("name", text(NAME_LENGTH_MAX)),),
    HousePart.CURRENCY: (Field("sign", _sign), Field("word_de", _word), Field("word_en", _word)),
}


def _languages_together(content: Content) -> Iterator[HouseFault]:
    offered, usual = content.get("offered"), content.get("usual")
    if offered and usual and usual not in offered:
        yield HouseFault("usual", "usual", "The usual language is not offered.")


def _colours_together(content: Content) -> Iterator[HouseFault]:
    """A board has all of its colours, and everything on it can be seen."""
    missing = [name for name in BOARD_COLOURS if name not in content]
    for name in missing if len(missing) < len(BOARD_COLOURS) else ():
        yield HouseFault(name, "board_all", f"{name} is missing: a board has all colours.")
    board = board_of(content)
    for found in board_faults(board) if board else ():
        instead = f"; take {found.instead}" if found.instead else ""
        sentence = f"{found.colour} has a contrast of {found.ratio}{instead}."
        yield HouseFault(found.colour, found.code, sentence, asdict(found))


_TOGETHER: Final[Mapping[HousePart, Callable[[Content], Iterator[HouseFault]]]] = {
    HousePart.LANGUAGES: _languages_together,
    HousePart.COLOURS: _colours_together,
}
"""The rules about several fields of a part."""


@dataclass(frozen=True, slots=True)
class RegisteredPart:
    """A part that another app describes: the rule for its whole content, and its defaults."""

    rule: Callable[[object], Content]
    usual: Content


REGISTERED: Final[dict[HousePart, RegisteredPart]] = {}


def part_register(part: HousePart, rule: Callable[[object], Content], *, usual: Content) -> None:
    """Let this rule decide what a part may contain. It raises `BadContent`."""
    REGISTERED[part] = RegisteredPart(rule, usual)


def content_of(part: HousePart, values: object) -> Content:
    """The content that these values make, without fields that are empty.

    Raises `BadContent` with every fault.
    """
    if not isinstance(values, Mapping):
        raise BadContent((HouseFault("", "type", "The content is no list of names and values."),))
    if part in REGISTERED:
        return REGISTERED[part].rule(values)
    rules = {each.name: each.rule for each in PARTS[part]}
    faults = [
        HouseFault(str(name), "unknown", f"There is no field {name!r}.")
        for name in sorted(set(values) - set(rules), key=str)
    ]
    content: Content = {}
    for name, rule in rules.items():
        try:
            value = rule(values[name]) if values.get(name) not in (None, "", []) else None
        except ValueError as error:
            code, sentence, *said = error.args
            faults.append(HouseFault(name, code, f"{name} {sentence}.", *said))
            continue
        if value not in (None, "", []):
            content[name] = value
    if not faults and part in _TOGETHER:
        faults += _TOGETHER[part](content)
    if faults:
        raise BadContent(tuple(faults))
    return content


def contents_usable(rows: Mapping[str, Any]) -> Iterator[tuple[HousePart, Content]]:
    """The contents that this version can use; a part that it does not have, or whose content
    breaks a rule, keeps its defaults."""
    for part in (*PARTS, *REGISTERED):
        if part.value in rows:
            try:
                yield part, content_of(part, rows[part.value])
            except BadContent:
                continue
