"""The journal: what administrators did, to what, before and after, and why."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page
from ledger.desk.registry import words_for
from ledger.models import JournalEntry
from ledger.selectors_desk import journal as journal_entries

ROWS = 50
NUL = "\x00"


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
            name,
            str(words_for(lambda part: part.fields, name) or name),
            value(entry.before, name),
            value(entry.after, name),
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
