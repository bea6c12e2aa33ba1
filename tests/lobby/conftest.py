"""People in the lobby who look for opponents."""

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
