"""Reading for a player's own page: their cases, pauses, record and reports."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from fairplay.ladder import LeaverRecord
from fairplay.leavers import record_now
from fairplay.models import Case, Complaint, PartyRole, Pause
from fairplay.procedure import CaseState
from games.models import Bar
from games.services.bars import bars_of


@dataclass(frozen=True, slots=True)
class Mine:
    """Everything that fair play says about a player, for the player."""

    cases: list[Case]
    bars: list[Bar]
    record: LeaverRecord
    pause: Pause | None
    complaints: list[Complaint]


def mine(person: User) -> Mine:
    """Everything that concerns this player now, and their cases and reports of all times."""
    pause = (
        Pause.objects.filter(user=person, ends_at__gt=timezone.now()).order_by("-ends_at").first()
    )
    made = Complaint.objects.filter(reporter=person).select_related("accused", "match")
    return Mine(
        cases=list(cases_of(person)),
        bars=bars_of(person.pk),
        record=record_now(person.pk),
        pause=pause,
        complaints=list(made.order_by("-made_at", "-pk")[:50]),
    )


def cases_of(person: User) -> QuerySet[Case]:
    """The cases that this person may see, newest first.

    Those affected see a case once it is confirmed: before, it is a suspicion about somebody else.
    """
    accused = Q(parties__role=PartyRole.ACCUSED) | Q(state=CaseState.CONFIRMED)
    found = Case.objects.filter(accused, parties__user=person)
    return found.distinct().order_by("-opened_at", "-pk")


def role_in(case: Case, person: User) -> PartyRole | None:
    """The role of this person in a case; None for everybody who is not in it."""
    party = case.parties.filter(user=person).first()
    return None if party is None else PartyRole(party.role)
