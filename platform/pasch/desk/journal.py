"""The journal: what administrators did, to what, before and after, and why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from kit.requests import SignedInRequest
from ledger.models import JournalEntry
from ledger.selectors_desk import journal as journal_entries
from pasch.desk.access import desk_page
from pasch.desk.house_words import FIELD_NAMES
from pasch.desk.money_words import LABELS

ROWS = 50
NUL = "\x00"


#: the values an action can change, by their names in the journal.
FIELDS: Mapping[str, str | Promise] = {
    "state": _("State"),
    "user": _("Player"),
    "amount_cents": _("Amount"),
    "ids": _("Vouchers"),
    "count": _("How many"),
    "expires_at": _("Valid until"),
    "revoked": _("Revoked"),
    "frozen": _("Frozen"),
    "stopped": _("Stopped"),
    "ending": _("Ending"),
    "winner_seat": _("Winner's seat"),
    "score": _("Score"),
    "game": _("Game"),
    "level": _("Level"),
    "cube": _("Doubling cube"),
    "paid_cents": _("Paid"),
    "rake_cents": _("Rake"),
    "stake_cents": _("Stake per player"),
    "alone_cents": _("Decided alone"),
    "proposal": _("Proposal"),
    "kind": _("Kind"),
    "outcome": _("Outcome"),
    "silent_until": _("Silent until"),
    "role": _("Role"),
    "superuser": _("Superuser"),
    "asked_role": _("Role asked for"),
    "asked_by": _("Asked for by"),
    "effective_from": _("In force from"),
    "number": _("Number"),
    "figures": _("Figures of the house"),
    **LABELS,
    **FIELD_NAMES,
    "content": _("Settings of the house"),
    "change": _("Change of the account"),
    "value": _("New value"),
    "name": _("Name"),
    "about": _("Description"),
    "address": _("Mail address"),
    "verified": _("Verified"),
    "factors": _("Second factors"),
    "bot": _("Bot"),
    "closed": _("Closed"),
}


@dataclass(frozen=True, slots=True)
class JournalDifference:
    """One thing an action changed, with its name in the journal and its name for people."""

    name: str
    label: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class JournalRow:
    """An entry with what it changed; `person` is set where its subject is one."""

    entry: JournalEntry
    person: User | None
    differences: list[JournalDifference]


@desk_page("ledger.view_journalentry")
@require_safe
def journal(request: SignedInRequest) -> HttpResponse:
    """List the journal, newest first; of one subject or one person if given."""
    subject = request.GET.get("subject", "").strip().replace(NUL, "")[:200]
    actor = request.GET.get("actor", "").strip().replace(NUL, "")[:150]
    actor_id = None
    if actor:
        person = User.objects.filter(username__iexact=actor).first()
        actor_id = person.pk if person else 0
    entries = journal_entries(subject=subject, actor_id=actor_id)
    page = Paginator(entries, ROWS).get_page(request.GET.get("page"))
    rows = journal_rows(list(page))
    context = {"page": page, "rows": rows, "subject": subject, "actor": actor}
    return render(request, "desk/journal.html", context)


def journal_rows(entries: list[JournalEntry]) -> list[JournalRow]:
    """Entries as people read them: with the names of the players they are about."""
    people = User.objects.in_bulk(set(_people_named(entries)))
    return [
        JournalRow(entry, people.get(_subject_id(entry)), differences(entry, people))
        for entry in entries
    ]


def differences(entry: JournalEntry, people: Mapping[int, User]) -> list[JournalDifference]:
    """The differences between before and after, by name, in the order of `after`."""

    def value(values: Mapping[str, Any], name: str) -> Any:
        known = people.get(values.get(name, 0)) if name == "user" else None
        return known.get_username() if known else values.get(name)

    names = dict.fromkeys((*entry.after, *entry.before))
    return [
        JournalDifference(
            name, str(FIELDS.get(name, name)), value(entry.before, name), value(entry.after, name)
        )
        for name in names
        if entry.before.get(name) != entry.after.get(name)
    ]


def _people_named(entries: Iterable[JournalEntry]) -> Iterator[int]:
    for entry in entries:
        yield _subject_id(entry)
        if isinstance(entry.after.get("user"), int):
            yield entry.after["user"]


def _subject_id(entry: JournalEntry) -> int:
    """The id of the person whom an entry is about; 0 if it is about something else."""
    kind, _colon, name = entry.subject.partition(":")
    return int(name) if kind in ("user", "player") and name.isdecimal() else 0
