"""A practice game: the levels of the house bot in words with their measured PR, and its form."""

from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from backgammon.bots.strength import LEVELS, Level, level_of
from games.forms.tables import TermsForm
from games.modes.registry import ALL
from games.services.house_bots import ALONE

ALONE_NAME: Final = gettext_lazy("No one – I play both sides")


@dataclass(frozen=True, slots=True)
class LevelWords:
    """A level in the language of the reader; `rate` has the PR with its band and its decisions.

    `bot` is the first name of the house bot, as beside its face.
    """

    key: str
    bot: str
    name: str
    sentence: str
    pr: str
    rate: str


def opponent_name(key: str) -> str:
    """The name of an opponent in practice: a level, or nobody."""
    return str(ALONE_NAME) if key == ALONE else _(level_of(key).name)


def opponent_choices() -> list[tuple[str, str]]:
    """The opponents of a form; a level has its PR beside the name."""
    named = [(level.key, f"{_(level.name)} · {pr_text(level)}") for level in LEVELS]
    return [*named, (ALONE, str(ALONE_NAME))]


def level_in_words(key: str) -> LevelWords | None:
    """The level of this key; None for any other opponent."""
    return next((level for level in levels_in_words() if level.key == key), None)


def levels_in_words() -> list[LevelWords]:
    """Every level, the weakest first."""
    return [
        LevelWords(
            level.key,
            level.bot.split()[0],
            _(level.name),
            _(level.sentence),
            pr_text(level),
            _rate(level),
        )
        for level in LEVELS
    ]


def pr_text(level: Level) -> str:
    """The PR of a level with its name."""
    return _("PR %(rate)s") % {"rate": number_format(round(level.measured.pr, 1), 1)}


def _rate(level: Level) -> str:
    measured = level.measured
    return _("PR %(rate)s ± %(band)s in backgammon, measured over %(decisions)s decisions") % {
        "rate": number_format(round(measured.pr, 1), 1),
        "band": number_format(round(measured.band, 1), 1),
        "decisions": number_format(measured.decisions, force_grouping=True),
    }


class PracticeForm(TermsForm):
    """The arguments for `games.services.practice.practice_open`."""

    every = tuple(mode for mode in ALL if mode.is_practice)

    strength = forms.ChoiceField(
        label=gettext_lazy("Opponent"),
        choices=opponent_choices,
        initial="intermediate",
    )
    watchers = None  # type: ignore[assignment]  # Django's way to leave out an inherited field

    @property
    def level(self) -> LevelWords | None:
        """The chosen level in words; None for nobody."""
        return level_in_words(str(self["strength"].value()))

    def asked(self) -> dict[str, Any]:
        """The arguments for the service: the wishes without the mode, and the strength."""
        wishes = {name: wish for name, wish in self.wishes().items() if name != "mode"}
        return {**wishes, "strength": self.cleaned_data["strength"]}
