"""Every preference of a reader, defined once: its key, its values, its default and its words.

The settings page, the dialog of the table, the validation of what is stored, and docs/pages.md
all come from `PREFERENCES`. `accounts/reader_preferences.py` reads and stores a reader's choices.
"""

import re
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import countries
from house.languages import Language

Value = str | bool | int

#: the regions of the time zones that are offered, besides UTC; the others are old names
REGIONS: Final = (
    "Africa",
    "America",
    "Antarctica",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)

LEVEL: Final = re.compile("[0-9]{1,3}")


class Theme(models.TextChoices):
    """The colours of the pages."""

    DEVICE = "device", _("As on this device")
    AHORN = "ahorn", _("Light")
    NUSSBAUM = "nussbaum", _("Dark")
    KONTRAST = "kontrast", _("High contrast")


class BoardChoice(models.TextChoices):
    """The boards; each is a block of tokens in static/css/boards.css, `house` also one of a style
    sheet with the colours of the house where it has chosen some."""

    HOUSE = "house", _("Of the house")
    THEME = "theme", _("As the theme")
    WALNUT = "walnut", _("Walnut")
    MAPLE = "maple", _("Maple")
    SLATE = "slate", _("Slate")
    AEGEAN = "aegean", _("Aegean")
    SALON = "salon", _("Salon")


class Checkers(models.TextChoices):
    """The sets of checkers and dice, for any board; `house` as for boards."""

    HOUSE = "house", _("Of the house")
    IVORY = "ivory", _("Ivory and ebony")
    RUBY = "ruby", _("Pearl and ruby")
    JADE = "jade", _("Bone and jade")
    METAL = "metal", _("Brass and steel")
    WHITE = "white", _("White and black")


HOUSE_LOOK: Final = "house"
"""The board and the checkers of a reader who has chosen none."""

USUAL_LOOK: Final = {"board": BoardChoice.THEME.value, "checkers": Checkers.IVORY.value}
"""What `HOUSE_LOOK` is in a house without a board of its own."""


class Section(StrEnum):
    """The parts of the settings page; the value is its anchor."""

    PROFILE = "profile"
    APPEARANCE = "appearance"
    TABLE = "table"
    SOUND = "sound"
    NOTIFICATIONS = "notifications"
    LANGUAGE = "language"
    PRIVACY = "privacy"


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference. A switch has a bool, a level an int from 0 to 100, a choice one of `choices`.

    `in_dialog`: also in the dialog of the table.
    """

    key: str
    section: Section
    label: Any
    default: Value
    choices: tuple[tuple[str, Any], ...] = ()
    help: Any = ""
    in_dialog: bool = False

    @property
    def kind(self) -> str:
        """`switch`, `level` or `choice`."""
        if isinstance(self.default, bool):
            return "switch"
        return "level" if isinstance(self.default, int) else "choice"

    def allows(self, value: object) -> bool:
        """Whether the value may be stored."""
        if self.kind == "switch":
            return isinstance(value, bool)
        if self.kind == "level":
            return type(value) is int and 0 <= value <= 100
        return isinstance(value, str) and (value in dict(self.choices) or value in self._more())

    def parse(self, text: str | None) -> Value:
        """The value in a form or a cookie; a switch that is missing is off.

        Raises ValueError where the value is not allowed.
        """
        written = text or ""
        value: Value = written
        if self.kind == "switch":
            value = written in ("on", "true", "1")
        elif self.kind == "level" and LEVEL.fullmatch(written):
            value = int(written)
        if not self.allows(value):
            raise ValueError(f"{self.key}: {value!r} is not one of its values")
        return value

    def _more(self) -> frozenset[str]:
        """The values besides `choices`: a long list that templates write in another way."""
        match self.key:
            case "zone":
                return zones()
            case "country":
                return countries.codes()
        return frozenset()


@cache
def zones() -> frozenset[str]:
    """The names of the time zones that are offered."""
    known = zoneinfo.available_timezones()
    return frozenset(name for name in known if name.partition("/")[0] in REGIONS) | {"UTC"}


def _switch(key: str, section: Section, label: Any, default: bool, **more: Any) -> Preference:
    return Preference(key, section, label, default, **more)


_PROFILE: Final = (
    Preference(
        "country",
        Section.PROFILE,
        _("Country"),
        "",
        (("", _("not shown")),),
        help=_("Everybody sees it beside your name."),
    ),
)
_LOOK: Final = (
    Preference("theme", Section.APPEARANCE, _("Theme"), "device", tuple(Theme.choices)),
    Preference("board", Section.APPEARANCE, _("Board"), HOUSE_LOOK, tuple(BoardChoice.choices)),
    Preference("checkers", Section.APPEARANCE, _("Checkers"), HOUSE_LOOK, tuple(Checkers.choices)),
    Preference(
        "direction",
        Section.APPEARANCE,
        _("Home board on the"),
        "right",
        (("left", _("left")), ("right", _("right"))),
        in_dialog=True,
    ),
    _switch("numbers", Section.APPEARANCE, _("Numbers of the points"), True, in_dialog=True),
    _switch("pips", Section.APPEARANCE, _("Pips"), True, in_dialog=True),
    _switch(
        "highlights", Section.APPEARANCE, _("Mark checkers that can move"), True, in_dialog=True
    ),
    _switch("last_play", Section.APPEARANCE, _("Mark the last play"), True, in_dialog=True),
)
_TABLE: Final = (
    Preference(
        "speed",
        Section.TABLE,
        _("Checkers move"),
        "normal",
        (
            ("off", _("at once")),
            ("fast", _("fast")),
            ("normal", _("normally")),
            ("slow", _("slowly")),
        ),
        in_dialog=True,
    ),
    Preference(
        "tap",
        Section.TABLE,
        _("Tapping a checker"),
        "play",
        (("play", _("plays it")), ("select", _("selects it"))),
        in_dialog=True,
    ),
    _switch(
        "auto_forced",
        Section.TABLE,
        _("Play forced moves automatically"),
        True,
        help=_("When there is only one legal play."),
        in_dialog=True,
    ),
    _switch(
        "auto_confirm",
        Section.TABLE,
        _("Confirm plays automatically"),
        False,
        help=_("It cannot be undone then."),
        in_dialog=True,
    ),
    _switch(
        "always_roll",
        Section.TABLE,
        _("Roll automatically (never offer the cube)"),
        False,
        in_dialog=True,
    ),
    _switch(
        "ask_twice",
        Section.TABLE,
        _("Ask again before doubling and dropping"),
        False,
        in_dialog=True,
    ),
    _switch(
        "letters",
        Section.TABLE,
        _("Single-key shortcuts"),
        True,
        help=_("Space rolls, D doubles, Z undoes."),
        in_dialog=True,
    ),
)
_SOUND: Final = (
    _switch("sounds", Section.SOUND, _("Sounds"), True, in_dialog=True),
    Preference("volume", Section.SOUND, _("Volume"), 70),
    _switch("sound_roll", Section.SOUND, _("Dice"), True),
    _switch("sound_checker", Section.SOUND, _("Checkers"), True),
    _switch("sound_hit", Section.SOUND, _("Hits"), True),
    _switch("sound_cube", Section.SOUND, _("Doubling cube"), True),
    _switch("sound_turn", Section.SOUND, _("Your turn"), True),
    _switch("sound_low", Section.SOUND, _("Little time left"), True),
    _switch("sound_end", Section.SOUND, _("End of a game"), True),
)
_NOTIFICATIONS: Final = (
    _switch(
        "notify",
        Section.NOTIFICATIONS,
        _("Notify me when it is my turn"),
        False,
        in_dialog=True,
    ),
    _switch(
        "notify_challenges",
        Section.NOTIFICATIONS,
        _("Notify me when somebody challenges me"),
        False,
    ),
)
_LANGUAGE: Final = (
    Preference(
        "language",
        Section.LANGUAGE,
        _("Language"),
        "",
        (("", _("As the browser asks")), *Language.choices),
    ),
    Preference("zone", Section.LANGUAGE, _("Time zone"), "", (("", _("As on this device")),)),
)

_PRIVACY: Final = (
    Preference(
        "reports",
        Section.PRIVACY,
        _("Who sees the analysis of your matches"),
        "matches",
        (
            ("matches", pgettext_lazy("who sees analyses", "everybody")),
            ("players", _("only the two players")),
        ),
        help=_("Others also need to see the match, and your opponent has to allow it."),
    ),
)

PREFERENCES: Final[Mapping[str, Preference]] = {
    each.key: each
    for each in (
        *(*_PROFILE, *_LOOK, *_TABLE, *_SOUND),
        *(*_NOTIFICATIONS, *_LANGUAGE, *_PRIVACY),
    )
}
#: preferences with a column of their own, because queries and mails read them
COLUMNS: Final = ("theme", "language")


def of_section(section: Section) -> list[Preference]:
    """The preferences of a section, in order."""
    return [each for each in PREFERENCES.values() if each.section is section]


def validate_preferences(value: object) -> None:
    """Raise ValidationError unless `value` maps keys of PREFERENCES to allowed values."""
    if not isinstance(value, dict):
        raise ValidationError(_("Preferences are an object of keys and values."))
    for key, chosen in value.items():
        known = PREFERENCES.get(key)
        if known is None or key in COLUMNS or not known.allows(chosen):
            raise ValidationError(
                _("%(key)s has no value %(value)s."), params={"key": key, "value": chosen}
            )
