"""The rule that keeps private matches off the pages of ratings."""

import re
from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.selectors import matches_hidden_from
from ratings import privacy

#: a match, or one game of a session (`Match.game_reference`), in the rating log.
_REFERENCE: Final = re.compile(r"match:(?P<match_id>[0-9a-f-]{36})(?::[1-9][0-9]*)?")


def private_references(reader: User | AnonymousUser, references: Collection[str]) -> set[str]:
    """References of matches that this reader may not see, and of anything that is no match."""
    ids = {reference: _match_id(reference) for reference in references}
    hidden = matches_hidden_from(reader, [each for each in ids.values() if each is not None])
    return {reference for reference, each in ids.items() if each is None or each in hidden}


def register() -> None:
    """Register this rule for the pages of ratings."""
    privacy.register(private_references)


def _match_id(reference: str) -> UUID | None:
    found = _REFERENCE.fullmatch(reference)
    try:
        return UUID(found["match_id"]) if found else None
    except ValueError:
        return None
