"""Stored errors of a match, as a full report has them."""

from dataclasses import replace
from typing import Any, Final

from analysis.models import DecisionRow, Report
from analysis.sums import sums_store
from analysis.training.house_set import lines_of_file
from backgammon.counting.decisions import DecisionPlace
from backgammon.counting.positions import roll_of, situation_of
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from games.models import Match

#: an error of the house's set: a play of a roll.
PLAY: Final = next(row for row in lines_of_file() if row["kind"] == "play")


def error_of(match: Match, *, version: str = "1", **fields: Any) -> DecisionRow:
    """A report with one decision, which is an error of seat 0 unless the fields say otherwise."""
    house = {"xgid": PLAY["xgid"], **PLAY["line"], **fields.pop("line", {})}
    line = {
        **house,
        "played": house["options"][-1]["text"],
        "on_roll": 0,
        "gift": 0.1,
        "span": [0.3, 0.7],
    }
    report = Report.objects.create(
        match=match, engine="bgsage", version=version, depth="full", figures=[{}, {}]
    )
    row = {"loss": 0.1, "counted": True, "seat": 0, **fields}
    made = DecisionRow.objects.create(
        report=report, game=1, number=2, kind="play", ply=2, line=line, **row
    )
    asked = Xgid.parse(line["xgid"], by_key(match.variant).checkers)
    assert asked.dice is not None
    play = roll_of(situation_of(asked, match.variant), asked.dice)
    sums_store(report, [replace(play, place=DecisionPlace(1, 2, made.seat))])
    return made
