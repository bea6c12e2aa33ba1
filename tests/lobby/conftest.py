"""People who look for opponents."""

import pytest

from accounts.models import User
from tests.services.conftest import dice, hilde, magriel, sitting, tilo

__all__ = ["dice", "hilde", "magriel", "sitting", "tilo"]


@pytest.fixture
def ida(transactional_db: None) -> User:
    """A fourth person, much weaker than the others in the prize pool."""
    from ratings.models import Rating

    user = User.objects.create_user("ida")
    Rating.objects.create(user=user, pool="prize", elo=1200, experience=100, games=20)
    return user


def spend(user: User, cents: int) -> None:
    """Lock so many cents away in another match."""
    from uuid import uuid4

    from ledger.services import stakes_escrow

    other = User.objects.create_user(f"sink-{uuid4().hex[:8]}")
    stakes_escrow(reference=f"match:elsewhere-{uuid4()}", stakes={user.pk: cents, other.pk: 100})
