"""S1 through the desk: changing another person's way in needs more than one administrator."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Permission
from django.core import mail
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.decisions import IdentityChange, IdentityKind
from accounts.identity import IdentityRefused, masked
from accounts.mails import mails_send
from accounts.models import OutgoingMail, User
from accounts.roles import Role, role_give, role_of
from harness.logins import logged_in
from ledger.errors import MalformedPosting, NotAllowed, SecondFactorStale, SecondPersonFresh
from ledger.models import JournalEntry, Payout
from ledger.services.decisions import second_person_check
from ledger.services.payouts import payout_approve, payout_claim, payout_settle
from pasch.staff.decisions import (
    DecisionOver,
    DecisionWaits,
    LastAdministrator,
    decision_confirm,
    decision_stop,
    decisions_take_effect,
)
from pasch.staff.identities import IDENTITIES, identity_change
from pasch.staff.roles import role_change
from tests.desk.conftest import PASSWORD, at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

THEIRS = "anna.two@example.net"
TAKING_OVER = (
    (IdentityKind.ADDRESS, THEIRS),
    (IdentityKind.NO_ADDRESS, ""),
    (IdentityKind.FACTORS, ""),
    (IdentityKind.NAME, "berthold"),
)


def change(actor: User, person: User, kind: IdentityKind, value: str = "", **more: Any) -> Any:
    told = {"reason": "lost the phone", "verified_at": timezone.now(), **more}
    return identity_change(user_id=person.pk, kind=kind, value=value, actor=actor, **told)


def confirm(actor: User, asked: IdentityChange) -> IdentityChange:
    return decision_confirm(
        IDENTITIES, decision_id=asked.pk, actor=actor, verified_at=timezone.now()
    )


def fresh(person: User) -> User:
    return User.objects.get(pk=person.pk)


def standing(person: User) -> tuple[str, str, int]:
    factors = Authenticator.objects.filter(user=person).count()
    return fresh(person).username, fresh(person).email, factors


# --- another administrator ---


def test_the_way_of_the_administration_through_the_desk(anna: User, bert: User) -> None:
    """The attack with the pages of the desk: the address is not set, and gets no link."""
    form = {"kind": "address", "value": THEIRS, "reason": "asked me to"}
    page = at_desk(anna).post(reverse("desk:identity", args=[bert.pk]), form, follow=True)
    assert "second administrator confirms it" in page.content.decode()
    Client().post(reverse("account_reset_password"), {"email": THEIRS})
    assert not re.search(r"reset/key/", mail.outbox[-1].body)
    assert standing(bert) == ("bert", "bert@example.org", 1)


@pytest.mark.parametrize(("kind", "value"), TAKING_OVER)
def test_nothing_of_another_administrator_changes_by_one_alone(
    anna: User, bert: User, kind: IdentityKind, value: str
) -> None:
    before = standing(bert)
    asked = change(anna, bert, kind, value)
    assert asked.waits
    assert standing(bert) == before
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from - timedelta(seconds=1)) == 0
    with pytest.raises(NotAllowed):
        confirm(anna, asked)
    with pytest.raises(NotAllowed):
        confirm(bert, asked)
    with pytest.raises(DecisionWaits):
        change(anna, bert, kind, value)
    assert standing(bert) == before


@pytest.mark.parametrize("role", [Role.MODERATOR, Role.TREASURER])
def test_every_role_is_guarded_and_the_week_after_it(
    anna: User, bert: User, magriel: User, role: Role
) -> None:
    role_give(magriel, role)
    assert change(anna, magriel, IdentityKind.ADDRESS, THEIRS).waits
    now = timezone.now()
    role_change(user_id=magriel.pk, role=None, actor=anna, reason="x", verified_at=now)
    assert change(anna, magriel, IdentityKind.NAME, "margriet").waits


def test_who_waits_for_a_role_is_guarded_too(anna: User, bert: User, magriel: User) -> None:
    now = timezone.now()
    role_change(user_id=magriel.pk, role=Role.TREASURER, actor=anna, reason="x", verified_at=now)
    assert change(anna, magriel, IdentityKind.ADDRESS, THEIRS).waits


def test_a_third_administrator_confirms(anna: User, bert: User, staff: Any) -> None:
    cleo = staff("cleo")
    asked = change(anna, bert, IdentityKind.FACTORS)
    answer = at_desk(cleo).post(reverse("desk:identity_confirm", args=[asked.pk]), follow=True)
    assert "The account is changed" in answer.content.decode()
    assert standing(bert) == ("bert", "bert@example.org", 0)
    row = JournalEntry.objects.get(verb="identity.change")
    assert (row.actor, row.before["factors"], row.after["factors"]) == (cleo, 1, 0)
    assert row.after["asked_by"] == "anna"


def test_after_the_waiting_time_it_is_done_and_once(anna: User, bert: User) -> None:
    asked = change(anna, bert, IdentityKind.ADDRESS, THEIRS)
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from) == 1
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from) == 0
    assert fresh(bert).email == THEIRS
    assert not EmailAddress.objects.get(user=bert).verified


def test_any_administrator_stops_it(anna: User, bert: User, staff: Any) -> None:
    """The person concerned cannot stop it, but another administrator, who got the mail, can."""
    cleo = staff("cleo")
    asked = change(anna, bert, IdentityKind.ADDRESS, THEIRS)
    with pytest.raises(NotAllowed):
        decision_stop(
            IDENTITIES, decision_id=asked.pk, actor=bert, reason="x", verified_at=timezone.now()
        )
    at_desk(cleo).post(reverse("desk:identity_stop", args=[asked.pk]), {"reason": "bert is here"})
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from + timedelta(days=1)) == 0
    with pytest.raises(DecisionOver):
        confirm(cleo, asked)
    assert standing(bert) == ("bert", "bert@example.org", 1)


# --- a player ---


def test_a_lost_phone_of_a_player_is_mended_and_told(anna: User, bert: User, magriel: User) -> None:
    TOTP.activate(magriel, generate_totp_secret())
    confirm(bert, change(anna, magriel, IdentityKind.FACTORS))
    assert standing(magriel)[2] == 0
    assert set(OutgoingMail.objects.values_list("to", flat=True)) == {
        "anna@example.org",
        "bert@example.org",
        "magriel@example.org",
    }


def test_a_new_address_ends_the_sessions_and_is_told_to_the_old_one(
    anna: User, bert: User, magriel: User, django_capture_on_commit_callbacks: Any
) -> None:
    theirs = Client()
    theirs.post(reverse("account_login"), {"login": "magriel", "password": PASSWORD})
    assert theirs.get(reverse("account")).status_code == 200
    EmailAddress.objects.create(user=magriel, email="second@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        confirm(bert, change(anna, magriel, IdentityKind.ADDRESS, "New@Example.org"))
    assert theirs.get(reverse("account")).status_code == 302
    told = set(OutgoingMail.objects.values_list("to", flat=True))
    assert {"magriel@example.org", "second@example.org", "new@example.org"} <= told
    assert EmailAddress.objects.get(user=magriel).email == "new@example.org"
    mails_send()
    assert any("bert changed the account of magriel" in each.body for each in mail.outbox)


def test_the_journal_has_the_address_masked(anna: User, bert: User, magriel: User) -> None:
    confirm(bert, change(anna, magriel, IdentityKind.ADDRESS, THEIRS))
    row = JournalEntry.objects.get(verb="identity.change")
    assert (row.before["address"], row.after["address"]) == ("ma…@e….org", "an…@e….net")
    assert "example" not in str(row.before) + str(row.after)
    assert masked("") == ""


@pytest.mark.parametrize(
    ("kind", "value", "code"),
    [
        (IdentityKind.ADDRESS, "no address", "address_bad"),
        (IdentityKind.ADDRESS, "ANNA@example.org", "address_taken"),
        (IdentityKind.ADDRESS, "magriel@example.org", "identity_unchanged"),
        (IdentityKind.NAME, "anna", "name_taken"),
        (IdentityKind.NAME, "ann4 or so", "name_refused"),
        (IdentityKind.NAME, "magriel", "identity_unchanged"),
        (IdentityKind.FACTORS, "", "identity_unchanged"),
        (IdentityKind.NO_BOT, "", "identity_unchanged"),
        (IdentityKind.REOPEN, "", "identity_unchanged"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    anna: User, magriel: User, kind: IdentityKind, value: str, code: str
) -> None:
    before = standing(magriel)
    with pytest.raises(IdentityRefused) as refused, transaction.atomic():
        change(anna, magriel, kind, value)
    assert refused.value.code == code
    assert standing(magriel) == before
    assert not JournalEntry.objects.exists()
    assert not IdentityChange.objects.exists()


def test_it_takes_the_right_a_fresh_factor_a_reason_and_somebody_else(
    anna: User, magriel: User, staff: Any
) -> None:
    tom = staff("tom", Role.TREASURER)
    with pytest.raises(NotAllowed):
        change(tom, magriel, IdentityKind.CLOSE)
    with pytest.raises(NotAllowed):
        change(anna, anna, IdentityKind.ADDRESS, THEIRS)
    with pytest.raises(SecondFactorStale):
        change(anna, magriel, IdentityKind.CLOSE, verified_at=None)
    with pytest.raises(MalformedPosting):
        change(anna, magriel, IdentityKind.CLOSE, reason=" ")
    assert fresh(magriel).is_active
    stale = at_desk(anna, proved_ago=1000)
    form = {"kind": "close", "value": "", "reason": "x"}
    answer = stale.post(reverse("desk:identity", args=[magriel.pk]), form)
    assert answer.status_code == 302
    assert fresh(magriel).is_active


# --- closing and opening again ---


def test_an_account_is_closed_at_once_and_opened_without_its_role(
    anna: User, bert: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert not change(anna, bert, IdentityKind.CLOSE).waits
    assert at_desk(fresh(bert)).get(reverse("desk:overview")).status_code == 302
    change(anna, bert, IdentityKind.REOPEN)
    assert (fresh(bert).is_active, role_of(fresh(bert)), fresh(bert).is_staff) == (
        True,
        None,
        False,
    )
    assert [row.after["closed"] for row in JournalEntry.objects.order_by("id")] == [True, False]


def test_a_closed_account_with_a_role_gets_none_back(anna: User, bert: User) -> None:
    """The operator closed the account in the shell, so the row of the role stayed."""
    User.objects.filter(pk=bert.pk).update(is_active=False, is_superuser=True)
    change(anna, bert, IdentityKind.REOPEN)
    assert role_of(fresh(bert)) is None
    assert not fresh(bert).is_superuser


def test_the_last_administrator_is_not_closed(staff: Any, anna: User) -> None:
    tom = staff("tom", Role.TREASURER)
    tom.user_permissions.add(Permission.objects.get(codename="decide_identity"))
    with pytest.raises(LastAdministrator), transaction.atomic():
        change(tom, anna, IdentityKind.CLOSE)
    assert fresh(anna).is_active


# --- the day after ---


@pytest.mark.parametrize("kind", [IdentityKind.FACTORS, IdentityKind.NO_ADDRESS])
def test_whose_way_in_was_changed_is_no_second_person_for_those_who_did_it(
    anna: User, bert: User, staff: Any, kind: IdentityKind
) -> None:
    cleo, dora = staff("cleo"), staff("dora")
    confirm(cleo, change(anna, bert, kind))
    for one in (anna, cleo):
        with pytest.raises(SecondPersonFresh):
            second_person_check(one.pk, bert)
        with pytest.raises(SecondPersonFresh):
            second_person_check(bert.pk, one)
    second_person_check(dora.pk, bert)


def test_a_payout_that_was_taken_is_not_settled_from_an_account_taken_over(
    anna: User, bert: User, staff: Any, payout: Payout
) -> None:
    """bert took the payout; then those who approved it change the way into bert's account."""
    cleo = staff("cleo")
    now: dict[str, Any] = {"payout_id": payout.pk, "verified_at": timezone.now()}
    payout_approve(actor=anna, **now)
    payout_claim(actor=bert, **now)
    confirm(cleo, change(anna, bert, IdentityKind.FACTORS))
    with pytest.raises(SecondPersonFresh):
        payout_settle(actor=fresh(bert), receipt="1", **now)
    payout.refresh_from_db()
    assert payout.state == "paying"


# --- the database holds it ---


def test_the_database_refuses_one_person_as_both(anna: User, bert: User) -> None:
    asked = change(anna, bert, IdentityKind.FACTORS)
    row, now = IdentityChange.objects.filter(pk=asked.pk), timezone.now()
    for who in (anna, bert):
        with pytest.raises(IntegrityError), transaction.atomic():
            row.update(confirmed_by=who, confirmed_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        row.update(effective_at=now)
    for bent in ({"value": "x"}, {"kind": "name"}, {"effective_from": now}):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.update(**bent)


# --- one's own way in, which is no way around ---


def test_a_reset_of_the_password_by_mail_opens_no_desk(anna: User) -> None:
    """The link sets a password without logging in; the second factor is still required."""
    Client().post(reverse("account_reset_password"), {"email": anna.email})
    found = re.search(r"https?://[^/\s]+(/\S*reset/key/\S+)", mail.outbox[-1].body)
    assert found is not None
    client, new = Client(), "another-password-nobody-uses"
    page = client.get(found[1], follow=True)
    address = page.redirect_chain[-1][0]
    client.post(address, {"password1": new})
    assert fresh(anna).check_password(new)
    assert "_auth_user_id" not in client.session
    answer = client.post(reverse("account_login"), {"login": "anna", "password": new})
    assert answer.url.startswith(reverse("mfa_authenticate"))
    assert client.get(reverse("desk:overview")).status_code == 302
    assert Authenticator.objects.filter(user=anna).count() == 1


@pytest.mark.parametrize("page", ["mfa_deactivate_totp", "mfa_generate_recovery_codes"])
def test_ones_own_second_factor_is_not_changed_without_proof(anna: User, page: str) -> None:
    answer = logged_in(Client(), anna).post(reverse(page))
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert standing(anna) == ("anna", "anna@example.org", 1)


def test_an_address_of_ones_own_is_not_added_without_proof(magriel: User, anna: User) -> None:
    """With a second factor no address is added at all; without one the password is required."""
    form = {"action_add": "", "email": THEIRS}
    answer = logged_in(Client(), magriel).post(reverse("account_email"), form)
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert logged_in(Client(), anna).post(reverse("account_email"), form).status_code == 200
    assert not EmailAddress.objects.filter(email=THEIRS).exists()
