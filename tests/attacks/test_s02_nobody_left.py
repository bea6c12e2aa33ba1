"""S2, continued: a role lapses if nobody could have stopped it; two puppets are one person."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.decisions import IdentityKind, RoleGrant
from accounts.models import User
from accounts.roles import Role, role_of
from ledger.errors import SecondPersonFresh
from ledger.services.decisions import second_person_check
from pasch.staff.decisions import decision_confirm, decisions_take_effect
from pasch.staff.identities import IDENTITIES, identity_change
from pasch.staff.roles import ROLES, role_change

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def ask(actor: User, person: User, role: Role | None = Role.TREASURER) -> Any:
    told = {"reason": "helps out", "verified_at": timezone.now()}
    return role_change(user_id=person.pk, role=role, actor=actor, **told)


def change(actor: User, person: User, kind: IdentityKind, value: str = "") -> Any:
    told = {"reason": "helps out", "verified_at": timezone.now()}
    return identity_change(user_id=person.pk, kind=kind, value=value, actor=actor, **told)


def later(grant: RoleGrant) -> Any:
    return grant.effective_from + timedelta(minutes=1)


# --- time confirms nothing that nobody could have stopped ---


def dismissed(anna: User, bert: User) -> None:
    ask(anna, bert, None)


def closed(anna: User, bert: User) -> None:
    change(anna, bert, IdentityKind.CLOSE)


def lowered(anna: User, bert: User) -> None:
    ask(anna, bert, Role.MODERATOR)


@pytest.mark.parametrize("remove", [dismissed, closed, lowered])
@pytest.mark.parametrize("first", [True, False])
def test_a_role_lapses_where_everybody_who_could_stop_it_was_removed(
    anna: User, bert: User, puppet: User, remove: Any, first: bool
) -> None:
    if first:
        remove(anna, bert)
    grant = ask(anna, puppet)
    if not first:
        remove(anna, bert)
    assert decisions_take_effect(ROLES, now=later(grant)) == 0
    assert role_of(User.objects.get(pk=puppet.pk)) is None
    grant.refresh_from_db()
    assert "nobody else" in grant.end_reason


def test_an_administrator_of_yesterday_by_the_same_hand_stops_nothing(
    anna: User, bert: User, puppet: User
) -> None:
    """The puppet became an administrator, and the honest one is gone: both are still one person."""
    first = ask(anna, puppet, Role.ADMINISTRATOR)
    assert decisions_take_effect(ROLES, now=later(first)) == 1
    ask(anna, bert, None)
    second = ask(anna, User.objects.create_user("other"))
    assert decisions_take_effect(ROLES, now=later(second)) == 0


def test_an_account_of_the_staff_is_not_changed_either(anna: User, bert: User) -> None:
    """The account of a dismissed administrator stays guarded for a week: its change lapses."""
    ask(anna, bert, None)
    asked = change(anna, bert, IdentityKind.ADDRESS, "anna.two@example.net")
    assert asked.waits
    assert decisions_take_effect(IDENTITIES, now=later(asked)) == 0
    assert User.objects.get(pk=bert.pk).email == "bert@example.org"
    asked.refresh_from_db()
    assert "nobody else" in asked.end_reason


def test_with_somebody_else_there_time_confirms(
    anna: User, bert: User, puppet: User, staff: Any
) -> None:
    staff("cleo")
    ask(anna, bert, None)
    grant = ask(anna, puppet)
    assert decisions_take_effect(ROLES, now=later(grant)) == 1


def test_the_setting_for_one_administrator_lets_time_confirm(
    anna: User, puppet: User, settings: Any
) -> None:
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    grant = ask(anna, puppet)
    assert decisions_take_effect(ROLES, now=later(grant)) == 1


# --- two people who got their roles through the same person ---


def test_two_puppets_of_one_hand_are_not_two_people(anna: User, bert: User, puppet: User) -> None:
    other = User.objects.create_user("other")
    grants = [ask(anna, puppet), ask(anna, other)]
    assert decisions_take_effect(ROLES, now=later(grants[1])) == 2
    for one, two in ((puppet, other), (other, puppet)):
        with pytest.raises(SecondPersonFresh):
            second_person_check(one.pk, User.objects.get(pk=two.pk))


def test_two_who_were_confirmed_by_one_hand_are_not_two_people(
    anna: User, bert: User, puppet: User, staff: Any
) -> None:
    cleo, other = staff("cleo"), User.objects.create_user("other")
    for asker, person in ((anna, puppet), (bert, other)):
        grant = ask(asker, person)
        decision_confirm(ROLES, decision_id=grant.pk, actor=cleo, verified_at=timezone.now())
    with pytest.raises(SecondPersonFresh):
        second_person_check(puppet.pk, User.objects.get(pk=other.pk))
    second_person_check(anna.pk, User.objects.get(pk=other.pk))
