"""One decision as a card: the board, the choices with what they are worth, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from analysis.pages.numbers import UNKNOWN, of_result, percent, plain, signed, signed_percent
from analysis.pages.positions import PositionShown, position_shown
from analysis.pages.report_decisions import ReportDecision
from analysis.pages.words import (
    cube_reasons,
    mark_words,
    opinion_words,
    option_words,
    play_reasons,
    rolled_words,
)
from analysis.stored import depth_words
from backgammon.analysis.json_lines import Line
from backgammon.counting.judging import EXACT, MARKS
from backgammon.counting.positions import roll_of, situation_of
from backgammon.counting.situation import Situation
from backgammon.facts.plays import facts_of
from backgammon.pictures.board import Arrow
from backgammon.pictures.plays import play_arrows
from backgammon.rules.errors import RulesError
from backgammon.rules.moves import Move
from backgammon.rules.position_id import format_position_id
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid

#: the width of a bar of 100 %: a loss of so much, in points.
_BAR_LOSS: Final = 0.5
#: a smaller loss is not written.
_SHOWN_LEAST: Final = 0.0005
_CHANCE_NAMES: Final = (0, 1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A row of the table: an option with its equity, its loss (`width` of 100) and its depth."""

    number: int
    text: str
    equity: str
    loses: str
    width: float
    depth: str
    best: bool
    played: bool


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """A chance with the best option and with the one taken, and the difference."""

    name: str
    best: str
    played: str
    difference: str
    good: bool | None


@dataclass(frozen=True, slots=True)
class EquityBar:
    """An equity about the cube as a bar; `x` and `width` are parts of 100, `pass_x` a drop."""

    text: str
    equity: str
    x: float
    width: float
    look: str


@dataclass(frozen=True, slots=True)
class OutcomeShare:
    """A part of the games played to the end, in per cent of all."""

    name: str
    look: str
    x: float
    width: float
    text: str


@dataclass(frozen=True, slots=True)
class DecisionCard:
    """Everything that the template of a decision shows."""

    key: str
    game: int
    number: int
    kind: str
    title: str
    dice: tuple[int, ...]
    mark: str
    verdict: str
    loss: str
    cost: str
    costs: bool
    counted: bool
    luck: str
    lucky: bool | None
    reasons: tuple[str, ...]
    choices: tuple[ChoiceRow, ...]
    mixed: bool
    chances: tuple[ChanceRow, ...]
    bars: tuple[EquityBar, ...]
    drop_x: float
    shares: tuple[OutcomeShare, ...]
    best: str
    played: str
    shown: PositionShown | None
    pips: tuple[int, int] | None
    cube: int | None
    xgid: str
    position_id: str
    ply: int
    exact: bool
    rolled: str
    second: str
    disputed: bool


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Where a decision was made: the variant, whether there is a cube, names, and who looks on.

    `near` is the seat whose side of the board is below.
    """

    variant: str
    has_cube: bool
    names: tuple[str, str]
    near: int
    points: bool


def card(row: ReportDecision, place: CardPlace) -> DecisionCard:
    """A decision for a reader."""
    situation = _situation(row, place)
    line, best = row.line, row.line["options"][0]
    made = row.option_made
    return DecisionCard(
        key=row.key,
        game=row.game,
        number=row.number,
        kind=row.kind,
        title=_title(row, place),
        dice=tuple(line["dice"] or ()),
        mark=row.mark,
        verdict=_verdict(row),
        loss=UNKNOWN if row.loss is None else signed(-row.loss),
        cost=of_result(line["cost"], points=place.points, sign=False),
        costs=bool(row.loss and row.loss >= _SHOWN_LEAST),
        counted=row.counted,
        luck=of_result(line["gift"], points=place.points),
        lucky=None if not line["gift"] else line["gift"] > 0,
        reasons=tuple(_reasons(row, place, situation, best, made)),
        choices=tuple(_choices(row)),
        mixed=len({option["ply"] for option in line["options"]}) > 1,
        chances=tuple(_chance_rows(row, best, made, place)),
        bars=tuple(_bars(row)),
        drop_x=_bar_x(1.0),
        shares=tuple(_shares(row, place)),
        best=option_words(best["text"]),
        played=option_words(line["played"]),
        shown=None if situation is None else _board(row, place, situation),
        pips=None if situation is None else _pips(row, place, situation),
        cube=None if situation is None or not place.has_cube else situation.cube.value,
        xgid=line.get("xgid") or "",
        position_id="" if situation is None else _position_id(situation),
        ply=line["ply"],
        exact=line["ply"] == EXACT,
        rolled=rolled_words(row),
        second="" if row.opinion is None else opinion_words(row.opinion, line["best"]),
        disputed=row.disputed,
    )


def _verdict(row: ReportDecision) -> str:
    if row.disputed:
        return _("Engines disagree")
    return _("Best choice") if (row.loss or 0) < _SHOWN_LEAST else mark_words(row.mark)


def _situation(row: ReportDecision, place: CardPlace) -> Situation | None:
    """The position before the decision, as the player on roll saw it."""
    text = row.line.get("xgid")
    if not text:
        return None
    checkers = by_key(place.variant).checkers
    return situation_of(Xgid.parse(text, checkers), place.variant, has_cube=place.has_cube)


def _title(row: ReportDecision, place: CardPlace) -> str:
    name = place.names[row.seat]
    if row.kind == "play":
        return _("{name} to play").format(name=name)
    if row.kind == "double":
        if row.line["played"] == "double":
            return _("{name} doubled").format(name=name)
        return _("{name} did not double").format(name=name)
    return _("{name} was doubled").format(name=name)


def _moves(situation: Situation, row: ReportDecision, text: str) -> tuple[Move, ...] | None:
    try:
        found = roll_of(situation, (row.line["dice"][0], row.line["dice"][1]), text).played
    except RulesError:
        return None
    return None if found is None else found.moves


def _board(row: ReportDecision, place: CardPlace, situation: Situation) -> PositionShown:
    turned = row.on_roll != place.near
    if row.kind != "play":
        return position_shown(situation, turned=turned)
    best = _moves(situation, row, row.line["options"][0]["text"])
    played = _moves(situation, row, row.line["played"]) if row.line["played"] else None
    others: list[Arrow] = []
    for number, option in enumerate(row.line["options"], start=1):
        moves = _moves(situation, row, option["text"])
        others += play_arrows(situation.position, moves or (), f"try bg-try-{number}")
    return position_shown(
        situation, row.line["dice"], best=best, played=played, turned=turned, others=others
    )


def _pips(row: ReportDecision, place: CardPlace, situation: Situation) -> tuple[int, int]:
    """The pips to go of the near side and of the far one."""
    own, other = situation.position.pips(by_key(place.variant).way)
    return (own, other) if row.on_roll == place.near else (other, own)


def _position_id(situation: Situation) -> str:
    try:
        return format_position_id(situation.position)
    except RulesError:
        return ""


def _reasons(
    row: ReportDecision,
    place: CardPlace,
    situation: Situation | None,
    best: Line,
    made: Line | None,
) -> list[str]:
    if row.kind != "play":
        cube = row.line.get("cube")
        if not cube:
            return []
        return cube_reasons(cube, place.names[row.on_roll], place.names[1 - row.on_roll])
    if situation is None or made is None or made is best or not row.loss:
        return []
    dice = (row.line["dice"][0], row.line["dice"][1])
    plays = [roll_of(situation, dice, option["text"]).played for option in (best, made)]
    facts = [
        facts_of(situation.position, play.result, place.variant)
        for play in plays
        if play is not None
    ]
    return play_reasons(best, made, facts[0], facts[1]) if len(facts) > 1 else []


def _choices(row: ReportDecision) -> list[ChoiceRow]:
    best = row.line["options"][0]["equity"]
    return [
        ChoiceRow(
            number=number,
            text=option_words(option["text"]),
            equity=signed(option["equity"]),
            loses=signed(option["equity"] - best) if number > 1 else "0",
            width=round(100 * min(1.0, (best - option["equity"]) / _BAR_LOSS), 1),
            depth=depth_words(option["ply"]).removesuffix("-ply"),
            best=number == 1,
            played=option["text"] == row.line["played"],
        )
        for number, option in enumerate(row.line["options"], start=1)
    ]


def _chance_rows(
    row: ReportDecision, best: Line, made: Line | None, place: CardPlace
) -> list[ChanceRow]:
    """The five chances of a play, and the result; the last column only beside another play."""
    if row.kind != "play" or not best["chances"]:
        return []
    names = (_("Wins"), _("with a gammon"), _("with a backgammon"), _("Gammons lost"),
             _("Backgammons lost"))  # fmt: skip
    other = made if made is not None and made is not best and made["chances"] else None
    rows = []
    for index in _CHANCE_NAMES:
        value = best["chances"][index]
        theirs = None if other is None else other["chances"][index]
        if index in (2, 4) and max(value, theirs or 0.0) < 0.005:
            continue
        step = None if theirs is None else theirs - value
        rows.append(_chance_row(names[index], value, theirs, step, worse=index > 2))
    result = row.result(best["equity"])
    if result is not None:
        after = None if other is None else row.result(other["equity"])
        name = _("Points") if place.points else _("Wins the match")
        step = None if after is None else after - result
        rows.append(
            ChanceRow(
                name,
                of_result(result, points=place.points, sign=place.points),
                "" if after is None else of_result(after, points=place.points, sign=place.points),
                "" if step is None else of_result(step, points=place.points),
                None if not step else step > 0,
            )
        )
    return rows


def _chance_row(
    name: str, value: float, other: float | None, step: float | None, *, worse: bool
) -> ChanceRow:
    is_good = None if not step or abs(step) < 0.0005 else (step > 0) != worse
    return ChanceRow(
        name,
        percent(value),
        "" if other is None else percent(other),
        "" if step is None else signed_percent(step),
        is_good,
    )


# --- the cube -------------------------------------------------------------------------------------


def _bar_x(equity: float) -> float:
    """Where an equity lies on the scale of the bars, from -1.5 to 1.5, in parts of 100."""
    return round(100 * (min(1.5, max(-1.5, equity)) + 1.5) / 3, 1)


def _bars(row: ReportDecision) -> list[EquityBar]:
    """The equities that a decision about the cube compares, for the player on roll."""
    cube = row.line.get("cube")
    if not cube:
        return []
    best, made = row.line["options"][0]["text"], row.line["played"]
    double_take = cube["double_take"]
    taken = "double" if double_take <= 1 else "", "double" if double_take > 1 else ""
    named = [
        (_("No double"), cube["no_double"], "no double"),
        (_("Double, take"), double_take, taken[0]),
        (_("Double, drop"), 1.0, taken[1]),
    ]
    if row.kind == "take":
        named = [(_("Take"), double_take, "take"), (_("Drop"), 1.0, "drop")]
    found = []
    for text, equity, option in named:
        look = "best" if option == best else "played" if option == made else ""
        start, end = sorted((_bar_x(0.0), _bar_x(equity)))
        found.append(EquityBar(text, signed(equity), start, round(max(end - start, 0.6), 1), look))
    return found


def _shares(row: ReportDecision, place: CardPlace) -> list[OutcomeShare]:
    """How the games end that are played to the end, the doubler's wins first."""
    cube = row.line.get("cube")
    if not cube:
        return []
    win, gammon, _backgammon, lost_gammon, _lost_backgammon = cube["chances"]
    name, other = place.names[row.on_roll], place.names[1 - row.on_roll]
    parts: Sequence[tuple[str, str, float]] = (
        (_("{name} wins a gammon").format(name=name), "won-2", gammon),
        (_("{name} wins").format(name=name), "won-1", win - gammon),
        (_("{name} wins").format(name=other), "lost-1", 1 - win - lost_gammon),
        (_("{name} wins a gammon").format(name=other), "lost-2", lost_gammon),
    )
    found, x = [], 0.0
    for text, look, share in parts:
        width = max(0.0, 100 * share)
        found.append(OutcomeShare(text, look, round(x, 1), round(width, 1), percent(share, 0)))
        x += width
    return found


def mark_limits() -> list[tuple[str, str, str]]:
    """Every mark with its word and the loss from which on it stands."""
    return [(mark, mark_words(mark), plain(least, 3)) for least, mark in MARKS]
