"""People of the security tests: players, staff, strangers."""

from typing import Any

import pytest

from tests.desk.conftest import _house, anna, at_desk, magriel, payout, staff

__all__ = ["_house", "anna", "at_desk", "magriel", "payout", "staff"]


@pytest.fixture
def english(client: Any) -> Any:
    """A stranger who reads English."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client
