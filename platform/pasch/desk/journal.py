"""The journal: what administrators did, to what, before and after, and why."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from ledger.models import JournalEntry
from ledger.selectors_desk import journal as journal_entries
from pasch.desk.access import desk_page

ROWS = 50
NUL = "\x00"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing an action changed; `before` is None where it had no value."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class JournalRow:
    """An entry with what it changed, one difference a line."""

    entry: JournalEntry
    differences: list[Difference]


@desk_page("ledger.view_journalentry")
@require_safe
def journal(request: HttpRequest) -> HttpResponse:
    """List the journal, the newest first; of one subject or one person where asked for."""
    subject = request.GET.get("subject", "").strip().replace(NUL, "")[:200]
    actor = request.GET.get("actor", "").strip().replace(NUL, "")[:150]
    actor_id = None
    if actor:
        person = User.objects.filter(username__iexact=actor).first()
        actor_id = person.pk if person else 0
    entries = journal_entries(subject=subject, actor_id=actor_id)
    page = Paginator(entries, ROWS).get_page(request.GET.get("page"))
    rows = [JournalRow(entry, differences(entry)) for entry in page]
    context = {"page": page, "rows": rows, "subject": subject, "actor": actor}
    return render(request, "desk/journal.html", context)


def differences(entry: JournalEntry) -> list[Difference]:
    """What differs between before and after, by name, in the order of `after`."""
    names = dict.fromkeys((*entry.after, *entry.before))
    return [
        Difference(name, entry.before.get(name), entry.after.get(name))
        for name in names
        if entry.before.get(name) != entry.after.get(name)
    ]
