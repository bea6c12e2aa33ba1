"""Gains: every way in which credits go from people to people is a kind, and one rule holds for all.

A kind knows which of its results have ended, what everybody gained or lost by one, and who gave it
to whom. Each app registers its own; screening and clearance know no others.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from fairplay.models import Screening, ScreeningStage
from games.models import Match

EARLY: Final = timedelta(minutes=2)
QUICK: Final = timedelta(minutes=1)
"""A double that is dropped within it, or games of a session that take no longer, are early, too."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Credits that went from one player to another; `early` if the giver gave up quickly."""

    giver_id: int
    taker_id: int
    cents: int
    early: bool = False


@dataclass(frozen=True, slots=True)
class BookedResult:
    """A result in the books: what each player staked and gained, and what went from whom to whom.

    `matches` are those whose analysis tells something about it.
    """

    reference: str
    ended_at: datetime
    stakes_cents: Mapping[int, int]
    nets_cents: Mapping[int, int]
    passages: tuple[Passage, ...] = ()
    matches: tuple[Match, ...] = ()

    @property
    def gains_cents(self) -> dict[int, int]:
        """The gains of the winners."""
        return {user_id: cents for user_id, cents in self.nets_cents.items() if cents > 0}

    def taken_cents(self, passages: Iterable[Passage]) -> int:
        """The credits that these passages brought one player, no more than the gain."""
        found = list(passages)
        gained = self.nets_cents[found[0].taker_id] if found else 0
        return min(sum(each.cents for each in found), max(gained, 0))


@dataclass(frozen=True, slots=True)
class GainKind:
    """One way in which credits change hands; its results are `<prefix>:<key>` in the books.

    `ended` has what ended with stakes since a time, in rows with `ended_at`; `analysed` narrows it
    to those with a full report of every match. `read` and `of_person` (up to a time) make results
    of them. `told` is called once all gains of a result are clear.
    """

    prefix: str
    ended: Callable[[datetime], QuerySet[Any]]
    analysed: Callable[[QuerySet[Any]], QuerySet[Any]]
    read: Callable[[Any], BookedResult]
    of_person: Callable[[int, datetime, datetime], list[BookedResult]]
    told: Callable[[Any], None] = lambda _key: None

    def unscreened(self, stage: ScreeningStage, since: datetime) -> QuerySet[Any]:
        """The results to be screened at this stage, the oldest first."""
        found = self.ended(since).filter(~Exists(self._screened(stage)))
        if stage == ScreeningStage.ANALYSED:
            found = self.analysed(found.filter(Exists(self._screened(ScreeningStage.KNOWN))))
        return found.order_by("ended_at", "pk")

    def _screened(self, stage: ScreeningStage) -> QuerySet[Screening]:
        key = Cast(OuterRef("pk"), CharField())
        return Screening.objects.filter(
            stage=stage, reference=Concat(Value(f"{self.prefix}:"), key, output_field=CharField())
        )


_KINDS: Final[dict[str, GainKind]] = {}


def gains_register(kind: GainKind) -> None:
    """Let results of this kind be screened and cleared."""
    _KINDS[kind.prefix] = kind


def kinds() -> list[GainKind]:
    """Every registered kind."""
    return list(_KINDS.values())


def kind_of(reference: str) -> GainKind:
    """The kind of a result by its name in the books. Raises `LookupError` for none."""
    return _KINDS[reference.partition(":")[0]]


def results_of(user_id: int, since: datetime, until: datetime) -> list[BookedResult]:
    """The results of a player in this time, of all kinds, the oldest first."""
    found = [result for kind in kinds() for result in kind.of_person(user_id, since, until)]
    return sorted(found, key=lambda result: (result.ended_at, result.reference))
