"""Results of matches as administrators choose them: as values of a form, and in words."""

import re
from collections.abc import Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.table.state import TableState
from games.table.verdict import Verdict, possible_verdicts

TIE: Final = "-"
_VALUE: Final = re.compile(r"([01-])\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})", re.ASCII)
_LEVELS: Final[dict[int, str | Promise]] = {
    1: gettext_lazy("single game"),
    2: gettext_lazy("gammon"),
    3: gettext_lazy("backgammon"),
}

Groups = list[tuple[str, list[tuple[str, str]]]]


def verdict_value(verdict: Verdict) -> str:
    """A verdict as a form sends it: winner, score, level and cube."""
    winner = TIE if verdict.winner is None else str(verdict.winner)
    return ".".join(map(str, (winner, *verdict.score, verdict.level, verdict.cube)))


def verdict_read(value: str) -> Verdict | None:
    """The verdict that a form sent; None where it is no such value."""
    found = _VALUE.fullmatch(value)
    if found is None:
        return None
    winner, one, two, level, cube = found.groups()
    return Verdict(
        winner=None if winner == TIE else int(winner),
        score=(int(one), int(two)),
        level=int(level),
        cube=int(cube),
    )


def verdict_words(verdict: Verdict, players: Sequence[Any]) -> str:
    """A verdict in words, with its winner."""
    if verdict.winner is None:
        return f"{_('tie')}, {_result(verdict)}"
    name = players[verdict.winner].get_username()
    return _("%(name)s wins: %(result)s") % {"name": name, "result": _result(verdict)}


def verdict_groups(state: TableState, players: Sequence[Any]) -> Groups:
    """Every result the match can still have, by its winner, for a choice."""
    groups: dict[int | None, list[tuple[str, str]]] = {0: [], 1: [], None: []}
    for verdict in possible_verdicts(state):
        groups[verdict.winner].append((verdict_value(verdict), _result(verdict)))
    names = {
        seat: _("%(name)s wins") % {"name": players[seat].get_username()} for seat in (0, 1)
    } | {None: _("tie")}
    return [(names[winner], rows) for winner, rows in groups.items() if rows]


def _result(verdict: Verdict) -> str:
    if not verdict.level:
        return f"{verdict.score[0]} : {verdict.score[1]}"
    level = _LEVELS.get(verdict.level) or _("level %(level)s") % {"level": verdict.level}
    points = ngettext("%(points)s point", "%(points)s points", verdict.points)
    return _("%(level)s, cube at %(cube)s: %(points)s") % {
        "level": level,
        "cube": verdict.cube,
        "points": points % {"points": verdict.points},
    }
