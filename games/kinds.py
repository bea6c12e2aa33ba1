"""Kinds of tables: each declares itself once, in its own folder, and the site goes through all.

A kind is a `TableKind`, registered by the `ready()` of its app (docs/adding-a-kind-of-table.md).
Audits, obstacles to deleting an account, exports, erasure, figures and the desk name none of them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from django.utils.functional import Promise

from accounts.personal_data import PersonalData


class Registers(Protocol):
    """A check of the audit (`ledger.audit_rows`)."""

    def register(self) -> None:
        """Add it to the audit."""


class RunningFigure(NamedTuple):
    """How much of something runs now: a figure of the house, with one value for each label."""

    name: str
    about: str
    label: str
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKind:
    """All that the site has to know about a kind of table.

    `key` is the first part of its references in the books, in the journal and in rooms of talk.
    `subject` words one of them for the journal, `subject_page` is its page for administrators, and
    `room_page` the page on which people talk there.

    A person whom it `holds`, by their number, cannot delete their account: `holds_words` and
    `holds_page` say so to them, `holds_at_desk` to administrators.
    `figures` count what runs. `escrows` is a query that answers (`escrow_name`, whether it runs,
    what its escrow holds, what it should hold) for what runs or has just ended.
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
    escrow_name: str
    escrows: str
    rooms_sat_in: Callable[[int], list[str]] = lambda _user_id: []


_kinds: dict[str, TableKind] = {}


def kind_register(kind: TableKind) -> None:
    """Let the site know a kind of table, and the audit its checks; the same key replaces it."""
    _kinds[kind.key] = kind
    for check in kind.checks:
        check.register()


def kinds() -> tuple[TableKind, ...]:
    """All kinds of tables, as they were registered."""
    return tuple(_kinds.values())


def kind_of(key: str) -> TableKind | None:
    """The kind of this key."""
    return _kinds.get(key)


def by_label(rows: Any, label: str) -> dict[str, int]:
    """How many rows there are for each value of a column."""
    from django.db.models import Count

    found = rows.order_by(label).values_list(label).annotate(number=Count("pk"))
    return dict(found)
