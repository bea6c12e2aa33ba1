"""S12: every decision of two people holds both to the same rule at the moment it takes effect."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import Error, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.decisions import IdentityChange, RoleGrant
from accounts.login_marks import marks_note
from accounts.models import User
from accounts.roles import Role, role_give
from accounts.tokens import bot_become, token_make
from fairplay.errors import NoReviewer
from harness.logins import logged_in
from harness.wallets import credits_bought, mailbox_proved
from kit.errors import Refusal
from ledger.audit import run
from ledger.errors import NotAllowed, SecondPersonFresh
from ledger.models import Payout, Proposal
from ledger.selectors import wallet_balance
from ledger.services.payouts import payout_approve, payout_claim, payout_request, payout_settle
from pasch.staff.decisions import decision_confirm, decisions_take_effect
from pasch.staff.identities import IDENTITIES
from pasch.staff.roles import ROLES, role_change
from tests.attacks.two_people import (
    KINDS,
    AnIdentity,
    AnOpinion,
    APayout,
    ARole,
    Kind,
    Vouchers,
    again,
    aged,
    dismissed,
)
from tests.desk.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def carl(db: None) -> User:
    """Make a third administrator, who dismisses others."""
    user = User.objects.create_user("carl")
    role_give(user, Role.ADMINISTRATOR)
    return user


each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)


def refused(
    kind: Kind,
    row: int,
    second: User,
    error: type[Exception] | tuple[type[Exception], ...] | None = None,
) -> None:
    """The services refuse the second person, or send a payout back."""
    if error is not None:
        with pytest.raises(error), transaction.atomic():
            kind.confirm(row, second)
    else:  # a payout is not refused but goes back
        try:
            with transaction.atomic():
                kind.confirm(row, second)
        except Refusal:
            pass
    assert not kind.done(row)


def refused_by_the_database(kind: Kind, row: int, second: User) -> None:
    statement, values = kind.in_database(row, second)
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
    assert not kind.done(row)


@pytest.fixture
def about(db: None) -> User:
    """Make a person with credits of their own."""
    person = User.objects.create_user("about", "about@example.org")
    mailbox_proved(person)
    credits_bought(person, 10_000)
    return person


@each_kind
def test_two_people_with_the_right_decide(kind: Kind, anna: User, bert: User, about: User) -> None:
    row = kind.begin(anna, about)
    kind.confirm(row, bert)
    assert kind.done(row)


@each_kind
def test_a_dismissed_first_person_decides_nothing(
    kind: Kind, anna: User, bert: User, carl: User, about: User
) -> None:
    row = kind.begin(anna, about)
    dismissed(anna, carl)
    refused_by_the_database(kind, row, bert)
    refused(kind, row, bert)


@each_kind
def test_a_closed_first_person_decides_nothing(
    kind: Kind, anna: User, bert: User, about: User
) -> None:
    row = kind.begin(anna, about)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    refused_by_the_database(kind, row, bert)
    refused(kind, row, bert)


@each_kind
def test_what_waited_for_a_week_is_not_confirmed(
    kind: Kind, anna: User, bert: User, about: User
) -> None:
    row = kind.begin(anna, about)
    aged(kind.table, row, *kind.columns)
    if isinstance(kind, Vouchers):
        aged("ledger_voucher", Proposal.objects.get(pk=row).content["ids"][0], "made_at")
    refused_by_the_database(kind, row, bert)
    refused(kind, row, bert)


@each_kind
def test_nobody_is_both_people(kind: Kind, anna: User, about: User) -> None:
    row = kind.begin(anna, about)
    refused_by_the_database(kind, row, anna)
    refused(kind, row, anna, (NotAllowed, NoReviewer))


@each_kind
def test_a_person_with_the_right_from_the_first_one_is_no_second(
    kind: Kind, anna: User, bert: User, about: User
) -> None:
    """Also where more than a day has passed since: the role came before or after the beginning."""
    puppet = User.objects.create_user("puppet")
    grant = role_change(
        user_id=puppet.pk,
        role=Role.ADMINISTRATOR,
        actor=anna,
        reason="helps out",
        verified_at=timezone.now(),
    )
    assert grant is not None
    decision_confirm(ROLES, decision_id=grant.pk, actor=bert, verified_at=timezone.now())
    row = kind.begin(anna, about)
    refused_by_the_database(kind, row, again(puppet))
    refused(kind, row, again(puppet), SecondPersonFresh)


@each_kind
def test_the_second_person_has_the_right_now(
    kind: Kind, anna: User, bert: User, carl: User, about: User
) -> None:
    row = kind.begin(anna, about)
    had = again(bert)
    assert had.has_perm("ledger.adjust_credits")  # remembered by this object
    dismissed(bert, carl)
    refused_by_the_database(kind, row, bert)
    refused(kind, row, had, NotAllowed)


def test_a_reviewer_who_logs_in_like_a_party_decides_no_case(
    anna: User, bert: User, carl: User, about: User
) -> None:
    """Also where it comes out between the first opinion and the second: another takes its place."""
    row = AnOpinion().begin(anna, about)
    for person in (anna, about):
        marks_note(person.pk, browser="one", address="")
    refused(AnOpinion(), row, bert)
    refused(AnOpinion(), row, anna, NoReviewer)
    AnOpinion().confirm(row, carl)
    assert AnOpinion().done(row)


# --- what takes effect without a second person ---


def test_what_waits_for_its_time_needs_a_first_person_in_office_and_is_not_old(
    anna: User, bert: User, about: User
) -> None:
    grant = ARole().begin(anna, about)
    change = AnIdentity().begin(anna, about)
    for table, row in (("accounts_rolegrant", grant), ("accounts_identitychange", change)):
        aged(table, row, "asked_at", "effective_from")
    assert (decisions_take_effect(ROLES), decisions_take_effect(IDENTITIES)) == (0, 0)
    assert RoleGrant.objects.get(pk=grant).end_reason.startswith("lapsed")
    assert IdentityChange.objects.get(pk=change).end_reason.startswith("lapsed")


# --- payouts: what was approved by somebody who has left goes back ---


@pytest.fixture
def approved(anna: User, bert: User, carl: User, about: User) -> Payout:
    payout = Payout.objects.get(pk=APayout().begin(anna, about))
    assert payout.state == "approved"
    return payout


def test_an_approval_of_somebody_dismissed_goes_back_to_be_approved(
    approved: Payout, anna: User, bert: User, carl: User, about: User
) -> None:
    dismissed(anna, carl)
    held = wallet_balance(about.pk)
    back = payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    assert (back.state, back.approved_by, back.claimed_by) == ("requested", None, None)
    payout_approve(payout_id=approved.pk, actor=carl, verified_at=timezone.now())
    payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    paid = payout_settle(
        payout_id=approved.pk, actor=bert, verified_at=timezone.now(), receipt="4711"
    )
    assert (paid.state, wallet_balance(about.pk)) == ("paid", held)


def test_what_is_being_paid_goes_back_too(
    approved: Payout, anna: User, bert: User, carl: User, about: User
) -> None:
    payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    dismissed(anna, carl)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    back = payout_settle(
        payout_id=approved.pk, actor=bert, verified_at=timezone.now(), receipt="4711"
    )
    assert (back.state, back.receipt, back.claimed_by) == ("requested", "", None)
    assert [step.state for step in back.steps.order_by("id")] == [
        "requested",
        "approved",
        "paying",
        "requested",
    ]


def test_an_approval_that_stands_is_not_taken_back(approved: Payout) -> None:
    with pytest.raises(Error), transaction.atomic():
        Payout.objects.filter(pk=approved.pk).update(
            state="requested", approved_by=None, approved_at=None
        )
    approved.refresh_from_db()
    assert approved.state == "approved"


def test_the_audit_finds_nothing_after_a_way_back(
    approved: Payout, anna: User, bert: User, carl: User
) -> None:
    dismissed(anna, carl)
    payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    assert not any(result.findings for result in run(only=("A18",)).results)
    payout_approve(payout_id=approved.pk, actor=carl, verified_at=timezone.now())
    assert not any(result.findings for result in run(only=("A18",)).results)


# --- payouts without presence ---------------------------------------------------------------------
WISH = {"amount_cents": 2_500, "destination": "DE02120300000000202051"}
FORM = {"amount_cents": "25", "destination": "DE02", "note": "", "client_key": "my-own-word"}
LONG_AGO_S = 16 * 60


def ask(client: Client, **headers: str) -> Any:
    return client.post(
        reverse("api_payout_request"),
        WISH,
        content_type="application/json",
        headers={"Idempotency-Key": "the-wish-of-today", **headers},
    )


def refusal(client: Client, **headers: str) -> tuple[int, str]:
    answer = ask(client, **headers)
    return answer.status_code, answer.json()["code"]


@pytest.mark.parametrize("proved_ago", [None, LONG_AGO_S])
def test_a_session_that_was_left_open_asks_for_nothing(
    magriel: User, proved_ago: float | None
) -> None:
    client = logged_in(Client(), magriel, proved_ago=proved_ago)
    assert refusal(client) == (403, "proof_stale")
    assert not Payout.objects.exists()


def test_a_fresh_one_does(magriel: User) -> None:
    assert ask(logged_in(Client(), magriel)).status_code == 201


def test_a_token_asks_for_nothing_even_beside_a_fresh_session(magriel: User) -> None:
    robo = User.objects.create_user("robo")
    bot_become(robo)
    token = {"Authorization": f"Bearer {token_make(robo)}"}
    assert refusal(Client(), **token)[0] == 403
    assert refusal(logged_in(Client(), robo), **token)[0] == 403
    assert refusal(logged_in(Client(), robo)) == (403, "not_allowed")
    assert refusal(logged_in(Client(), magriel), **token)[0] in (401, 403)
    with pytest.raises(NotAllowed):
        payout_request(user=robo, client_key="word", verified_at=timezone.now(), **WISH)
    assert not Payout.objects.exists()


@pytest.mark.parametrize("unproved", ["none", "unverified"])
def test_without_a_proved_mailbox_nothing_is_paid(magriel: User, unproved: str) -> None:
    addresses = EmailAddress.objects.filter(user=magriel)
    addresses.delete() if unproved == "none" else addresses.update(verified=False)
    assert refusal(logged_in(Client(), magriel)) == (403, "address_unverified")
    assert not Payout.objects.exists()


def test_the_page_asks_for_the_password_first_and_goes_on_then(magriel: User) -> None:
    client = logged_in(Client(), magriel, proved_ago=LONG_AGO_S)
    answer = client.post(reverse("wallet_payouts"), FORM)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert not Payout.objects.exists()
    client.post(answer.url, {"password": "not-the-password"})
    assert not Payout.objects.exists()
    answer = client.post(answer.url, {"password": PASSWORD}, follow=True)
    assert Payout.objects.get().amount_cents == 2_500
    assert "Your request has arrived" in answer.content.decode()
