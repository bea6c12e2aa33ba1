"""Programs look through the open tables: by what they want, and page by page."""

from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from games.api import tables as api_of_tables
from tests.api.conftest import Program

pytestmark = pytest.mark.django_db

WISHES: tuple[dict[str, Any], ...] = (
    {"mode": "normal"},
    {"mode": "tavli", "target_points": 5},
    {"mode": "normal", "variant": "nackgammon"},
    {"mode": "prize5", "stake_cents": 500},
    {"mode": "prize3", "stake_cents": 250},
)


@pytest.fixture
def opened(db: None) -> list[str]:
    """Five tables, the oldest first."""
    found = []
    for number, wishes in enumerate(WISHES):
        answer = Program(User.objects.create_user(f"opener{number}")).post("tables/open/", wishes)
        assert answer.status_code == 201, answer.json()
        found.append(answer.json()["id"])
    return found


@pytest.fixture
def reader(db: None) -> Program:
    return Program(User.objects.create_user("hilde"))


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, [0, 1, 2, 3, 4]),
        ({"mode": "normal"}, [0, 2]),
        ({"variant": "nackgammon"}, [2]),
        ({"variant": "tavli"}, [1]),
        ({"stake_cents_most": 250}, [0, 1, 2, 4]),
        ({"stake_cents_most": 0, "variant": "backgammon"}, [0]),
    ],
)
def test_tables_are_found_by_what_they_are(reader, opened, asked, wanted):
    found = [table["id"] for table in reader.get("tables/", **asked).json()]
    assert found == [opened[number] for number in wanted]


def test_the_next_answer_follows_the_last_table(reader, opened, monkeypatch):
    monkeypatch.setattr(api_of_tables, "TABLES_MAX", 2)
    answers = [[table["id"] for table in reader.get("tables/").json()]]
    while answers[-1]:
        rows = reader.get("tables/", after=answers[-1][-1]).json()
        answers.append([table["id"] for table in rows])
    assert answers == [opened[:2], opened[2:4], opened[4:], []]


@pytest.mark.parametrize(
    ("asked", "status", "field"),
    [
        ({"mode": "chess"}, 400, "mode"),
        ({"stake_cents_most": -1}, 400, "stake_cents_most"),
        ({"after": "first"}, 400, "after"),
        ({"oldest": 1}, 400, "oldest"),
        ({"after": str(uuid4())}, 404, None),
    ],
)
def test_what_is_no_filter_is_named(reader, opened, asked, status, field):
    refused = reader.get("tables/", **asked)
    assert (refused.status_code, list(refused.json().get("fields", {}))) == (
        status,
        [field] if field else [],
    )
