"""The tests empty the database: they delete all rows of a test, and none of the schema."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from accounts.models import User
from accounts.roles import Role, role_give
from ledger.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)


def flush() -> None:
    """As Django does after a test that commits."""
    call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


def house_rows() -> tuple[list[str], list[tuple[str, str]]]:
    pairs = Group.objects.order_by("name", "permissions__codename")
    codenames = Permission.objects.order_by("codename").values_list("codename", flat=True)
    return list(codenames), list(pairs.values_list("name", "permissions__codename"))


def test_people_and_credits_go_and_roles_stay() -> None:
    before = house_rows()
    role_give(User.objects.create_user("anna"), Role.ADMINISTRATOR)
    assert Entry.objects.exists(), "the guards of the books are to be passed over, too"
    flush()
    assert not User.objects.exists()
    assert not Entry.objects.exists()
    assert house_rows() == before
    assert len(before[1]) > 10


def test_roles_that_a_test_changed_are_made_anew() -> None:
    before = house_rows()
    Group.objects.get(name=Role.MODERATOR.value).permissions.clear()
    Group.objects.create(name="strangers")
    Permission.objects.first().delete()
    flush()
    assert house_rows() == before
