"""The rule that keeps private matches off the pages of ratings."""

from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.selectors import matches_hidden_from
from ratings import privacy

PREFIX = "match:"


def private_references(reader: User | AnonymousUser, references: Collection[str]) -> set[str]:
    """References of matches that this reader may not see, and of anything that is no match."""
    ids = {reference: _match_id(reference) for reference in references}
    hidden = matches_hidden_from(reader, [each for each in ids.values() if each is not None])
    return {reference for reference, each in ids.items() if each is None or each in hidden}


def register() -> None:
    """Register this rule for the pages of ratings."""
    privacy.register(private_references)


def _match_id(reference: str) -> UUID | None:
    try:
        return UUID(reference.removeprefix(PREFIX)) if reference.startswith(PREFIX) else None
    except ValueError:
        return None
