"""The procedure of a case: its states, its deadlines, and what two opinions add up to. Pure.

A case opens with an alarm, with reports of players or by a moderator. Two reviewers give their
opinions without seeing each other's; the milder one counts. The player may appeal once, and a third
person hears the appeal. Every waiting ends by itself, always in the player's favour, except that
a decision without an appeal becomes final.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

HOLD: Final = timedelta(hours=72)
"""How long credits are held, and a pair is kept apart, before anybody has decided."""

QUEUE: Final = timedelta(days=14)
"""A case that nobody has decided by then lapses."""

APPEAL: Final = timedelta(days=7)
"""How long a player can appeal after the decision."""

HEARING: Final = timedelta(days=7)
"""An appeal that nobody has heard by then is granted."""

OPINIONS: Final = 2
"""So many opinions make a decision."""


class CaseState(StrEnum):
    """Where a case stands."""

    OPEN = "open"
    DECIDED = "decided"
    APPEALED = "appealed"
    CONFIRMED = "confirmed"
    CLEARED = "cleared"
    LAPSED = "lapsed"


NEXT: Final[dict[CaseState, frozenset[CaseState]]] = {
    CaseState.OPEN: frozenset({CaseState.DECIDED, CaseState.CLEARED, CaseState.LAPSED}),
    CaseState.DECIDED: frozenset({CaseState.APPEALED, CaseState.CONFIRMED}),
    CaseState.APPEALED: frozenset({CaseState.CONFIRMED, CaseState.CLEARED}),
    CaseState.CONFIRMED: frozenset(),
    CaseState.CLEARED: frozenset(),
    CaseState.LAPSED: frozenset(),
}
"""Which state may follow which. `fairplay/migrations/sql/cases.sql` repeats it."""

OVER: Final = frozenset({CaseState.CONFIRMED, CaseState.CLEARED, CaseState.LAPSED})


class Sanction(StrEnum):
    """The consequence of a decision for the player, from nothing to the strictest."""

    NONE = "none"
    WARNING = "warning"
    NO_STAKES = "no_stakes"
    NO_RATED = "no_rated"
    CLOSED = "closed"


STRICTNESS: Final = tuple(Sanction)

LASTS: Final[dict[Sanction, timedelta | None]] = {
    Sanction.NONE: timedelta(),
    Sanction.WARNING: timedelta(),
    Sanction.NO_STAKES: timedelta(days=90),
    Sanction.NO_RATED: timedelta(days=90),
    Sanction.CLOSED: None,
}
"""How long each sanction lasts; None is until it is lifted."""


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """A sanction, and whether the matches of the case are taken back."""

    sanction: Sanction
    refund: bool = False

    @property
    def clears(self) -> bool:
        """Whether the case found nothing."""
        return self.sanction is Sanction.NONE


def combined(verdicts: Sequence[CaseVerdict]) -> CaseVerdict:
    """The verdict of several opinions: the mildest sanction, and refunds only if all want them.

    Raises ValueError without any.
    """
    if not verdicts:
        raise ValueError("a decision needs an opinion")
    sanction = min((each.sanction for each in verdicts), key=STRICTNESS.index)
    refund = sanction is not Sanction.NONE and all(each.refund for each in verdicts)
    return CaseVerdict(sanction, refund)


def heard(decided: CaseVerdict, appeal: CaseVerdict) -> CaseVerdict:
    """The verdict after an appeal: the third person can keep it or make it milder."""
    return combined((decided, appeal))


def decided_state(verdict: CaseVerdict) -> CaseState:
    """The state after two opinions."""
    return CaseState.CLEARED if verdict.clears else CaseState.DECIDED


def heard_state(verdict: CaseVerdict) -> CaseState:
    """The state after an appeal was heard."""
    return CaseState.CLEARED if verdict.clears else CaseState.CONFIRMED


def timed_out(state: CaseState, deadline: datetime | None, now: datetime) -> CaseState | None:
    """The state that follows because nobody did anything until the deadline; None before it."""
    if deadline is None or now < deadline:
        return None
    return {
        CaseState.OPEN: CaseState.LAPSED,
        CaseState.DECIDED: CaseState.CONFIRMED,
        CaseState.APPEALED: CaseState.CLEARED,
    }.get(state)


def deadline_of(state: CaseState, now: datetime) -> datetime | None:
    """When a state that begins now ends by itself; None for a closed case."""
    waits = {CaseState.OPEN: QUEUE, CaseState.DECIDED: APPEAL, CaseState.APPEALED: HEARING}
    return now + waits[state] if state in waits else None
