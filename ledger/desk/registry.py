"""A registry of the pages of the desk, their places in the menu, what waits, and words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from typing import Any, Final, TypeVar

from django.db.models import QuerySet
from django.urls import URLPattern, reverse
from django.utils.functional import Promise

from accounts.models import User
from kit.plain_text import is_uuid
from ledger.models import Proposal

K = TypeVar("K")
V = TypeVar("V")
Text = str | Promise
Lines = list[tuple[Text, Text]]
"""Content in words: names and values."""

_ID_SHORT: Final = 8


class Group(StrEnum):
    """A group of the menu."""

    CREDITS = "credits"
    PLAYERS = "players"
    MATCHES = "matches"
    CONDUCT = "conduct"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class MenuPage:
    """A page in the menu: its group, its place there, and the right that it needs, if any."""

    group: Group
    place: int
    page: str
    label: Text
    right: str = ""


@dataclass(frozen=True, slots=True)
class Pile:
    """One kind of what waits: who may decide it, where it is, and the rows that a reader sees.

    `since` is the column with the time from which a row waits; `place` orders the piles.
    """

    place: int
    right: str
    words: Text
    page: str
    since: str
    rows: Callable[[User], QuerySet[Any]]


@dataclass(frozen=True, slots=True)
class ProposalWords:
    """One kind of decision for two people in words: its name, and what it would do."""

    title: Text
    lines: Callable[[Proposal], Lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskPart:
    """All that an app brings to the desk.

    `urls` is the module with its addresses. The journal is in words by `verbs` (what was done),
    `fields` (the name of a value), `values` (a value, with the name before it) and `subjects`: what
    an entry is about, by the first part of its reference (``payout:7``); the function gets the
    second, and answers with words and an address, or none. `origins` says where a player's credits
    came from, for templates/desk/origins.html; `need_a_remark` of its answer tells whether an
    approval needs one.
    """

    urls: str = ""
    menu: tuple[MenuPage, ...] = ()
    piles: tuple[Pile, ...] = ()
    verbs: Mapping[str, Text] = field(default_factory=dict)
    fields: Mapping[str, Text] = field(default_factory=dict)
    values: Mapping[tuple[str, str], Text] = field(default_factory=dict)
    subjects: Mapping[str, Callable[[str], tuple[Text, str]]] = field(default_factory=dict)
    proposals: Mapping[str, ProposalWords] = field(default_factory=dict)
    origins: Callable[[User], Any] | None = None

    def register(self) -> None:
        """Let the desk know this part; the `ready()` of its app does it."""
        _parts.append(self)


_parts: list[DeskPart] = []


def words_for(table: Callable[[DeskPart], Mapping[K, V]], key: K) -> V | None:
    """The entry for `key` in this table of the part that knows it; None where none does."""
    return next((table(part)[key] for part in _parts if key in table(part)), None)


def desk_urls() -> list[URLPattern]:
    """The addresses of all parts."""
    named = [part.urls for part in _parts if part.urls]
    return [pattern for name in named for pattern in import_module(name).urlpatterns]


def menu_of(group: str, reader: User) -> list[MenuPage]:
    """The pages of a group that this person may see."""
    pages = [page for part in _parts for page in part.menu if page.group == group]
    seen = (page for page in pages if not page.right or reader.has_perm(page.right))
    return sorted(seen, key=lambda page: page.place)


def piles_of(reader: User) -> list[Pile]:
    """The piles that this person may see."""
    piles = (pile for part in _parts for pile in part.piles if reader.has_perm(pile.right))
    return sorted(piles, key=lambda pile: pile.place)


def origins_of(player: User) -> Any:
    """Where this player's credits came from."""
    return next(part.origins(player) for part in _parts if part.origins)


def values_named(name: str, values: Mapping[str, Text]) -> dict[tuple[str, str], Text]:
    """The values of a field of the journal, as a part has them."""
    return {(name, value): words for value, words in values.items()}


def subject(
    text: Text, page: str = "", *, by_uuid: bool = False
) -> Callable[[str], tuple[Text, str]]:
    """The words for subjects with a number or a UUID; `page` is the address that takes it."""

    def words(name: str) -> tuple[str, str]:
        known = is_uuid(name) if by_uuid else name.isdecimal()
        said = str(text) % {"number": name, "id": name[:_ID_SHORT]}
        return said, reverse(page, args=[name]) if page and known else ""

    return words
