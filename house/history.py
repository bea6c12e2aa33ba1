"""Changing the settings of the house: each change is one more row."""

from django.conf import settings
from django.db import transaction

from house.models import HouseChange
from house.parts import BY_TWO, Content, HousePart
from house.reader import house_changed
from kit.database import name_lock

_LOCK = "house changes"


class HouseByTwo(Exception):
    """In this house only two administrators can change this part, at the desk."""


class HouseStale(Exception):
    """The part has changed since the one who changes it has seen it."""


def change_newest(part: HousePart) -> HouseChange | None:
    """The newest change of a part, from the database."""
    return HouseChange.objects.filter(part=part).order_by("-number").first()


def part_number(part: HousePart) -> int:
    """The number of a part's newest change; 0 while it never changed."""
    row = change_newest(part)
    return row.number if row else 0


@transaction.atomic
def change_store(
    part: HousePart,
    content: Content,
    *,
    seen: int,
    reason: str,
    changed_by_id: int | None,
    confirmed_by_id: int | None = None,
    proposal_id: int | None = None,
) -> HouseChange:
    """Let a content count from now on, over the part's change number `seen`.

    Changes are made one after the other. Raises `HouseStale` where the part has another number.
    The database refuses rows of `BY_TWO` that no confirmed proposal decided, and rows without a
    person, unless its owner writes them.
    """
    name_lock(_LOCK)
    if part_number(part) != seen:
        raise HouseStale(f"{part} is at change {part_number(part)}, not {seen}")
    newest = HouseChange.objects.order_by("-number").values_list("number", flat=True).first()
    row = HouseChange.objects.create(
        number=(newest or 0) + 1,
        part=part,
        content=content,
        reason=reason,
        changed_by_id=changed_by_id,
        confirmed_by_id=confirmed_by_id,
        proposal_id=proposal_id,
    )
    transaction.on_commit(house_changed)
    return row


def change_set_at_server(part: HousePart, content: Content, *, reason: str) -> HouseChange:
    """Set a content without a person, for the operator of the server and its database.

    Raises `HouseByTwo` for what two administrators decide, unless the house has a single one.
    """
    if takes_two(part) and not settings.LEDGER_SINGLE_ADMINISTRATOR:
        raise HouseByTwo(f"two administrators change this at /desk/house/{part}/")
    seen = part_number(part)
    return change_store(part, content, seen=seen, reason=reason, changed_by_id=None)


def takes_two(part: HousePart) -> bool:
    """Whether a change of this part needs a second administrator."""
    return part in BY_TWO
