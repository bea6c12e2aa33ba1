"""The rules: all games, what is played for, how it can end, what each ending pays, ratings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.forms.names import MODE_NAMES, reserve_label
from games.modes.mode import Mode
from games.modes.prices import FIGURES, Prices
from games.modes.registry import OPENED, mode_of
from games.modes.terms import CLOCKS, Terms
from games.offered import modes_offered
from games.pages.words import Facts, rake_percent, terms_facts
from games.prizes import (
    Games,
    MatchPayout,
    PrizeEnding,
    PrizeResult,
    Purse,
    PurseKind,
    banks_after,
    payout,
)
from games.selectors import prices, prices_read_once, terms_offered
from ledger.templatetags.credits import credits_text
from pasch.pages.elo_calculator import calculator
from pasch.pages.game_rules import games_shown, rules_chosen

#: how many points the game is worth in the example of each ending in the table of endings.
ENDING_POINTS: Final = {
    PrizeEnding.BORNE_OFF: 1,
    PrizeEnding.DOUBLE_DROPPED: 1,
    PrizeEnding.RESIGNED: 2,
    PrizeEnding.LEFT: 3,
    PrizeEnding.TIME_OVER: 3,
    PrizeEnding.ABSENT: 3,
    PrizeEnding.ADJUDICATED: 1,
    PrizeEnding.STOPPED: 1,
    PrizeEnding.LAPSED: 1,
    PrizeEnding.BANK_SHORT: 3,
    PrizeEnding.STOOD_UP: 0,
    PrizeEnding.VOIDED: 0,
}

#: the endings of sessions alone, and those of a game, after which a session goes on.
OF_SESSIONS: Final = frozenset({PrizeEnding.STOPPED, PrizeEnding.LAPSED, PrizeEnding.BANK_SHORT})
OF_GAMES: Final = frozenset(
    {PrizeEnding.BORNE_OFF, PrizeEnding.DOUBLE_DROPPED, PrizeEnding.RESIGNED}
)


@dataclass(frozen=True, slots=True)
class EndingRow:
    """The payout of one ending in an example of each kind of mode; None where it cannot happen.

    `points` is what all games of the example are worth.
    """

    ending: str
    points: int
    pot: MatchPayout | None
    by_point: MatchPayout | None
    session: MatchPayout | None


@dataclass(frozen=True, slots=True)
class ModeRow:
    """A mode on the rules page: how it is played, and examples of what it pays."""

    key: str
    name: str
    rules: str
    label: str
    examples: list[Facts]
    remark: str

    @property
    def kind(self) -> str:
        """How the examples pay: "pot" or "points"; empty without any."""
        return str(self.examples[0]["kind"]) if self.examples else ""

    @property
    def has_ties(self) -> bool:
        """Whether a match can end in a tie that divides the pot."""
        return any(facts["tie_cents"] is not None for facts in self.examples)

    @property
    def cube_differs(self) -> bool:
        """Whether some examples are played with the cube and some without."""
        return len({facts["has_cube"] for facts in self.examples}) > 1


@dataclass(frozen=True, slots=True)
class ClockRow:
    """One clock of the house, for the rules page."""

    name: str
    delay_seconds: int
    reserve: str


@require_safe
@prices_read_once()
def rules(request: HttpRequest) -> HttpResponse:
    """Show every game, what is played for and every ending with what it pays; needs no login.

    The sections are folded, but not for `?all` and not after the form of the calculator was sent.
    """
    return render(
        request,
        "pasch/rules.html",
        {
            "opened": bool(request.GET),
            "modes": [_mode_row(mode) for mode in modes_offered()],
            "endings": [_ending(ending, points) for ending, points in ENDING_POINTS.items()],
            "ending_terms": {
                "pot": _facts_of(example(PurseKind.POT)),
                "by_point": _facts_of(example(PurseKind.PER_POINT)),
                "session": _facts_of(example(PurseKind.SESSION)),
            },
            "house_prices": prices(),
            **house_facts(),
            "clocks": [_clock(name) for name in CLOCKS],
            "games": games_shown(),
            "rules_chosen": rules_chosen(),
            **calculator(request),
        },
    )


def _mode_row(mode: Mode) -> ModeRow:
    """A mode in words, with what its examples cost and pay."""
    examples = mode.examples(prices()) if mode.examples_label else ()
    figures = figures_in_text(prices())
    return ModeRow(
        mode.key,
        str(MODE_NAMES[mode.key]),
        " ".join(_(sentence) % figures for sentence in mode.rules),
        _(mode.examples_label) if examples else "",
        [_facts_of(terms_offered(mode=mode.key, **wishes)) for wishes in examples],
        _(mode.remark) if mode.remark else "",
    )


def figures_in_text(house: Prices) -> dict[str, str]:
    """The single figures of the house as a sentence has them, by name."""
    return {
        figure.name: credits_text(value) if figure.unit == "cents" else str(value)
        for figure in FIGURES
        if isinstance(value := getattr(house, figure.name), int)
    }


def _facts_of(terms: Terms) -> Facts:
    return {**terms_facts(terms), "has_cube": terms.has_cube}


def example(kind: PurseKind) -> Terms:
    """The first table the house offers whose stakes are divided in this way.

    Of a mode that offers no choices it is the first of its examples.
    """
    offered = (
        terms_offered(mode=mode.key, **wishes) for mode in OPENED for wishes in _wishes(mode)
    )
    return next(terms for terms in offered if mode_of(terms).purse(terms).kind is kind)


def _wishes(mode: Mode) -> Iterator[Mapping[str, Any]]:
    yield from (choice.wishes for choice in mode.choices(prices()))
    yield from mode.examples(prices())


def house_facts() -> Facts:
    """The rake of the house, and what a match for a fixed prize costs and pays."""
    return {
        "example": terms_facts(example(PurseKind.POT)),
        "rake_percent": rake_percent(prices().rake_bps),
    }


def _ending(ending: PrizeEnding, points: int) -> EndingRow:
    """The payout of an ending, by the function that settles matches."""
    kinds = (PurseKind.POT, PurseKind.PER_POINT, PurseKind.SESSION)
    pot, by_point, session = (mode_of(terms).purse(terms) for terms in map(example, kinds))
    game = PrizeResult(0 if points else None, ending, points)
    games = _games(session, ending, points)
    return EndingRow(
        ending.value,
        sum(worth for _winner, worth in games),
        None if ending in OF_SESSIONS else payout(pot, game),
        None if ending in OF_SESSIONS else payout(by_point, game),
        None if ending in OF_GAMES else payout(session, PrizeResult(0, ending, games=games)),
    )


def _games(session: Purse, ending: PrizeEnding, points: int) -> Games:
    """One game worth so many points, won by seat 0; or as many as leave a bank too small."""
    games: Games = ((0, points),) if points else ()
    if ending is PrizeEnding.BANK_SHORT:
        while banks_after(session, games).cover(session.game_limit_cents):
            games = (*games, (0, points))
    return games


def _clock(name: str) -> ClockRow:
    """Return one clock as a reader counts it: seconds a turn, minutes for the match."""
    delay_ms, per_point_ms = CLOCKS[name]
    reserve_ms = mode_of(example(PurseKind.POT)).reserve_points * per_point_ms
    return ClockRow(name, delay_ms // 1000, reserve_label(reserve_ms))
