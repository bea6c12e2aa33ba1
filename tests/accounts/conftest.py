"""People for the account tests."""

import pytest
from django.contrib.auth import get_user_model

PASSWORD = "a-long-password-nobody-uses"


@pytest.fixture
def magriel(db):
    return get_user_model().objects.create_user("magriel", "magriel@example.org", PASSWORD)


@pytest.fixture
def admin_person(db):
    return get_user_model().objects.create_user("hilde", password=PASSWORD, is_staff=True)
