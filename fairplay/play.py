"""Screening for help of an engine: from full analyses, hourly, for those with new ones.

A machine opens a case and asks. It holds nothing, and only new accounts pause games for credits
meanwhile; about everybody else people decide.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, Sum
from django.utils import timezone

from accounts.models import User
from analysis.models import DecisionRow, Report
from fairplay.cases import Alarm, case_open
from fairplay.facts import habits
from fairplay.models import Case, CaseKind, PartyRole
from fairplay.signals.play import EXACT, Habits, PlayerFound, PlayJudgement, Sample, judged_player
from games.models import Match
from games.selectors import between_people
from kit.sweeps import go_round, stuck_items

LOOKS_BACK: Final = timedelta(hours=2)
NEW_FOR: Final = timedelta(days=30)
"""Accounts younger than this pause games for credits while their case waits."""

SWEEP: Final = "play"

MATCHES_READ: Final = 200
"""So many of the last analysed matches are read."""

MATCHES_MOST: Final = 40
"""So many staked matches a case has at most."""

Row = tuple[Match, Sample]


def players_check() -> int:
    """Check everybody with a full analysis of the last hours; return how many people."""
    since = timezone.now() - LOOKS_BACK
    lately = Report.objects.filter(between_people("match"), depth="full", made_at__gt=since)
    pairs = lately.values_list("match__player_0", "match__player_1")
    people = {player for pair in pairs for player in pair}
    found = User.objects.filter(pk__in=people, is_bot=False, is_active=True).order_by("pk")
    waiting = found.exclude(pk__in=stuck_items(SWEEP))
    return go_round(SWEEP, list(waiting), lambda person: 1 if player_check(person) else 0)


def player_check(person: User) -> PlayJudgement:
    """Judge a player's last decisions, and open a case if a rule alarms."""
    rows = _rows(person.pk, _begin(person.pk))
    found = judged_player([sample for _, sample in rows])
    if found.judged.rule and settings.FAIRPLAY_ACTS:
        _alarm(person, [match for match, _ in rows], found)
    return found.judged


def _begin(user_id: int) -> datetime | None:
    """When people last decided about this player's play: earlier matches are not judged again."""
    over = Case.objects.filter(
        kind=CaseKind.ENGINE,
        closed_at__isnull=False,
        parties__user=user_id,
        parties__role=PartyRole.ACCUSED,
    )
    return over.order_by("-closed_at").values_list("closed_at", flat=True).first()


def _rows(user_id: int, begin: datetime | None) -> list[Row]:
    """Return the player's last analysed matches against people, newest first, with their samples.

    If several versions of the engine have analysed a match, the last analysis counts.
    """
    full = Report.objects.filter(match=OuterRef("pk"), depth="full")
    theirs = Q(player_0=user_id) | Q(player_1=user_id)
    found = Match.objects.filter(theirs, between_people(), Exists(full))
    if begin is not None:
        found = found.filter(ended_at__gt=begin)
    matches = list(found.order_by("-ended_at", "pk")[:MATCHES_READ])
    samples = _samples(user_id, matches)
    return [(match, samples[match.pk]) for match in matches if match.pk in samples]


def _samples(user_id: int, matches: Sequence[Match]) -> dict[Any, Sample]:
    """The player's counted decisions in each of these matches."""
    last = Report.objects.filter(match__in=matches, depth="full")
    reports = last.order_by("match", "-made_at", "-pk").distinct("match")
    sums = (
        DecisionRow.objects.filter(
            Q(report__match__player_0=user_id, seat=0) | Q(report__match__player_1=user_id, seat=1),
            report__in=[report.pk for report in reports],
            counted=True,
            loss__isnull=False,
        )
        .values("report__match")
        .annotate(
            decisions=Count("pk"),
            lost=Sum("loss"),
            exact=Count("pk", filter=Q(loss__lt=EXACT)),
        )
    )
    return {
        row["report__match"]: Sample(row["decisions"], row["lost"], row["exact"]) for row in sums
    }


def _alarm(person: User, analysed: Sequence[Match], found: PlayerFound) -> None:
    """Open the player's case, or let the open one grow; `analysed` is newest first."""
    judged, past = analysed[: found.matches], analysed[found.matches :]
    staked = [match for match in judged if match.stake_cents and match.ending != "voided"]
    matches = staked[:MATCHES_MOST]
    opponents = {player for match in matches for player in match.players} - {person.pk}
    is_new = person.date_joined > timezone.now() - NEW_FOR
    case_open(
        Alarm(
            kind=CaseKind.ENGINE,
            accused=frozenset({person.pk}),
            affected=frozenset(opponents),
            evidence=[
                *_evidence(found.last, found.before, found.judged),
                *_habits(habits(person.pk, judged), habits(person.pk, past)),
            ],
            matches=matches,
            pausing=person.pk if is_new else None,
        )
    )


def _evidence(last: Sample, before: Sample, judged: PlayJudgement) -> list[dict[str, Any]]:
    """The figures that were judged; how rare it is stands with the one that raised the alarm."""
    play: dict[str, Any] = {"key": "play_pr", "here": last.pr}
    decisions: dict[str, Any] = {"key": "decisions", "here": last.decisions}
    if before.decisions:
        play["elsewhere"], decisions["elsewhere"] = before.pr, before.decisions
    found = [play, decisions]
    if judged.rule != "past":
        play["odds"] = judged.odds
        return found
    exact = {"key": "exact", "here": last.exact_share, "elsewhere": before.exact_share}
    return [*found, {**exact, "odds": judged.odds}, {"key": "z", "here": judged.z}]


def _habits(here: Habits, before: Habits) -> list[dict[str, Any]]:
    """How the player decides, beside how they did before; what is unknown is left out."""
    found = []
    for key in ("hard", "easy", "hard_seconds", "easy_seconds"):
        if (now := getattr(here, key)) is not None:
            fact: dict[str, Any] = {"key": key, "here": now}
            if (then := getattr(before, key)) is not None:
                fact["elsewhere"] = then
            found.append(fact)
    return found
