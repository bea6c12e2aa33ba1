"""The form of quick pairing: a game in one click, free or for credits.

A click states two things at once, as the tile `key:clock`: one of the mode's choices (the length of
a match, or, for credits, the stake) and the clock. All other fields are those of any table.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.tables import TermsForm
from games.modes.mode import Mode
from games.modes.prices import Prices
from games.modes.registry import OPENED
from games.modes.terms import CLOCKS, Terms
from games.offered import terms_open
from games.table.errors import BadTerms

#: what a form of quick pairing may send beside its fields.
BUTTONS = frozenset({"tile", "for", "agreed"})


def _is_free(mode: Mode) -> bool:
    """Whether a quick game of this mode can be played for nothing."""
    return mode.is_quick and (not mode.is_staked or 0 in mode.stakes(Prices()))


class QuickForm(TermsForm):
    """A game against anybody, or anybody of about one's own strength."""

    with_credits: ClassVar[bool]

    strength_span = forms.TypedChoiceField(
        label=gettext_lazy("Opponent"),
        choices=[
            ("", gettext_lazy("any strength")),
            ("1", gettext_lazy("about my strength (±1)")),
        ],
        coerce=int,
        required=False,
        empty_value=None,
    )

    @classmethod
    def of(cls, data: Mapping[str, str], *, shows: bool = False, **kwargs: Any) -> Self:
        """The form for this data; a tile stands for the fields that it states."""
        kwargs.setdefault("auto_id", "quick_%s")
        stated = {name: data[name] for name in data if name not in BUTTONS}
        if "tile" in data:
            key, _colon, clock = data["tile"].rpartition(":")
            stated |= {**cls(cls._game(stated)).row_fields(key), "clock": clock}
        return super().of(stated, shows=shows, **kwargs)

    def row_wishes(self) -> dict[str, Mapping[str, int]]:
        """The text of the tiles of each row beside the clock, by the key of the row."""
        return {choice.key: choice.wishes for choice in self.mode.choices(self.prices)}

    def row_fields(self, key: str) -> dict[str, str]:
        """The fields that a tile of this row states; one that is no field, if there is no such."""
        wishes = self.row_wishes().get(key)
        if wishes is None:
            return {"tile": key}
        return {name: str(wish) for name, wish in wishes.items()}

    def rows(self) -> Iterator[tuple[str, list[tuple[str, Terms]]]]:
        """Each row's key with its tiles: a clock and the terms."""
        for key, wishes in self.row_wishes().items():
            tiles = ((clock, self._tile(wishes, clock)) for clock in CLOCKS)
            offered = [(clock, terms) for clock, terms in tiles if terms is not None]
            if offered:
                yield key, offered

    def _tile(self, wishes: Mapping[str, int], clock: str) -> Terms | None:
        stated = self.wishes() if self.terms else {**self.game_wishes(), **self._any_amount()}
        try:
            return terms_open(**{**stated, **wishes, "clock": clock})
        except BadTerms:
            return None


class FreeQuickForm(QuickForm):
    """Quick games without credits; the rows are the lengths of matches."""

    with_credits = False
    every = tuple(filter(_is_free, OPENED))

    def choices_of(self, mode: Mode) -> dict[str, Mapping[str, int]]:
        """None: nothing is at stake."""
        return {}


class CreditsQuickForm(QuickForm):
    """Quick games for credits; the rows are what they are played for."""

    with_credits = True
    every = tuple(mode for mode in OPENED if mode.is_quick and mode.is_staked)

    def choices_of(self, mode: Mode) -> dict[str, Mapping[str, int]]:
        """The choices that cost something."""
        every = super().choices_of(mode)
        return {key: wishes for key, wishes in every.items() if any(wishes.values())}

    def row_wishes(self) -> dict[str, Mapping[str, int]]:
        """The choices themselves."""
        return self.choices

    def row_fields(self, key: str) -> dict[str, str]:
        """The field of the choices."""
        return {self.choice_name: key}


def quick_form(data: Mapping[str, str], *, shows: bool = False) -> QuickForm:
    """The form that is filled in or asked for; without credits unless these are asked for."""
    form = CreditsQuickForm if data.get("for") == "credits" else FreeQuickForm
    return form.of(data, shows=shows)
