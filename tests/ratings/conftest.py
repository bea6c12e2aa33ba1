"""The players of the rating tests."""

import pytest
from django.contrib.auth import get_user_model


@pytest.fixture
def people(db):
    """Four players; a smaller index has a smaller id."""
    make = get_user_model().objects.create_user
    return [make(name) for name in ("magriel", "hilde", "tilo", "barbara")]
