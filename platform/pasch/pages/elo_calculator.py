"""The rating formula with the reader's own numbers."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy

from games.forms.names import MODE_NAMES
from games.modes.families import PointMatch
from games.offered import modes_offered
from ratings.elo import START_ELO, EloStanding, ramp, rate, whole

#: the example that is shown before anything is entered
EXAMPLE: Final = {
    "own_elo": whole(START_ELO),
    "own_experience": 0,
    "their_elo": 1600,
    "their_experience": 400,
    "n": 5,
}
PLACES: Final = Decimal("0.01")
ELO_MIN, ELO_MAX, EXPERIENCE_MAX, N_MAX = 0, 4000, 100_000, 25


class EloForm(forms.Form):
    """Two players and the worth of their match."""

    own_elo = forms.IntegerField(
        label=gettext_lazy("Your rating"), min_value=ELO_MIN, max_value=ELO_MAX
    )
    own_experience = forms.IntegerField(
        label=gettext_lazy("Your experience"), min_value=0, max_value=EXPERIENCE_MAX
    )
    their_elo = forms.IntegerField(
        label=gettext_lazy("Opponent's rating"), min_value=ELO_MIN, max_value=ELO_MAX
    )
    their_experience = forms.IntegerField(
        label=gettext_lazy("Opponent's experience"), min_value=0, max_value=EXPERIENCE_MAX
    )
    n = forms.IntegerField(
        label=gettext_lazy("Weight of the match: n"), min_value=1, max_value=N_MAX
    )


@dataclass(frozen=True, slots=True)
class EloChange:
    """The changes of a match: both ratings after it, as text, and the changes with their sign."""

    own_elo: str
    own_change: str
    their_elo: str
    their_change: str


@dataclass(frozen=True, slots=True)
class Calculation:
    """Both results of a match, and each player's K before it."""

    won: EloChange
    lost: EloChange
    own_k: str
    their_k: str


def calculation(numbers: dict[str, int]) -> Calculation:
    """Rate a match that the reader wins, and one that the reader loses, by `ratings.elo.rate`."""
    me = EloStanding(Decimal(numbers["own_elo"]), numbers["own_experience"])
    them = EloStanding(Decimal(numbers["their_elo"]), numbers["their_experience"])
    won, lost = rate(me, them, numbers["n"]), rate(them, me, numbers["n"])
    return Calculation(
        _change(me, won.winner, them, won.loser),
        _change(me, lost.loser, them, lost.winner),
        number_format(ramp(me.experience), 2),
        number_format(ramp(them.experience), 2),
    )


def _change(
    me: EloStanding, mine: EloStanding, them: EloStanding, theirs: EloStanding
) -> EloChange:
    return EloChange(
        _shown(mine.elo),
        _signed(mine.elo - me.elo),
        _shown(theirs.elo),
        _signed(theirs.elo - them.elo),
    )


def _shown(elo: Decimal) -> str:
    """A rating to two places, rounded half even; `number_format` alone would cut digits off."""
    return number_format(elo.quantize(PLACES), 2)


def _signed(change: Decimal) -> str:
    """A change with its sign, as the reader's language writes numbers."""
    return f"{'−' if change < 0 else '+'}{_shown(abs(change))}"


def calculator(request: HttpRequest) -> dict[str, Any]:
    """The form with the numbers of the address, or the example, and what they come to."""
    asked = any(name in request.GET for name in EXAMPLE)
    data = {**EXAMPLE, **{k: v for k, v in request.GET.items() if k in EXAMPLE}}
    form = EloForm(data if asked else EXAMPLE, auto_id="elo_%s")
    return {
        "elo_form": form,
        "elo": calculation(form.cleaned_data) if form.is_valid() else None,
        "rating_worths": [
            (str(MODE_NAMES[mode.key]), None if isinstance(mode, PointMatch) else mode.rated_points)
            for mode in modes_offered()
            if mode.rated_points
        ],
    }
