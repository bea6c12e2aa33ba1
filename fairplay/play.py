"""Screening for help of an engine: from full analyses, hourly, for those with new ones.

A machine opens a case and asks. It holds nothing, and only new accounts pause games for credits
meanwhile; about everybody else people decide.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Q, Sum
from django.utils import timezone

from accounts.models import User
from analysis.models import Report, ThemeSum
from fairplay.cases import Alarm, case_open
from fairplay.models import Case, Kind, Role
from fairplay.signals.play import PlayJudgement, Sample, judged_play
from games.models import Match

LOOKS_BACK: Final = timedelta(hours=2)
WINDOW: Final = 2_000
"""So many of the last counted decisions are judged; those before are the past."""

NEW_FOR: Final = timedelta(days=30)
"""Accounts younger than this pause games for credits while their case waits."""

MATCHES_MOST: Final = 40
EVERY: Final = 4
"""Each fourth match raises the suspicion, the others are tested."""

Row = tuple[Match, Sample]


def players_check() -> int:
    """Check everybody with a full analysis of the last hours; return how many people."""
    lately = Report.objects.filter(depth="full", made_at__gt=timezone.now() - LOOKS_BACK)
    pairs = lately.values_list("match__player_0", "match__player_1")
    people = {player for pair in pairs for player in pair}
    found = User.objects.filter(pk__in=people, is_bot=False, is_active=True).order_by("pk")
    for person in found:
        player_check(person)
    return len(found)


def player_check(person: User) -> PlayJudgement:
    """Judge a player's last decisions, and open a case if a rule alarms."""
    now, past = _parts(_rows(person.pk, _begin(person.pk)))
    screen = _sum(now[::EVERY])
    test = _sum([row for number, row in enumerate(now) if number % EVERY])
    before = _sum(past)
    judged = judged_play(screen, test, before)
    if judged.rule and settings.FAIRPLAY_ACTS:
        _alarm(person, now, screen + test, before, judged)
    return judged


def _begin(user_id: int) -> datetime | None:
    """When people last decided about this player's play: earlier matches are not judged again."""
    over = Case.objects.filter(
        kind=Kind.ENGINE,
        closed_at__isnull=False,
        parties__user=user_id,
        parties__role=Role.ACCUSED,
    )
    return over.order_by("-closed_at").values_list("closed_at", flat=True).first()


def _rows(user_id: int, begin: datetime | None) -> list[Row]:
    """The player's analysed matches, newest first, each with its counted decisions."""
    theirs = ThemeSum.objects.filter(
        Q(report__match__player_0=user_id, seat=0) | Q(report__match__player_1=user_id, seat=1),
        report__depth="full",
    )
    if begin is not None:
        theirs = theirs.filter(report__match__ended_at__gt=begin)
    sums = theirs.values("report__match").annotate(
        decisions=Sum("counted"), lost=Sum("counted_lost"), squared=Sum("squares")
    )
    rows = {
        row["report__match"]: Sample(row["decisions"], row["lost"], row["squared"]) for row in sums
    }
    matches = Match.objects.filter(pk__in=rows).order_by("-ended_at", "pk")
    return [(match, rows[match.pk]) for match in matches]


def _parts(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The last matches, with a third of all decisions (500 to `WINDOW`), and those before."""
    most = min(WINDOW, max(sum(sample.decisions for _, sample in rows) // 3, 500))
    counted = 0
    for number, (_, sample) in enumerate(rows):
        if counted >= most:
            return list(rows[:number]), list(rows[number:])
        counted += sample.decisions
    return list(rows), []


def _sum(rows: Sequence[Row]) -> Sample:
    return sum((sample for _, sample in rows), Sample())


def _alarm(
    person: User, now: Sequence[Row], last: Sample, before: Sample, judged: PlayJudgement
) -> None:
    """Open the player's case, or let the open one grow."""
    staked = [match for match, _ in now if match.stake_cents and match.ending != "voided"]
    matches = staked[:MATCHES_MOST]
    opponents = {player for match in matches for player in match.players} - {person.pk}
    is_new = person.date_joined > timezone.now() - NEW_FOR
    case_open(
        Alarm(
            kind=Kind.ENGINE,
            accused=frozenset({person.pk}),
            affected=frozenset(opponents),
            evidence=_evidence(last, before, judged),
            matches=matches,
            pausing=person.pk if is_new else None,
        )
    )


def _evidence(last: Sample, before: Sample, judged: PlayJudgement) -> list[dict[str, Any]]:
    play: dict[str, Any] = {"key": "play_pr", "here": last.pr, "odds": judged.odds}
    decisions: dict[str, Any] = {"key": "decisions", "here": last.decisions}
    if before.decisions:
        play["elsewhere"], decisions["elsewhere"] = before.pr, before.decisions
    found = [play, decisions]
    if judged.rule == "past":
        found.append({"key": "z", "here": judged.z})
    return found
