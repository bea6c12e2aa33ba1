"""People in the lobby who look for opponents."""

import pytest
from django.test import Client

from accounts.models import User
from harness.logins import logged_in


@pytest.fixture
def ida(transactional_db: None) -> User:
    """A fourth person, much weaker than the others in the prize pool."""
    from ratings.models import Rating

    user = User.objects.create_user("ida")
    Rating.objects.create(user=user, pool="prize", elo=1200, experience=100, games=20)
    return user


@pytest.fixture
def at(magriel, hilde, tilo, ida):
    """`at("hilde")` is her browser."""

    def browser(name: str) -> Client:
        client = Client(headers={"accept-language": "en"})
        return logged_in(client, User.objects.get(username=name))

    return browser
