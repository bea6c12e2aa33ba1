"""Roles are groups with exactly the rights of the table of roles."""

import pytest
from django.contrib.auth.models import Group

from accounts.models import User
from accounts.roles import RIGHTS, Role, role_give, role_of, role_take, roles_make

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("role", list(Role))
def test_every_right_of_a_role_exists_and_is_given(role):
    user = User.objects.create_user("anna")
    role_give(user, role)
    user = User.objects.get(pk=user.pk)
    assert [right for right in RIGHTS[role] if not user.has_perm(right)] == []


def test_making_roles_again_keeps_what_a_house_added():
    from django.contrib.auth.models import Permission

    group = Group.objects.get(name="moderator")
    extra = Permission.objects.get(codename="view_rating")
    group.permissions.add(extra)
    before = set(group.permissions.values_list("pk", flat=True))
    roles_make()
    assert set(group.permissions.values_list("pk", flat=True)) == before


def test_a_person_has_one_role_and_loses_it_whole():
    user = User.objects.create_user("anna")
    assert role_of(user) is None
    role_give(user, Role.MODERATOR)
    role_give(user, Role.TREASURER)
    assert role_of(user) == Role.TREASURER
    assert user.groups.count() == 1
    role_take(user)
    assert role_of(user) is None
    assert not User.objects.get(pk=user.pk).is_staff
