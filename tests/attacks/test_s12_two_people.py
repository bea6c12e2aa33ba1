"""S12: every decision of two people holds both to the same rule at the moment it takes effect."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.utils import timezone

from accounts.changes import IdentityChange, IdentityKind, RoleGrant
from accounts.models import User
from accounts.roles import Role, role_give
from ledger import services
from ledger.audit import run
from ledger.errors import LedgerError, NotAllowed, SecondPersonFresh, WrongState
from ledger.models import Adjustment, Payout, Proposal
from ledger.selectors import wallet_balance
from pasch.staff.identities import identities_take_effect, identity_change, identity_confirm
from pasch.staff.roles import RoleError, role_change, role_confirm, roles_take_effect
from tests.wallets import credits_bought, mailbox_proved, payout_asked

pytestmark = pytest.mark.django_db

AGED = timedelta(days=8)


@pytest.fixture
def carl(db: None) -> User:
    """Make a third administrator, who dismisses others."""
    user = User.objects.create_user("carl")
    role_give(user, Role.ADMINISTRATOR)
    return user


@contextmanager
def _unguarded() -> Iterator[Any]:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET session_replication_role = replica")
        yield cursor
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def dismissed(person: User, by: User) -> None:
    """Take the role at the desk, as another administrator does."""
    role_change(
        user_id=person.pk, role=None, actor=by, reason="left us", verified_at=timezone.now()
    )


def aged(table: str, row: int, *columns: str) -> None:
    """Move the times of one row into the past."""
    with _unguarded() as cursor:
        moved = ", ".join(f"{column} = {column} - %s" for column in columns)
        cursor.execute(f"UPDATE {table} SET {moved} WHERE id = %s", [AGED] * len(columns) + [row])


def again(person: User) -> User:
    return User.objects.get(pk=person.pk)


# --- each kind: how it begins, how the second person ends it, and how to see that nothing happened


class Kind:
    """One kind of decision of two people."""

    table = ""
    columns: tuple[str, ...] = ()

    def begin(self, first: User, about: User) -> int:
        raise NotImplementedError

    def confirm(self, row: int, second: User) -> None:
        raise NotImplementedError

    def done(self, row: int) -> bool:
        raise NotImplementedError

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        """The statement by which the application's role would do it past the services."""
        raise NotImplementedError


class AProposal(Kind):
    table, columns = "ledger_proposal", ("proposed_at",)

    def begin(self, first: User, about: User) -> int:
        made = services.proposal_make(
            actor=first,
            kind="house.settings",
            subject="house",
            permission="ledger.stop_stakes",
            content={"rake_bps": 500},
            before={"rake_bps": 1000},
            reason="a week of half the rake",
            verified_at=timezone.now(),
        )
        return int(made.pk)

    def confirm(self, row: int, second: User) -> None:
        services.proposal_decide(
            proposal_id=row,
            kind="house.settings",
            actor=second,
            verified_at=timezone.now(),
            action=lambda _proposal: None,
        )

    def done(self, row: int) -> bool:
        return Proposal.objects.get(pk=row).state == "done"

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE ledger_proposal SET state = 'done', decided_by_id = %s, decided_at = now()"
            " WHERE id = %s",
            [second.pk, row],
        )


class AnAdjustment(Kind):
    table, columns = "ledger_adjustment", ("proposed_at",)

    def begin(self, first: User, about: User) -> int:
        made = services.adjustment_propose(
            verified_at=timezone.now(),
            actor=first,
            user=about,
            amount_cents=2_100,
            reason="a lost prize",
            client_key="first",
        )
        return int(made.pk)

    def confirm(self, row: int, second: User) -> None:
        services.adjustment_approve(adjustment_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        return Adjustment.objects.get(pk=row).state == "booked"

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE ledger_adjustment SET state = 'booked', decided_by_id = %s, decided_at = now()"
            " WHERE id = %s",
            [second.pk, row],
        )


class Vouchers(Kind):
    table, columns = "ledger_proposal", ("proposed_at",)

    def begin(self, first: User, about: User) -> int:
        services.voucher_make(
            verified_at=timezone.now(), actor=first, amount_cents=2_100, note="a raffle"
        )
        return int(Proposal.objects.get(kind="voucher.confirm").pk)

    def confirm(self, row: int, second: User) -> None:
        services.voucher_confirm(proposal_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        ids = Proposal.objects.get(pk=row).content["ids"]
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT bool_or(confirmed_by_id IS NOT NULL) FROM ledger_voucher"
                " WHERE id = ANY(%s)",
                [ids],
            )
            return bool(cursor.fetchone()[0])

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        ids = Proposal.objects.get(pk=row).content["ids"]
        return (
            "UPDATE ledger_voucher SET confirmed_by_id = %s, confirmed_at = now()"
            " WHERE id = ANY(%s)",
            [second.pk, ids],
        )


class ARole(Kind):
    table, columns = "accounts_rolegrant", ("asked_at",)

    def begin(self, first: User, about: User) -> int:
        made = role_change(
            user_id=about.pk,
            role=Role.MODERATOR,
            actor=first,
            reason="helps out",
            verified_at=timezone.now(),
        )
        assert made is not None
        return int(made.pk)

    def confirm(self, row: int, second: User) -> None:
        role_confirm(grant_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        return RoleGrant.objects.get(pk=row).effective_at is not None

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE accounts_rolegrant SET confirmed_by_id = %s, confirmed_at = now(),"
            " effective_at = now() WHERE id = %s",
            [second.pk, row],
        )


class AnIdentity(Kind):
    table, columns = "accounts_identitychange", ("asked_at",)

    def begin(self, first: User, about: User) -> int:
        made = identity_change(
            user_id=about.pk,
            kind=IdentityKind.ADDRESS,
            value="other@example.org",
            actor=first,
            reason="lost the old one",
            verified_at=timezone.now(),
        )
        assert made.waits
        return int(made.pk)

    def confirm(self, row: int, second: User) -> None:
        identity_confirm(change_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        return IdentityChange.objects.get(pk=row).effective_at is not None

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE accounts_identitychange SET confirmed_by_id = %s, confirmed_at = now(),"
            " effective_at = now() WHERE id = %s",
            [second.pk, row],
        )


class APayout(Kind):
    table, columns = "ledger_payout", ("approved_at",)

    def begin(self, first: User, about: User) -> int:
        payout = payout_asked(about, 4_000)
        services.payout_approve(payout_id=payout.pk, actor=first, verified_at=timezone.now())
        return int(payout.pk)

    def confirm(self, row: int, second: User) -> None:
        services.payout_claim(payout_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        return Payout.objects.get(pk=row).state in ("paying", "paid")

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE ledger_payout SET state = 'paying', claimed_by_id = %s, claimed_at = now()"
            " WHERE id = %s",
            [second.pk, row],
        )


KINDS = [AProposal(), AnAdjustment(), Vouchers(), ARole(), AnIdentity(), APayout()]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)


def refused(kind: Kind, row: int, second: User, error: type[Exception] | None = None) -> None:
    """The services refuse the second person, or send a payout back."""
    if error is not None:
        with pytest.raises(error), transaction.atomic():
            kind.confirm(row, second)
    else:  # a payout is not refused but goes back
        try:
            with transaction.atomic():
                kind.confirm(row, second)
        except (LedgerError, RoleError):
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
    refused(kind, row, anna, NotAllowed)


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
    role_confirm(grant_id=grant.pk, actor=bert, verified_at=timezone.now())
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


# --- what takes effect without a second person ---


def test_what_waits_for_its_time_needs_a_first_person_in_office_and_is_not_old(
    anna: User, bert: User, about: User
) -> None:
    grant = ARole().begin(anna, about)
    change = AnIdentity().begin(anna, about)
    for table, row in (("accounts_rolegrant", grant), ("accounts_identitychange", change)):
        aged(table, row, "asked_at", "effective_from")
    assert (roles_take_effect(), identities_take_effect()) == (0, 0)
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
    back = services.payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    assert (back.state, back.approved_by, back.claimed_by) == ("requested", None, None)
    services.payout_approve(payout_id=approved.pk, actor=carl, verified_at=timezone.now())
    services.payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    paid = services.payout_settle(
        payout_id=approved.pk, actor=bert, verified_at=timezone.now(), receipt="4711"
    )
    assert (paid.state, wallet_balance(about.pk)) == ("paid", held)


def test_what_is_being_paid_goes_back_too(
    approved: Payout, anna: User, bert: User, carl: User, about: User
) -> None:
    services.payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    dismissed(anna, carl)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    back = services.payout_settle(
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
    services.payout_claim(payout_id=approved.pk, actor=bert, verified_at=timezone.now())
    assert not any(result.findings for result in run(only=("A18",)).results)
    services.payout_approve(payout_id=approved.pk, actor=carl, verified_at=timezone.now())
    assert not any(result.findings for result in run(only=("A18",)).results)


def test_an_old_adjustment_can_still_be_refused(
    anna: User, bert: User, carl: User, about: User
) -> None:
    row = AnAdjustment().begin(anna, about)
    aged("ledger_adjustment", row, "proposed_at")
    with pytest.raises(WrongState):
        AnAdjustment().confirm(row, bert)
    dismissed(anna, carl)
    refused_one = services.adjustment_refuse(
        adjustment_id=row, actor=bert, reason="too old", verified_at=timezone.now()
    )
    assert refused_one.state == "refused"
