"""Settings of the house for tests: sets a content of a part in this process and its database."""

from typing import Any

from house.history import change_store, part_number
from house.models import HouseChange
from house.parts import HousePart, content_of
from house.reader import house_read, house_use


def house_has(part: HousePart, **content: Any) -> HouseChange:
    """Change this part of the house, as the owner of the database can, and use it at once."""
    row = change_store(
        part,
        content_of(part, content),
        seen=part_number(part),
        reason="a test",
        changed_by_id=None,
    )
    house_use(house_read())
    return row
