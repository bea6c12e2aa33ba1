"""The names of a person in their files: each is asked about once, and gives matches their seats."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Count, F, QuerySet

from accounts.models import User
from analysis.models import ImportedMatch, NameInFiles

#: so many names are asked about at once.
ASKED_MOST: Final = 3


@dataclass(frozen=True, slots=True)
class NameAsked:
    """A name that may be the reader's: in how many matches of a source it stands."""

    name: str
    source: str
    matches: int


class KnownNames:
    """The names that a person has spoken about."""

    def __init__(self, person: User) -> None:
        """Read it once."""
        said = NameInFiles.objects.filter(person=person)
        self._is_mine = {(each.source, each.name): each.is_mine for each in said}

    def seat(self, source: str, names: tuple[str, str]) -> int | None:
        """Return the seat whose name is the person's; None if that is neither or both."""
        mine = [seat for seat in (0, 1) if self._is_mine.get((source, names[seat]))]
        return mine[0] if len(mine) == 1 else None

    def is_known(self, source: str, name: str) -> bool:
        """Return True if the person has said whether this is their name."""
        return (source, name) in self._is_mine


def names_asked(person: User) -> list[NameAsked]:
    """Return the most frequent names of matches without a seat, one of a source at a time."""
    known = KnownNames(person)
    found: Counter[tuple[str, str]] = Counter()
    unknown = ImportedMatch.objects.filter(person=person, seat=None)
    for seat in (0, 1):
        named = unknown.values("source", name=F(f"name_{seat}")).annotate(matches=Count("pk"))
        for row in named.order_by():
            if row["name"] and not known.is_known(row["source"], row["name"]):
                found[row["source"], row["name"]] += row["matches"]
    asked: dict[str, NameAsked] = {}
    for (source, name), matches in sorted(found.items(), key=lambda each: (-each[1], each[0])):
        asked.setdefault(source, NameAsked(name, source, matches))
    return list(asked.values())[:ASKED_MOST]


def names_said(person: User) -> QuerySet[NameInFiles]:
    """Return the names that this person has spoken about, those that are theirs first."""
    return NameInFiles.objects.filter(person=person).order_by("-is_mine", "name", "source")


@transaction.atomic
def name_say(person: User, source: str, name: str, *, is_mine: bool) -> None:
    """Note whether a name in files of a source is this person's; their seats follow."""
    NameInFiles.objects.update_or_create(
        person=person, source=source[:12], name=name[:80], defaults={"is_mine": is_mine}
    )
    seats_set(person, source[:12])


@transaction.atomic
def name_forget(person: User, source: str, name: str) -> None:
    """Take back what was said about a name; it is asked about again."""
    NameInFiles.objects.filter(person=person, source=source[:12], name=name[:80]).delete()
    seats_set(person, source[:12])


def seats_set(person: User, source: str) -> None:
    """Give each match of a source the seat that follows from the names."""
    known = KnownNames(person)
    changed = []
    for match in ImportedMatch.objects.filter(person=person, source=source):
        seat = known.seat(source, match.names)
        if seat != match.seat:
            match.seat = seat
            changed.append(match)
    ImportedMatch.objects.bulk_update(changed, ["seat"], batch_size=500)
