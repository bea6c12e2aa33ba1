"""The settings of the house in words: parts, fields, values, and what changes."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.conf import settings
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.queue import ENGINE_HOURS
from games.forms.names import VARIANT_NAMES, mode_choices
from games.modes.registry import OPENED, prices_of
from house.board import COLOURS as BOARD_COLOURS
from house.board import EXAMPLE
from house.colours import ACCENTS
from house.languages import Language
from house.parts import (
    DOES_NOT_APPLY,
    NAME_LENGTH_MAX,
    PARTS,
    SIGN_LENGTH_MAX,
    WORD_LENGTH_MAX,
    Content,
    HouseFault,
    HousePart,
)
from house.reader import SIGN
from kit.png import Png, png_of
from ledger.templatetags.credits import credits_text
from pasch.desk.money_words import FieldRow, figure_rows
from pasch.operator import FACTS, Operator
from pasch.staff.house import PICTURES

Text = str | Promise

PART_NAMES: Final[Mapping[HousePart, Text]] = {
    HousePart.NAME: gettext_lazy("Name"),
    HousePart.CURRENCY: gettext_lazy("Currency"),
    HousePart.LANGUAGES: gettext_lazy("Languages"),
    HousePart.COLOURS: gettext_lazy("Colours"),
    HousePart.LOGO: gettext_lazy("Logo"),
    HousePart.OFFERS: gettext_lazy("Games on offer"),
    HousePart.LIMITS: gettext_lazy("Limits"),
    HousePart.OPERATOR: gettext_lazy("Operator"),
}
PART_HELP: Final[Mapping[HousePart, Text]] = {
    HousePart.NAME: gettext_lazy(
        "Stands in the head of every page, in titles, mails and match files."
    ),
    HousePart.CURRENCY: gettext_lazy("The sign behind every amount, and the word in every text."),
    HousePart.LANGUAGES: gettext_lazy("The languages of the pages and mails."),
    HousePart.COLOURS: gettext_lazy(
        "The accent of links and buttons, on light and on dark pages, and the board of everybody"
        " who has chosen none in the settings. High contrast keeps its own."
    ),
    HousePart.LOGO: gettext_lazy(
        "A picture in the head of every page, beside the name or instead of it."
    ),
    HousePart.OFFERS: gettext_lazy(
        "New tables, quick games and challenges. Tables that are open or running keep their terms."
    ),
    HousePart.LIMITS: gettext_lazy("Limits that players meet."),
    HousePart.OPERATOR: gettext_lazy(
        "The facts of the imprint and of the other pages around the house. A dash means that one"
        " does not apply."
    ),
}
FIELD_NAMES: Final[Mapping[str, Text]] = {
    "name": gettext_lazy("Name of the house"),
    "sign": gettext_lazy("Sign of the currency"),
    "word_de": gettext_lazy("Word in German"),
    "word_en": gettext_lazy("Word in English"),
    "offered": gettext_lazy("Languages on offer"),
    "usual": gettext_lazy("Usual language"),
    "accent_light": gettext_lazy("Accent on light pages"),
    "accent_dark": gettext_lazy("Accent on dark pages"),
    "ground": gettext_lazy("Ground of the board"),
    "points_light": gettext_lazy("Light points"),
    "points_dark": gettext_lazy("Dark points"),
    "checkers_light": gettext_lazy("Light checkers"),
    "checkers_dark": gettext_lazy("Dark checkers"),
    "png": gettext_lazy("Picture"),
    "shown": gettext_lazy("In the head of pages"),
    "modes": gettext_lazy("Modes"),
    "variants": gettext_lazy("Variants"),
    "length_most": gettext_lazy("Longest match, in points"),
    "stake_cents_most": gettext_lazy("Highest stake of each player"),
    "payout_minimum_cents": gettext_lazy("Smallest payout"),
    "minimum_age": gettext_lazy("Minimum age"),
    "welcome_cents": gettext_lazy("Welcome credits of a new player"),
    "signups_per_hour": gettext_lazy("New accounts per hour"),
    "engine_hours_per_week": gettext_lazy("Hours of engine, a person and week"),
    **{fact.variable.lower(): fact.label for fact in FACTS},
}
_FAULTS: Final[Mapping[str, Text]] = {
    "long": gettext_lazy("This is too long."),
    "hidden": gettext_lazy("It contains invisible characters. Type it instead of pasting it."),
    "sign": gettext_lazy("A sign has no digits, spaces or punctuation."),
    "word": gettext_lazy("A word has letters only."),
    "colour": gettext_lazy("Enter a colour such as #8a4b12."),
    "pale": gettext_lazy(
        "Not everybody could read this: the contrast is %(ratio)s and must be 4.5 or more."
        " %(instead)s would do."
    ),
    "board_all": gettext_lazy("A board has all five colours or none."),
    "board_ground": gettext_lazy(
        "Some checkers, marks or arrows could not be seen on this ground: the contrast is %(ratio)s"
        " and must be 3 or more. %(instead)s would do."
    ),
    "board_point": gettext_lazy(
        "Some checkers or arrows could not be seen on these points: the contrast is %(ratio)s and"
        " must be 3 or more. %(instead)s would do."
    ),
    "board_light": gettext_lazy(
        "This is too dark for light checkers: the contrast with their rim is %(ratio)s and must be"
        " 9 or more. %(instead)s would do."
    ),
    "board_dark": gettext_lazy(
        "This is too light for dark checkers: the contrast with their rim is %(ratio)s and must be"
        " 9 or more. %(instead)s would do."
    ),
    "board_points": gettext_lazy(
        "The dark points must be darker than the light ones: the contrast is %(ratio)s and must be"
        " 2 or more."
    ),
    "board_flat": gettext_lazy(
        "No points could be seen on this ground: the contrast of the clearer ones is %(ratio)s and"
        " must be 3 or more."
    ),
    "png_type": gettext_lazy("This is no PNG picture."),
    "png_bytes": gettext_lazy("This file is larger than 64 KiB."),
    "png_sides": gettext_lazy("The picture must have 16 to 1024 pixels on each side."),
    "png_broken": gettext_lazy("This file is damaged or incomplete. Save the picture as PNG anew."),
    "mail": gettext_lazy("This is no mail address."),
    "website": gettext_lazy("A website begins with https://."),
    "usual": gettext_lazy("This language is not on offer."),
}


def value_text(name: str, value: Any) -> str:
    """A value of a field as people read it; the default where there is none."""
    if value in (None, "", []):
        return _("default: %(value)s") % {"value": default_text(name)}
    if name in PICTURES:
        return _picture_text(png_of(value))
    if name in CHOICES:
        names = dict(CHOICES[name]())
        keys = value if isinstance(value, list) else [value]
        return " · ".join(str(names.get(key, key)) for key in keys)
    return credits_text(value) if name.endswith("_cents") or "_cents_" in name else str(value)


def _picture_text(logo: Png) -> str:
    said = {"width": logo.width, "height": logo.height, "name": logo.digest[:8]}
    kib = number_format(len(logo.data) / 1024, 1)
    return _("%(width)s × %(height)s pixels, %(kib)s KiB (%(name)s)") % {**said, "kib": kib}


def default_text(name: str) -> str:
    """The value of a field in a house that never set it."""
    stated: Operator = settings.OPERATOR
    defaults: dict[str, object] = {
        "name": settings.OPERATOR.house,
        "sign": SIGN,
        "word_de": "Credits",
        "word_en": "credits",
        "usual": Language(settings.LANGUAGE_CODE).label,
        "accent_light": ACCENTS["light"],
        "accent_dark": ACCENTS["dark"],
        **dict.fromkeys(BOARD_COLOURS, _("as the theme")),
        "png": _("no logo"),
        "shown": _("beside the name"),
        "length_most": LENGTH_MOST,
        "stake_cents_most": _("no limit"),
        "payout_minimum_cents": credits_text(settings.LEDGER_PAYOUT_MINIMUM_CENTS),
        "minimum_age": stated.minimum_age,
        "welcome_cents": credits_text(settings.LEDGER_WELCOME_CENTS),
        "signups_per_hour": settings.SIGNUPS_PER_HOUR,
        "engine_hours_per_week": ENGINE_HOURS,
        **{fact.variable.lower(): _fact_text(getattr(stated, fact.field)) for fact in FACTS},
    }
    return str(defaults.get(name, _("all")))


def _fact_text(value: str | None) -> str:
    return _("not stated yet") if value is None else value or DOES_NOT_APPLY


Choices = Callable[[], list[tuple[str, Any]]]

CHOICES: Final[Mapping[str, Choices]] = {
    "offered": lambda: list(Language.choices),
    "usual": lambda: list(Language.choices),
    "shown": lambda: [("beside", _("beside the name")), ("alone", _("instead of the name"))],
    "modes": lambda: mode_choices(OPENED),
    "variants": lambda: list(VARIANT_NAMES.items()),
}
"""The values of the fields that have some to choose from."""

LENGTH_MOST: Final = max(length for mode in OPENED for length in mode.lengths)


def field_rows(part: HousePart, content: Content) -> list[FieldRow]:
    """Every field of a part."""
    if part is HousePart.PRICES:
        return figure_rows(prices_of(content))
    names = [field.name for field in PARTS[part]]
    return [FieldRow(n, FIELD_NAMES[n], value_text(n, content.get(n))) for n in names]


def changes(part: HousePart, now: Content, then: Content) -> list[FieldRow]:
    """The fields that differ, as they are and as they would be."""
    rows = zip(field_rows(part, now), field_rows(part, then), strict=True)
    return [
        FieldRow(old.name, old.label, old.now, new.now)
        for old, new in rows
        if now.get(old.name) != then.get(old.name)
    ]


def fault_text(fault: HouseFault) -> str:
    """The fault of a field, in the reader's language."""
    words = str(_FAULTS.get(fault.code, fault.sentence))
    if "ratio" in fault.said:
        return words % {**fault.said, "ratio": number_format(fault.said["ratio"], 2)}
    return words


def field_help(name: str) -> str:
    """The values that a field takes, in words."""
    if name == "name":
        return _("Up to %(count)s letters.") % {"count": NAME_LENGTH_MAX}
    if name == "sign":
        return _("Up to %(count)s letters or signs, such as ℂ or Pt.") % {"count": SIGN_LENGTH_MAX}
    if name in EXAMPLE:
        return _("Such as %(colour)s, as on walnut.") % {"colour": EXAMPLE[name]}
    if name == "operator_address":
        return _("Lines are separated by |.")
    if not name.startswith("word_"):
        return ""
    return _("In the plural, as in the middle of a sentence; up to %(count)s letters.") % {
        "count": WORD_LENGTH_MAX
    }
