"""Two players side by side, by theme and phase, over the matches that a reader may open.

A player is the reader, an account, or a name in the reader's files. Of accounts only matches count
whose analysis the reader may see; of names in files, the reader's own matches against them.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from django.db.models import Count, Q, QuerySet, Sum

from accounts.models import User
from accounts.selectors import person_named
from analysis.access import readable
from analysis.decisions.statistics import By, statistics_of
from analysis.exercises.themes import phase_of
from analysis.models import (
    DecidedMatch,
    DecisionRow,
    ErrorExercise,
    MyDecision,
    Report,
    ThemeSum,
)
from analysis.sums import DEPTH, ERROR, ErrorRate, superseded
from backgammon.counting.positions import situation_of
from backgammon.rules.errors import RulesError
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from games.selectors import may_see_all

#: so many of the newest matches against a name in the files are looked at.
FILE_MATCHES: Final = 50

#: so many of the costliest errors are shown.
ERRORS_SHOWN: Final = 6

Kind = Literal["own", "account", "file"]
Rates = dict[str, ErrorRate]


@dataclass(frozen=True, slots=True)
class ComparedError:
    """An error with the match whose report has it: of the house, or brought by the reader."""

    decision: DecisionRow
    theme: str
    match: DecidedMatch


@dataclass(frozen=True, slots=True)
class ComparedPlayer:
    """A player with their rates; `errors` are the costliest ones."""

    name: str
    kind: Kind
    matches: int = 0
    themes: Rates = field(default_factory=dict)
    phases: Rates = field(default_factory=dict)
    errors: tuple[ComparedError, ...] = ()

    @property
    def rate(self) -> ErrorRate:
        """All decisions."""
        return sum(self.themes.values(), ErrorRate())


def opponents_of(reader: User) -> list[str]:
    """Return the names that the reader has met, those with the most matches first."""
    met = DecidedMatch.objects.filter(person=reader)
    names: dict[str, int] = defaultdict(int)
    rows = met.values_list("opponent", "seat", "match__player_0", "match__player_1").annotate(
        n=Count("pk")
    )
    people = {other for _o, seat, *both in rows if (other := both[1 - seat]) is not None}
    usernames = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    for opponent, seat, first, second, met_times in rows:
        name = opponent or usernames.get(second if seat == 0 else first, "")
        names[name] += met_times
    return sorted(filter(None, names), key=lambda name: (-names[name], name))


def player_compared(reader: User, name: str, variant: str) -> ComparedPlayer | None:
    """Return the player of this name, "" for the reader; None if nobody is known by it."""
    if not name:
        return _of_account(reader, reader, variant)
    person = person_named(name)
    found = None if person is None else _of_account(reader, person, variant)
    if found is None or not found.matches:
        return _of_name(reader, name, variant) or found
    return found


def _of_account(reader: User, person: User, variant: str) -> ComparedPlayer:
    matches = DecidedMatch.objects.filter(person=person, variant=variant)
    if person != reader:
        seen = readable(reader.pk, sees_all=may_see_all(reader))
        matches = matches.filter(match__in=seen.values("pk"))
    decisions = MyDecision.objects.filter(person=person, match__in=matches.values("pk"))
    costly = decisions.filter(counted=True, loss__gte=ERROR).order_by("-loss", "pk")
    errors = costly.select_related("decision__report", "match")[:ERRORS_SHOWN]
    return ComparedPlayer(
        name=person.get_username(),
        kind="own" if person == reader else "account",
        matches=matches.count(),
        themes=_rates(decisions, "theme"),
        phases=_rates(decisions, "phase"),
        errors=tuple(ComparedError(row.decision, row.theme, row.match) for row in errors),
    )


def _rates(decisions: QuerySet[MyDecision], by: By) -> Rates:
    return {row.value: row.total.rate for row in statistics_of(decisions, by, "").rows}


# --- names in files: only the reader's own matches are listed, so the other seat is summed here ---


def _of_name(reader: User, name: str, variant: str) -> ComparedPlayer | None:
    met = DecidedMatch.objects.filter(
        person=reader, opponent=name, variant=variant, imported__isnull=False
    ).select_related("imported")
    matches = {_transcript(each): each for each in met.order_by("-played_at")[:FILE_MATCHES]}
    if not matches:
        return None
    reports = Report.objects.filter(~Q(superseded("")), transcript__in=matches, depth=DEPTH)
    theirs = Q(pk=None)
    for seat in (0, 1):
        seats = [key for key, each in matches.items() if each.seat == 1 - seat]
        theirs |= Q(seat=seat, report__in=reports.filter(transcript__in=seats))
    return ComparedPlayer(
        name=name,
        kind="file",
        matches=len(matches),
        themes=_themes(theirs),
        phases=_phases(theirs, variant),
        errors=tuple(_errors(theirs, matches)),
    )


def _transcript(match: DecidedMatch) -> int:
    assert match.imported is not None, "these are brought"
    return match.imported.transcript_id


def _themes(theirs: Q) -> Rates:
    sums = ThemeSum.objects.filter(theirs, counted__gt=0).values_list("theme").annotate(
        Sum("counted"), Sum("lost"), Sum("counted_lost"), Sum("squares")
    )  # fmt: skip
    return {theme: ErrorRate(*values) for theme, *values in sums.order_by()}


def _phases(theirs: Q, variant: str) -> Rates:
    found: dict[str, ErrorRate] = {}
    rows = DecisionRow.objects.filter(theirs, loss__isnull=False)
    for xgid, counted, loss in rows.values_list("line__xgid", "counted", "loss"):
        phase = _phase(xgid, variant)
        if phase and loss is not None:
            one = ErrorRate(1, loss, loss, loss * loss) if counted else ErrorRate(0, loss)
            found[phase] = found.get(phase, ErrorRate()) + one
    return found


def _phase(text: Any, variant: str) -> str:
    try:
        xgid = Xgid.parse(text or "", by_key(variant).checkers)
        return phase_of(situation_of(xgid, variant, has_cube=True))
    except RulesError:
        return ""


def _errors(theirs: Q, matches: Mapping[int, DecidedMatch]) -> Iterable[ComparedError]:
    rows = ErrorExercise.objects.filter(theirs).select_related("decision__report")
    for row in rows.order_by("-loss", "pk")[:ERRORS_SHOWN]:
        match = matches[row.decision.report.transcript_id or 0]
        yield ComparedError(row.decision, row.theme, match)
