"""Errors of matches as exercises: one's own, and those of other people that everybody may see."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from analysis.access import open_matches
from analysis.models import ErrorExercise, ImportedMatch
from analysis.sums import superseded
from backgammon.engines.house import ANALYSED
from games.models import Match


def own_errors(person: User) -> QuerySet[ErrorExercise]:
    """The errors of a person in their analysed matches, the latest first."""
    theirs = Q(seat=0, report__match__player_0=person) | Q(seat=1, report__match__player_1=person)
    brought = ImportedMatch.objects.filter(
        person=person, transcript=OuterRef("report__transcript"), seat=OuterRef("seat")
    )
    return _latest(ErrorExercise.objects.filter(theirs | Q(Exists(brought))))


def others_errors(reader: User | AnonymousUser) -> QuerySet[ErrorExercise]:
    """Errors of other people in matches whose analysis everybody may see, the latest first.

    Whoever plays against the reader at this moment is left out, and so are deleted accounts.
    """
    matches = open_matches().filter(player_0__is_active=True, player_1__is_active=True)
    if reader.pk is not None:
        away = [reader.pk, *_opponents_now(reader.pk)]
        matches = matches.exclude(player_0__in=away).exclude(player_1__in=away)
    return _latest(ErrorExercise.objects.filter(report__match__in=matches))


def _latest(found: QuerySet[ErrorExercise]) -> QuerySet[ErrorExercise]:
    """The errors of the newest report of each match."""
    analysed = Q(report__match__variant__in=ANALYSED) | Q(report__transcript__variant__in=ANALYSED)
    known = found.filter(analysed, ~Q(superseded()))
    subjects = ("decision__report__match__table", "decision__report__transcript")
    return known.select_related(*subjects).order_by("-decision")


def _opponents_now(person_id: int) -> set[int]:
    running = Match.objects.filter(ended_at__isnull=True)
    theirs: Any = running.filter(Q(player_0=person_id) | Q(player_1=person_id))
    return {each for pair in theirs.values_list("player_0", "player_1") for each in pair} - {
        person_id
    }
