"""Reading for the desk: the queue of cases, and how reviewers judge."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import Avg, Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from analysis.models import DecisionRow
from fairplay import settlement
from fairplay.facts import moved_cents
from fairplay.models import Case, CaseMatch, Opinion, Party, PartyRole
from fairplay.procedure import OPINIONS, OVER, CaseState

WORST_MOST: Final = 3


def cases_of_others(reader: User) -> QuerySet[Case]:
    """The cases that this person may read as reviewers do: those that they are not in."""
    return Case.objects.exclude(pk__in=Party.objects.filter(user=reader).values("case_id"))


def cases_waiting(found: QuerySet[Case]) -> QuerySet[Case]:
    """Those of these cases that wait for an opinion, by priority, then by deadline."""
    return _shown(
        found.filter(state__in=[CaseState.OPEN, CaseState.APPEALED]).order_by(
            "-priority", "waits_until", "pk"
        )
    )


def cases_listed(state: str, reader: User) -> QuerySet[Case]:
    """The cases of a list: waiting, with an opinion of the reader's, decided, or all.

    Without those that the reader is in: they read these as players do.
    """
    others = cases_of_others(reader)
    if state == "waiting":
        return cases_waiting(others)
    found = others.order_by("-opened_at", "-pk")
    if state == "mine":
        found = found.filter(opinions__reviewer=reader)
    elif state == "decided":
        found = found.exclude(state__in=[CaseState.OPEN, CaseState.APPEALED])
    return _shown(found)


def _shown(found: QuerySet[Case]) -> QuerySet[Case]:
    counted = Count("opinions", filter=Q(opinions__number__gt=0), distinct=True)
    return found.annotate(given=counted).prefetch_related("parties__user")


def refunds_open(case: Case) -> int:
    """How many matches of a confirmed case are still to be taken back."""
    if case.state != CaseState.CONFIRMED or not case.refund:
        return 0
    return case.matches.filter(refunded_at=None).count()


@dataclass(frozen=True, slots=True)
class Reviewer:
    """How a person has judged: opinions, days until they gave them, and what others thought.

    `agreed` of `paired` first opinions named the same sanction; `overturned` of `appealed` cases
    were made milder by the third person.
    """

    person: User
    opinions: int
    wait: timedelta | None
    agreed: int
    paired: int
    overturned: int
    appealed: int

    @property
    def hours(self) -> float:
        """The average time until an opinion was given, in hours."""
        return 0.0 if self.wait is None else self.wait.total_seconds() / 3600


def reviewers() -> list[Reviewer]:
    """Everybody who has given an opinion, the busiest first."""
    other = Opinion.objects.filter(
        case=OuterRef("case"), number__in=range(1, OPINIONS + 1)
    ).exclude(reviewer=OuterRef("reviewer"))
    same = other.filter(sanction=OuterRef("sanction"))
    first = Opinion.objects.filter(number__in=range(1, OPINIONS + 1))
    paired = _count(first.filter(Exists(other)))
    agreed = _count(first.filter(Exists(same)))
    appealed = _count(first.filter(case__appealed=True, case__state__in=[*OVER]))
    milder = Q(case__state=CaseState.CLEARED) | ~Q(case__sanction=F("sanction"))
    overturned = _count(first.filter(milder, case__appealed=True, case__state__in=[*OVER]))
    rows = (
        Opinion.objects.values("reviewer")
        .annotate(number_given=Count("pk"), wait=Avg(F("made_at") - F("case__opened_at")))
        .order_by("-number_given", "reviewer")
    )
    people = User.objects.in_bulk([row["reviewer"] for row in rows])
    return [
        Reviewer(
            people[row["reviewer"]],
            row["number_given"],
            row["wait"],
            agreed.get(row["reviewer"], 0),
            paired.get(row["reviewer"], 0),
            overturned.get(row["reviewer"], 0),
            appealed.get(row["reviewer"], 0),
        )
        for row in rows
    ]


def _count(found: QuerySet[Opinion]) -> dict[int, int]:
    rows = found.values("reviewer").annotate(found=Count("pk", distinct=True))
    return {row["reviewer"]: row["found"] for row in rows}


def worst_decisions(case: Case) -> list[DecisionRow]:
    """The costliest decisions of those under suspicion in the matches of a case, for the reviewers.

    They come from the full reports, so a match that was not analysed adds none.
    """
    accused = set(case.parties.filter(role=PartyRole.ACCUSED).values_list("user_id", flat=True))
    matches = [row.match for row in case.matches.select_related("match")]
    theirs = Q(pk=None)
    for match in matches:
        for seat, player in enumerate(match.players):
            if player in accused:
                theirs |= Q(report__match=match, seat=seat)
    found = DecisionRow.objects.filter(theirs, counted=True, report__depth="full")
    return list(found.select_related("report").order_by("-loss", "pk")[:WORST_MOST])


def for_them(case: Case) -> list[dict[str, Any]]:
    """How earlier cases about those under suspicion ended."""
    found = []
    for party in case.parties.filter(role=PartyRole.ACCUSED).select_related("user"):
        earlier = Party.objects.filter(user=party.user, role=PartyRole.ACCUSED).exclude(case=case)
        found.append(
            {
                "person": party.user,
                "confirmed": earlier.filter(case__state=CaseState.CONFIRMED).count(),
                "cleared": earlier.filter(
                    case__state__in=[CaseState.CLEARED, CaseState.LAPSED]
                ).count(),
            }
        )
    return found


def lost_back_cents(case: Case) -> int:
    """How much goes back to those who lost it if all matches of a case are taken back."""
    rows = CaseMatch.objects.filter(case=case, refunded_at=None).select_related("match")
    return sum(
        max(-moved_cents(row.match, player), 0) for row in rows for player in row.match.players
    )


def shortages(case: Case) -> list[tuple[User, int]]:
    """Those who have spent what they would give back, each with how much is missing, in cents.

    The house has to give them so much by an adjustment before their matches can be taken back.
    """
    rows = CaseMatch.objects.filter(case=case, refunded_at=None).select_related("match")
    back_cents: Counter[int] = Counter()
    for row in rows:
        for player in row.match.players:
            back_cents[player] += moved_cents(row.match, player)
    people = User.objects.in_bulk(back_cents)
    missing = {
        player: cents - settlement.wallet_balance(player)
        for player, cents in back_cents.items()
        if cents > 0
    }
    return [(people[player], cents) for player, cents in missing.items() if cents > 0]
