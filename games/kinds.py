"""Kinds of tables: each declares itself once, in its own folder, and the site goes through all.

A kind is a `TableKind`, registered by the `ready()` of its app (docs/adding-a-kind-of-table.md).
Sweeps, audits, obstacles to deleting an account, exports, erasure, figures and the desk name none
of them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple, Protocol
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Count, QuerySet
from django.utils.functional import Promise

from accounts.models import User
from games.services import answers, outages
from games.services.administration import Decidable, decide, decision_register
from games.services.challenges import challenges_due
from games.services.gains import GainKind
from games.table.errors import Busy
from games.wire.schema import frames_register
from kit.personal_data import PersonalData
from kit.sweeps import go_round, stuck_items


class Registers(Protocol):
    """A check of the audit (`ledger.audit_rows`), which may be one of transfers."""

    of_credits: ClassVar[bool]

    def register(self) -> None:
        """Add it to the audit."""


class RunningFigure(NamedTuple):
    """How much of something runs now: a figure of the house, with one value for each label."""

    name: str
    about: str
    label: str
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Credits:
    """The statements of a kind of table where credits move.

    `escrows` is a query that answers (`escrow_name`, whether it runs, what its escrow holds, what
    it should hold) for what runs or has just ended. By `gains` its results are screened; what was
    won cannot be paid out before.
    """

    escrow_name: str
    escrows: str
    gains: GainKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKind:
    """All that the site has to know about a kind of table.

    `key` is the first part of its references in the books, in the journal and in rooms of talk.
    `subject` words one of them for the journal, `subject_page` is its page for administrators, and
    `room_page` the page on which people talk there.

    A person whom it `holds`, by their number, cannot delete their account: `holds_words` and
    `holds_page` say so to them, `holds_at_desk` to administrators.
    `figures` count what runs; `credits` is None where none move. `void` opens what administrators
    can let count for nothing, by its key, and locks its table where that is wished.
    Time is one sweep for all (`clocks_sweep`): of the rows that are `due` it gives the keys to
    `move_on`, each a transaction of its own, and calls `keep` for what no row asks for. Whether
    somebody's time is over `games.services.outages.counts_since` says.
    People `waiting` without a game, by their numbers, who were not seen for `gone_seconds` have to
    `leave`.
    The answers to commands at what is `still_open` are not forgotten.
    `frames` are those of its own WebSocket in the schema of the protocol: what clients send, and
    what the server does, each as a union of types.
    `rooms_sat_in` names the rooms whose talk a moderator with this number may not judge.
    """

    key: str
    subject: str | Promise
    subject_page: str
    room_page: str = ""
    checks: tuple[Registers, ...] = ()
    holds: Callable[[int], bool]
    holds_words: str | Promise
    holds_page: str
    holds_at_desk: str | Promise
    personal_data: PersonalData
    figures: Callable[[], Iterable[RunningFigure]]
    credits: Credits | None
    void: Callable[[UUID, bool], Decidable] | None
    still_open: Callable[[], QuerySet[Any]]
    due: Callable[[], QuerySet[Any]]
    move_on: Callable[[Any], int | None]
    keep: Callable[[], object] = lambda: None
    keep_is_due: Callable[[], bool] = lambda: False
    waiting: Callable[[], QuerySet[Any, int]]
    gone_seconds: float = 60.0
    leave: Callable[[Collection[int]], int]
    rooms_sat_in: Callable[[int], list[str]] = lambda _user_id: []
    frames: tuple[Any, Any] | None = None


_kinds: dict[str, TableKind] = {}


def kind_register(kind: TableKind) -> None:
    """Let the site know a kind of table, and the audit its checks; the same key replaces it.

    Raises `ImproperlyConfigured` for one whose transfers are audited and that names no `credits`.
    """
    if kind.credits is None and any(each.of_credits for each in kind.checks):
        raise ImproperlyConfigured(f"{kind.key}: credits move, so it has to name its `credits`")
    _kinds[kind.key] = kind
    if kind.frames is not None:
        frames_register(kind.key, *kind.frames)
    if kind.void is not None:
        decision_register(f"{kind.key}.void", _proposed)
    for check in kind.checks:
        check.register()


def kinds() -> tuple[TableKind, ...]:
    """All kinds of tables, as they were registered."""
    return tuple(_kinds.values())


def kind_of(key: str) -> TableKind | None:
    """The kind of this key."""
    return _kinds.get(key)


def gains_of(key: str) -> GainKind:
    """The gains at tables of this kind. Raises `LookupError` where no credits move."""
    credits = _kinds[key].credits
    if credits is None:
        raise LookupError(f"no credits move at a {key}")
    return credits.gains


def by_label(rows: Any, label: str) -> dict[str, int]:
    """How many rows there are for each value of a column."""
    found = rows.order_by(label).values_list(label).annotate(number=Count("pk"))
    return dict(found)


# --- voiding ------------------------------------------------------------------------------------


def void_case(reference: str, lock: bool = False) -> Decidable:
    """Open the case of voiding what has this reference in the books.

    Raises `LookupError` for a kind of table at which nothing is voided.
    """
    key, _, row_key = reference.partition(":")
    case_open = _kinds[key].void
    if case_open is None:
        raise LookupError(f"nothing is voided at a {key}")
    return case_open(UUID(row_key), lock)


def _proposed(proposal: Any, lock: bool) -> Decidable:
    return void_case(proposal.subject, lock)


def table_void(
    *, reference: str, actor: User, reason: str, shown: str, verified_at: datetime | None = None
) -> int | None:
    """Let what has this reference count for nothing, as it was shown; answers as `decide` does."""
    opened = partial(void_case, reference, True)
    return decide(opened, actor=actor, reason=reason, shown=shown, verified_at=verified_at)


# --- time and presence --------------------------------------------------------------------------

#: of one kind a sweep takes so many rows at once.
AT_ONCE: Final = 100


def clocks_sweep() -> int:
    """Do what is due at all kinds of tables; return how many there were.

    An outage of the house is given back first. While commands of players fail somewhere, nothing is
    done: this silence is an outage. Safe to run anywhere, any number of times at once: each table
    is locked, and skipped if somebody else holds it.
    """
    if not outages.players_are_served():
        return 0
    outages.heartbeat(outages.SWEEP)
    outages.outages_credit()
    moved = sum(kind_move_on(kind.key) for kind in kinds())
    for kind in kinds():
        kind.keep()
    return moved


def clocks_are_due() -> bool:
    """Whether a sweep would find anything to do."""
    if outages.sweep_is_due():
        return True
    return any(kind.due().exists() or kind.keep_is_due() for kind in kinds())


def kind_move_on(key: str) -> int:
    """Do what is due at tables of this kind; return how many there were."""
    kind = _kinds[key]
    due = kind.due().exclude(pk__in=stuck_items(key)).values_list("pk", flat=True)
    return go_round(key, list(due[:AT_ONCE]), partial(_move_on, kind))


def _move_on(kind: TableKind, row_key: object) -> int:
    """Do what is due in one row; nothing while somebody else works on it."""
    try:
        return kind.move_on(row_key) or 0
    except Busy:
        return 0


def answers_forget() -> int:
    """Forget old answers to commands where nobody plays any more; return how many."""
    return answers.answers_forget(kind.still_open() for kind in kinds())


def somebody_waits() -> bool:
    """Whether a person waits for a game at a table, or a challenge is over."""
    return challenges_due().exists() or any(kind.waiting().exists() for kind in kinds())
