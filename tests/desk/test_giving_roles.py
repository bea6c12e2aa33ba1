"""Giving and taking roles: only by others, with a reason, and never the last administrator's."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.urls import reverse
from django.utils import timezone, translation

from accounts.decisions import RoleGrant
from accounts.grants import grant_withdraw, grants_waiting
from accounts.models import User
from accounts.roles import RIGHTS, Role, administrators, role_give, role_of, roles_make
from ledger.errors import MalformedPosting, NotAllowed, SecondFactorStale
from ledger.models import JournalEntry
from pasch.staff.decisions import (
    LastAdministrator,
    decision_confirm,
    decision_stop,
    decisions_take_effect,
)
from pasch.staff.roles import ROLES, NoRolePossible, RoleUnchanged, role_change
from pasch.templatetags.shell import moment
from tests.aging import rows_age
from tests.desk.conftest import at_desk
from tests.racing import racers, tries


def send(client, player: str, role: str, reason: str = "asked for by the board"):
    fields = {"player": player, "role": role, "reason": reason}
    return client.post(reverse("desk:roles"), fields, follow=True)


def role_named(name: str) -> Role | None:
    return role_of(User.objects.get(username=name))


def change(actor: User, user: User, role: Role | None, **kwargs) -> None:
    told = {"reason": "x", "verified_at": timezone.now(), **kwargs}
    role_change(user_id=user.pk, role=role, actor=actor, **told)


def confirmed(actor: User, player: str):
    grant = grants_waiting().get(person__username=player)
    return at_desk(actor).post(reverse("desk:role_confirm", args=[grant.pk]), follow=True)


def test_a_role_is_given_changed_and_taken_and_the_journal_tells_all(anna, bert, magriel):
    client = at_desk(anna)
    shown = send(client, "Magriel", "moderator").content.decode()
    assert "a second administrator confirms it, or after 24 hours" in shown
    assert role_named("magriel") is None
    assert 'data-testid="waiting-magriel"' in shown
    assert "in force now" in confirmed(bert, "magriel").content.decode()
    assert role_named("magriel") is Role.MODERATOR
    send(client, "magriel", "treasurer", "does the payouts now")
    confirmed(bert, "magriel")
    send(client, "magriel", "none", "leaves the house")
    assert role_named("magriel") is None
    assert not User.objects.get(username="magriel").is_staff
    rows = JournalEntry.objects.filter(verb="role.change", subject=f"user:{magriel.pk}")
    assert [(r.before["role"], r.after["role"], r.reason) for r in rows.order_by("id")] == [
        (None, "moderator", "asked for by the board"),
        ("moderator", "treasurer", "does the payouts now"),
        ("treasurer", None, "leaves the house"),
    ]
    shown = client.get(reverse("desk:journal")).content.decode()
    assert "changed a role" in shown
    assert "Moderator" in shown


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_moment_in_the_journal_has_the_readers_format(anna, magriel, language):
    client = at_desk(anna)
    send(client, "magriel", "moderator")
    effective_from = grants_waiting().get().effective_from
    shown = client.get(reverse("desk:journal"), headers={"accept-language": language})
    with translation.override(language):
        assert moment(effective_from) in shown.content.decode()


def test_the_page_lists_the_staff_and_is_filled_in_from_the_player(anna, bert, magriel):
    client = at_desk(anna)
    shown = client.get(reverse("desk:roles"), {"player": "magriel"}).content.decode()
    assert 'data-testid="staff-anna"' in shown
    assert 'data-testid="staff-bert"' in shown
    assert 'data-testid="staff-magriel"' not in shown
    assert 'value="magriel"' in shown
    link = f"{reverse('desk:roles')}?player=magriel"
    assert link in client.get(reverse("desk:player", args=[magriel.pk])).content.decode()


def test_a_role_that_is_taken_is_gone_from_an_open_session(anna, bert):
    client = at_desk(bert)
    assert client.get(reverse("desk:roles")).status_code == 200
    send(at_desk(anna), "bert", "moderator")
    assert client.get(reverse("desk:roles")).status_code == 403
    assert client.get(reverse("desk:players")).status_code == 200
    send(at_desk(anna), "bert", "none")
    assert client.get(reverse("desk:players")).status_code == 403


@pytest.mark.parametrize(
    ("player", "role", "reason"),
    [
        ("nobody", "moderator", "x"),
        ("\x00", "moderator", "x"),
        ("magriel", "emperor", "x"),
        ("magriel", "", "x"),
        ("magriel", "moderator", "  "),
    ],
)
def test_a_bad_form_changes_nothing(anna, magriel, player, role, reason):
    assert "errorlist" in send(at_desk(anna), player, role, reason).content.decode()
    assert role_named("magriel") is None
    assert not JournalEntry.objects.exists()


def test_nobody_changes_a_role_of_his_own(anna, bert):
    answer = send(at_desk(anna), "anna", "none")
    assert "it is about yourself" in answer.content.decode()
    assert role_named("anna") is Role.ADMINISTRATOR


def test_it_takes_a_fresh_second_factor(anna, magriel, settings):
    settings.LEDGER_SECOND_FACTOR_SECONDS = 60
    answer = at_desk(anna, proved_ago=120).post(
        reverse("desk:roles"), {"player": "magriel", "role": "moderator", "reason": "x"}
    )
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("mfa_reauthenticate"))
    assert role_named("magriel") is None
    with pytest.raises(SecondFactorStale):
        change(anna, magriel, Role.MODERATOR, verified_at=timezone.now() - timedelta(minutes=2))
    with pytest.raises(SecondFactorStale):
        change(anna, magriel, Role.MODERATOR, verified_at=None)


def test_the_service_asks_for_the_right_and_the_reason_again(staff, anna, magriel):
    mona, tom = staff("mona", Role.MODERATOR), staff("tom", Role.TREASURER)
    for actor in (mona, tom, magriel):
        with pytest.raises(NotAllowed):
            change(actor, anna, None)
    with pytest.raises(MalformedPosting):
        change(anna, mona, None, reason=" ")
    assert role_named("anna") is Role.ADMINISTRATOR


def test_what_is_so_already_is_told_and_not_journaled(anna, bert, magriel):
    with pytest.raises(RoleUnchanged):
        change(anna, bert, Role.ADMINISTRATOR)
    with pytest.raises(RoleUnchanged):
        change(anna, magriel, None)
    assert "role already" in send(at_desk(anna), "bert", "administrator").content.decode()
    assert not JournalEntry.objects.exists()


@pytest.mark.parametrize("fields", [{"is_bot": True}, {"is_active": False}])
def test_bots_and_closed_accounts_get_no_role(anna, magriel, fields):
    rows_age(User.objects.filter(pk=magriel.pk), **fields)
    with pytest.raises(NoRolePossible):
        change(anna, magriel, Role.MODERATOR)
    assert role_named("magriel") is None


def test_the_last_administrator_stays_whoever_wants_to_take_the_role(staff, anna):
    """A house may give the right to other people; that does not make them administrators."""
    tom = staff("tom", Role.TREASURER)
    tom.user_permissions.add(Permission.objects.get(codename="give_role"))
    for role in (None, Role.MODERATOR):
        with pytest.raises(LastAdministrator):
            change(tom, anna, role)
    assert role_named("anna") is Role.ADMINISTRATOR
    assert "must keep one administrator" in send(at_desk(tom), "anna", "none").content.decode()


def test_an_administrator_whose_account_is_closed_does_not_count(staff, anna, bert):
    tom = staff("tom", Role.TREASURER)
    tom.user_permissions.add(Permission.objects.get(codename="give_role"))
    User.objects.filter(pk=bert.pk).update(is_active=False)
    with pytest.raises(LastAdministrator):
        change(tom, anna, None)


def test_a_superuser_who_loses_the_role_is_none_any_more(anna, bert):
    User.objects.filter(pk=bert.pk).update(is_superuser=True)
    change(anna, bert, Role.MODERATOR)
    bert = User.objects.get(pk=bert.pk)
    assert not bert.is_superuser
    assert not bert.has_perm("ledger.decide_payout")
    assert JournalEntry.objects.get().before == {"role": "administrator", "superuser": True}


@pytest.mark.django_db
@pytest.mark.django_db(transaction=True)
def test_two_who_dismiss_each_other_leave_one(staff):
    anna, bert = staff("anna"), staff("bert")
    with racers() as race:
        for _try in range(10):
            outcomes = race([lambda: change(anna, bert, None), lambda: change(bert, anna, None)])
            assert sorted(type(outcome).__name__ for outcome in outcomes) == [
                "NoneType",
                "NotAllowed",
            ]
            (left,) = administrators()
            role_give(bert if left == anna else anna, Role.ADMINISTRATOR)


# --- the table of roles ---------------------------------------------------------------------------
@pytest.mark.django_db
@pytest.mark.parametrize("role", list(Role))
def test_every_right_of_a_role_exists_and_is_given(role):
    user = User.objects.create_user("anna")
    role_give(user, role)
    user = User.objects.get(pk=user.pk)
    assert [right for right in RIGHTS[role] if not user.has_perm(right)] == []


@pytest.mark.django_db
def test_making_roles_again_keeps_what_a_house_added():
    from django.contrib.auth.models import Permission

    group = Group.objects.get(name="moderator")
    extra = Permission.objects.get(codename="view_rating")
    group.permissions.add(extra)
    before = set(group.permissions.values_list("pk", flat=True))
    roles_make()
    assert set(group.permissions.values_list("pk", flat=True)) == before


@pytest.mark.django_db
def test_a_person_has_one_role_and_loses_it_whole():
    user = User.objects.create_user("anna")
    assert role_of(user) is None
    role_give(user, Role.MODERATOR)
    role_give(user, Role.TREASURER)
    assert role_of(user) == Role.TREASURER
    assert user.groups.count() == 1
    grant_withdraw(user, by=None, reason="gone")
    assert role_of(user) is None
    assert not User.objects.get(pk=user.pk).is_staff


# --- at the same moment ---------------------------------------------------------------------------
def asked(anna: User, person: User) -> RoleGrant:
    told = {"reason": "x", "verified_at": timezone.now()}
    grant = role_change(user_id=person.pk, role=Role.TREASURER, actor=anna, **told)
    assert grant is not None
    return grant


def names(outcomes: list[object]) -> list[str]:
    return sorted(type(outcome).__name__ for outcome in outcomes)


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
def test_asking_twice_at_once_waits_once(staff: Callable[..., User]) -> None:
    anna, bert = staff("anna"), staff("bert")
    person = User.objects.create_user("magriel")
    with racers() as race:
        outcomes = race([lambda: asked(anna, person), lambda: asked(bert, person)])
    assert names(outcomes) == ["DecisionWaits", "RoleGrant"]
    assert RoleGrant.objects.filter(person=person).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_put_a_role_in_force_once(staff: Callable[..., User]) -> None:
    anna, _bert = staff("anna"), staff("bert")
    person = User.objects.create_user("magriel")
    grant = asked(anna, person)
    with racers() as race:
        outcomes = race([lambda: decisions_take_effect(ROLES, now=grant.effective_from)] * 4)
    assert sorted(outcomes) == [0, 0, 0, 1]
    assert JournalEntry.objects.filter(verb="role.change").count() == 1
