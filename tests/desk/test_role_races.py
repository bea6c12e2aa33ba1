"""Of simultaneous decisions about people, one takes effect."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.decisions import RoleGrant
from accounts.models import User
from accounts.roles import Role, role_of
from ledger.models import JournalEntry
from pasch.staff.decisions import (
    decision_confirm,
    decision_stop,
    decisions_take_effect,
)
from pasch.staff.roles import ROLES, role_change
from tests.racing import racers, tries

pytestmark = pytest.mark.django_db(transaction=True)


def asked(anna: User, person: User) -> RoleGrant:
    told = {"reason": "x", "verified_at": timezone.now()}
    grant = role_change(user_id=person.pk, role=Role.TREASURER, actor=anna, **told)
    assert grant is not None
    return grant


def names(outcomes: list[object]) -> list[str]:
    return sorted(type(outcome).__name__ for outcome in outcomes)


def test_a_role_is_confirmed_once_or_stopped_and_never_both(staff: Callable[..., User]) -> None:
    anna, bert, cleo = staff("anna"), staff("bert"), staff("cleo")
    with racers() as race:
        for number in range(tries(6, long=50)):
            person = User.objects.create_user(f"player{number}")
            grant, now = asked(anna, person), timezone.now()
            outcomes = race(
                [
                    lambda g=grant, t=now: decision_confirm(
                        ROLES, decision_id=g.pk, actor=bert, verified_at=t
                    ),
                    lambda g=grant, t=now: decision_confirm(
                        ROLES, decision_id=g.pk, actor=cleo, verified_at=t
                    ),
                    lambda g=grant, t=now: decision_stop(
                        ROLES, decision_id=g.pk, actor=cleo, reason="x", verified_at=t
                    ),
                ]
            )
            assert names(outcomes) == ["DecisionOver", "DecisionOver", "RoleGrant"]
            grant.refresh_from_db()
            held = role_of(User.objects.get(pk=person.pk))
            assert (grant.effective_at is None) == (grant.ended_at is not None) == (held is None)


def test_asking_twice_at_once_waits_once(staff: Callable[..., User]) -> None:
    anna, bert = staff("anna"), staff("bert")
    person = User.objects.create_user("magriel")
    with racers() as race:
        outcomes = race([lambda: asked(anna, person), lambda: asked(bert, person)])
    assert names(outcomes) == ["DecisionWaits", "RoleGrant"]
    assert RoleGrant.objects.filter(person=person).count() == 1


def test_two_sweeps_at_once_put_a_role_in_force_once(staff: Callable[..., User]) -> None:
    anna, _bert = staff("anna"), staff("bert")
    person = User.objects.create_user("magriel")
    grant = asked(anna, person)
    with racers() as race:
        outcomes = race([lambda: decisions_take_effect(ROLES, now=grant.effective_from)] * 4)
    assert sorted(outcomes) == [0, 0, 0, 1]
    assert JournalEntry.objects.filter(verb="role.change").count() == 1
