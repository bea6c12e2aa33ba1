"""The people of the attacks: staff with a second factor, and a player with credits."""

from tests.desk.conftest import _house, anna, at_desk, bert, magriel, payout, staff
from tests.security.conftest import tables_digest

__all__ = ["_house", "anna", "at_desk", "bert", "magriel", "payout", "staff", "tables_digest"]
