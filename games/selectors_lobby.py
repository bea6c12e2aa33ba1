"""The tables that wait for an opponent: which of them fit, how many there are, a page of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Count, IntegerField, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast
from msgspec.json import decode

from games.models import Table
from games.modes.terms import Terms
from kit.paging import Order, id_column, moment_column

OPEN: Final = Order((moment_column("created_at"), id_column("id")), rises=True)
"""The order of the open tables: the one that has waited longest comes first."""

NEAR: Final = 1
"""As many groups of strength apart are near."""

TERMS_TEXT: Final = KeyTextTransform("terms", "state")
"""The terms of a table, for `terms_read`."""


WITHOUT_STAND_IN: Final = Q(stand_in__isnull=True)
"""The condition for a table whose opener does nothing but wait; nobody else is sat down with."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A search among the open tables; a value that is left out finds all.

    `strengths` are the reader's own, by game and whether it is for credits; openers are found who
    are near to it. A guest, who has no strength, is near to nobody.
    """

    mode: str = ""
    variant: str = ""
    stake_cents_most: int | None = None
    strengths: Mapping[tuple[str, bool], int] | None = None

    @property
    def fits(self) -> Q:
        """The condition for a table."""
        found = Q()
        if self.mode:
            found &= Q(mode=self.mode)
        if self.variant:
            found &= Q(variant=self.variant)
        if self.stake_cents_most is not None:
            found &= Q(stake_cents__lte=self.stake_cents_most)
        if self.strengths is not None:
            found &= _near(self.strengths)
        return found


def _near(strengths: Mapping[tuple[str, bool], int]) -> Q:
    games: dict[int, dict[bool, list[str]]] = defaultdict(lambda: {False: [], True: []})
    for (game, for_credits), strength in strengths.items():
        games[strength][for_credits].append(game)
    found = Q(pk__in=[])
    for strength, those in games.items():
        found |= Q(opener_strength__range=(strength - NEAR, strength + NEAR)) & (
            Q(stake_cents=0, variant__in=those[False])
            | Q(stake_cents__gt=0, variant__in=those[True])
        )
    return found


def terms_read(text: str) -> Terms:
    """The terms that the database holds as text."""
    return decode(text, type=Terms)


def tables_open() -> QuerySet[Table]:
    """Tables that wait for an opponent, oldest first, without private ones."""
    waiting = Table.objects.filter(phase="open", code__isnull=True)
    return waiting.select_related("opener").order_by("created_at", "pk")


def tables_open_count(variant: str) -> int:
    """How many listed tables of this variant wait for an opponent."""
    return tables_open().filter(WITHOUT_STAND_IN, variant=variant).count()


def tables_sought(sought: Sought, *, own_of: int | None = None) -> QuerySet[Table]:
    """The open tables that fit, and the one that `own_of` opened whether it fits or not."""
    return _described(own_of).filter(_wanted(sought, own_of))


def tables_counted(sought: Sought, *, own_of: int | None = None) -> tuple[int, int]:
    """How many open tables `tables_sought` finds, and how many it leaves out."""
    fit = Count("pk", filter=_wanted(sought, own_of) or None)
    counts = _described(own_of).aggregate(fit=fit, all=Count("pk"))
    return counts["fit"], counts["all"] - counts["fit"]


def terms_of(tables: QuerySet[Table]) -> Iterator[tuple[UUID, Terms]]:
    """These tables by id, each with its terms, which are read without the rest of the state."""
    for table_id, text in tables.values_list("pk", TERMS_TEXT):
        yield table_id, terms_read(text)


def terms_of_open() -> dict[Terms, int]:
    """How many open tables wait on each terms."""
    rows = tables_open().order_by().values_list(TERMS_TEXT).annotate(Count("pk"))
    return {terms_read(text): number for text, number in rows}


def terms_opened_by(user_id: int | None) -> Terms | None:
    """The terms of the listed table at which this person waits; None without one."""
    own = tables_open().filter(opener=user_id) if user_id is not None else Table.objects.none()
    return next((terms for _id, terms in terms_of(own)), None)


def _described(own_of: int | None) -> QuerySet[Table]:
    """Open tables with the strength that their openers had when they opened; None of a guest.

    One whose opener plays the house bot meanwhile is listed for its opener alone.
    """
    strength = KeyTextTransform("strength", KeyTransform("0", "people"))
    listed = WITHOUT_STAND_IN | Q(opener=own_of) if own_of is not None else WITHOUT_STAND_IN
    return tables_open().filter(listed).annotate(opener_strength=Cast(strength, IntegerField()))


def _wanted(sought: Sought, own_of: int | None) -> Q:
    """The condition for `tables_sought`; an empty one lets everything through."""
    fits = sought.fits
    return fits | Q(opener=own_of) if fits and own_of is not None else fits
