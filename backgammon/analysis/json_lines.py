"""An analysis as lines: one object of plain values for each decision."""

from typing import Any, Final

from backgammon.counting.chances import window
from backgammon.counting.decisions import Answer, DecidedPlay, Decision
from backgammon.counting.figures import Figures, Judged
from backgammon.counting.judging import CubeValue, Option, RolledOut
from backgammon.counting.positions import xgid_text
from backgammon.engines.engine import HouseEngine
from backgammon.rules.errors import NotationError
from backgammon.rules.xgid import Offer

Line = dict[str, Any]

#: how many of the choices a line names; the one taken is always among them.
OPTIONS_MOST: Final = 6

_DIGITS: Final = 4

_OFFERS: Final = (Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON)


def decision_line(
    judged: Judged, players: tuple[str, str], engine: HouseEngine, depth: str, *, length: int = 0
) -> Line:
    """A decision of a match, which is to so many points."""
    decision, judgement = judged.decision, judged.judgement
    place = decision.place
    return {
        "game": place.game,
        "number": place.number,
        "player": players[place.seat],
        "kind": decision.kind,
        "dice": list(decision.dice) if isinstance(decision, DecidedPlay) else None,
        "played": judgement.played,
        "best": judgement.best,
        "loss": _rounded(judgement.loss),
        "counted": judgement.counted,
        "luck": _rounded(judged.luck),
        "mark": judgement.mark,
        "gap": _rounded(judgement.gap),
        "cost": _rounded(judged.cost),
        "gift": _rounded(judged.gift),
        "span": [_rounded(judged.span.lost), _rounded(judged.span.won)],
        "xgid": _xgid(decision, length),
        "on_roll": _on_roll(decision),
        "cube": _cube(judged, engine),
        "depth": depth,
        "ply": judgement.ply,
        "rollout": _rolled(judgement.rolled),
        "engine": engine.name,
        "version": engine.version,
        "options": _options(judgement.options, judgement.played),
    }


def position_line(judged: Judged, engine: HouseEngine, depth: str) -> Line:
    """A position where nothing has been decided yet."""
    line = decision_line(judged, ("", ""), engine, depth)
    unknown = ("played", "loss", "counted", "mark", "cost")
    return {**line, **dict.fromkeys(("game", "number", "player", *unknown))}


def figures_line(figures: Figures, player: str) -> Line:
    """The figures of a player."""
    band = figures.band
    return {
        "player": player,
        "decisions": figures.decisions,
        "counted": figures.counted,
        "errors": figures.shown,
        "lost": _rounded(figures.lost),
        "pr": _rounded(figures.pr, 2),
        "band": None if band is None else [_rounded(band.low, 2), _rounded(band.high, 2)],
        "class": figures.grade,
        "snowie": _rounded(figures.snowie, 2),
        "luck": _rounded(figures.luck),
        "cost": _rounded(figures.cost),
        "gift": _rounded(figures.gift),
    }


def _on_roll(decision: Decision) -> int:
    """The seat whose view the XGID has; after an odd number of turns of the cube the other's."""
    seat = decision.place.seat
    return 1 - seat if isinstance(decision, Answer) and decision.turns % 2 else seat


def _xgid(decision: Decision, length: int) -> str | None:
    """The position before the decision; None where it cannot be written."""
    offer, dice = None, None
    if isinstance(decision, DecidedPlay):
        dice = decision.dice
    elif isinstance(decision, Answer):
        offer = _OFFERS[min(decision.turns, len(_OFFERS)) - 1]
    try:
        return xgid_text(decision.situation, dice, offer=offer, length=length)
    except NotationError:
        return None


def _cube(judged: Judged, engine: HouseEngine) -> Line | None:
    """The facts behind a cube decision, as the player on roll sees it; None for a play."""
    value: CubeValue | None = judged.judgement.cube
    if value is None:
        return None
    found = window(judged.decision.situation, value.chances, engine.table)
    return {
        "no_double": _rounded(value.no_double),
        "double_take": _rounded(value.double_take),
        "chances": [_rounded(chance) for chance in value.chances],
        "take_point": None if found is None else _rounded(found.take),
        "double_point": None if found is None else _rounded(found.double),
    }


def _rolled(rolled: RolledOut | None) -> Line | None:
    """How exact the loss is where a rollout decided; None where a search did."""
    if rolled is None:
        return None
    return {"trials": rolled.trials, "error": _rounded(rolled.error)}


def _options(options: tuple[Option, ...], played: str) -> list[Line]:
    named = [
        option
        for number, option in enumerate(options)
        if number < OPTIONS_MOST or option.text == played
    ]
    return [
        {
            "text": option.text,
            "equity": _rounded(option.equity),
            "ply": option.ply,
            "chances": option.chances and [_rounded(chance) for chance in option.chances],
        }
        for option in named
    ]


def _rounded(value: float | None, digits: int = _DIGITS) -> float | None:
    return None if value is None else round(value, digits) + 0.0  # never a -0.0
