"""An analysis as lines: one object of plain values for each decision."""

from typing import Any, Final

from analysis.counting.decisions import Play
from analysis.counting.figures import Figures, Judged
from analysis.counting.judging import Option
from analysis.engines.engine import Engine

Line = dict[str, Any]

#: how many of the choices a line names; the one taken is always among them.
OPTIONS_MOST: Final = 6

_DIGITS: Final = 4


def decision_line(judged: Judged, players: tuple[str, str], engine: Engine, depth: str) -> Line:
    """A decision of a match."""
    decision, judgement = judged.decision, judged.judgement
    place = decision.place
    return {
        "game": place.game,
        "number": place.number,
        "player": players[place.seat],
        "kind": decision.kind,
        "dice": list(decision.dice) if isinstance(decision, Play) else None,
        "played": judgement.played,
        "best": judgement.best,
        "loss": _rounded(judgement.loss),
        "counted": judgement.counted,
        "luck": _rounded(judged.luck),
        "mark": judgement.mark,
        "gap": _rounded(judgement.gap),
        "cost": _rounded(judged.cost),
        "gift": _rounded(judged.gift),
        "depth": depth,
        "ply": judgement.ply,
        "engine": engine.name,
        "version": engine.version,
        "options": _options(judgement.options, judgement.played),
    }


def position_line(judged: Judged, engine: Engine, depth: str) -> Line:
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
