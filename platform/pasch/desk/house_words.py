"""The settings of the house in words: parts, fields, values, and what changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.house.parts import (
    NAME_LENGTH_MAX,
    PARTS,
    SIGN_LENGTH_MAX,
    WORD_LENGTH_MAX,
    Content,
    HouseFault,
    Part,
)
from accounts.house.reader import SIGN

Text = str | Promise

PART_NAMES: Final[Mapping[Part, Text]] = {
    Part.NAME: gettext_lazy("Name"),
    Part.CURRENCY: gettext_lazy("Currency"),
}
PART_HELP: Final[Mapping[Part, Text]] = {
    Part.NAME: gettext_lazy("Stands in the head of every page, in titles, mails and match files."),
    Part.CURRENCY: gettext_lazy("The sign behind every amount, and the word in every text."),
}
FIELD_NAMES: Final[Mapping[str, Text]] = {
    "name": gettext_lazy("Name of the house"),
    "sign": gettext_lazy("Sign of the currency"),
    "word_de": gettext_lazy("Word in German"),
    "word_en": gettext_lazy("Word in English"),
}
_FAULTS: Final[Mapping[str, Text]] = {
    "long": gettext_lazy("This is too long."),
    "hidden": gettext_lazy("It contains invisible characters. Type it instead of pasting it."),
    "sign": gettext_lazy("A sign has no digits, spaces or punctuation."),
    "word": gettext_lazy("A word has letters only."),
}


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field in words: its name, its value now and, in a preview, the one it would have."""

    name: str
    label: Text
    now: str
    then: str = ""


def value_text(name: str, value: Any) -> str:
    """A value of a field as people read it; the default where there is none."""
    if value in (None, "", []):
        return _("default: %(value)s") % {"value": default_text(name)}
    return " · ".join(map(str, value)) if isinstance(value, list) else str(value)


def default_text(name: str) -> str:
    """The value of a field in a house that never set it."""
    defaults = {
        "name": settings.OPERATOR.house,
        "sign": SIGN,
        "word_de": "Credits",
        "word_en": "credits",
    }
    return str(defaults[name])


def field_rows(part: Part, content: Content) -> list[FieldRow]:
    """Every field of a part."""
    names = [field.name for field in PARTS[part]]
    return [FieldRow(n, FIELD_NAMES[n], value_text(n, content.get(n))) for n in names]


def changes(part: Part, now: Content, then: Content) -> list[FieldRow]:
    """The fields that differ, as they are and as they would be."""
    rows = zip(field_rows(part, now), field_rows(part, then), strict=True)
    return [
        FieldRow(old.name, old.label, old.now, new.now)
        for old, new in rows
        if now.get(old.name) != then.get(old.name)
    ]


def fault_text(fault: HouseFault) -> str:
    """The fault of a field, in the reader's language."""
    return str(_FAULTS.get(fault.code, fault.sentence))


def field_help(name: str) -> str:
    """The values that a field takes, in words."""
    if name == "name":
        return _("Up to %(count)s letters.") % {"count": NAME_LENGTH_MAX}
    if name == "sign":
        return _("Up to %(count)s letters or signs, such as ℂ or Pt.") % {"count": SIGN_LENGTH_MAX}
    return _("In the plural, as in the middle of a sentence; up to %(count)s letters.") % {
        "count": WORD_LENGTH_MAX
    }
