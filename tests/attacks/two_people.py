"""Each kind of decision of two people: how it begins, how it ends, and how to see its end."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.decisions import IdentityKind
from accounts.models import User
from accounts.roles import Role
from fairplay.cases import Alarm, case_open
from fairplay.models import CaseKind, Opinion
from fairplay.procedure import CaseState, CaseVerdict, Sanction
from fairplay.reviews import opinion_give
from harness.wallets import payout_asked
from ledger.models import Adjustment, Payout, Proposal
from ledger.services.adjustments import adjustment_make
from ledger.services.payouts import payout_approve, payout_claim
from ledger.services.proposals import proposal_confirm, proposal_kind, proposal_make
from ledger.services.vouchers import voucher_make
from pasch.staff.decisions import StaffKind, decision_confirm
from pasch.staff.identities import IDENTITIES, identity_change
from pasch.staff.roles import ROLES, role_change

AGED = timedelta(days=8)


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


@proposal_kind("house.settings", permission="ledger.stop_stakes")
def nothing(_proposal: Proposal, _actor: User) -> None:
    """Carry out what the test proposes."""


class Proposed(Kind):
    """What is a proposal until its second person confirms it."""

    table, columns = "ledger_proposal", ("proposed_at",)

    def confirm(self, row: int, second: User) -> None:
        proposal_confirm(proposal_id=row, actor=second, verified_at=timezone.now())


class AProposal(Proposed):
    def begin(self, first: User, about: User) -> int:
        made = proposal_make(
            actor=first,
            kind="house.settings",
            subject="house",
            content={"rake_bps": 500},
            before={"rake_bps": 1000},
            reason="a week of half the rake",
            verified_at=timezone.now(),
        )
        return int(made.pk)

    def done(self, row: int) -> bool:
        return Proposal.objects.get(pk=row).state == "done"

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE ledger_proposal SET state = 'done', decided_by_id = %s, decided_at = now()"
            " WHERE id = %s",
            [second.pk, row],
        )


class AnAdjustment(Proposed):
    def begin(self, first: User, about: User) -> int:
        made = adjustment_make(
            verified_at=timezone.now(),
            actor=first,
            user=about,
            amount_cents=2_100,
            reason="a lost prize",
            client_key="first",
        )
        return int(made.pk)

    def done(self, row: int) -> bool:
        return Adjustment.objects.filter(proposal=row).exists()

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "INSERT INTO ledger_adjustment (id, user_id, client_key, amount_cents, reason,"
            " proposed_by_id, confirmed_by_id, proposal_id)"
            " SELECT 700, (content ->> 'user')::bigint, 'x', 2100, reason, proposed_by_id, %s, id"
            " FROM ledger_proposal WHERE id = %s;"
            "SELECT ledger_post('adjustment:700', 'adjust', 'adjustment:700',"
            " ARRAY['adjustment', 'wallet:' || user_id], ARRAY[-2100, 2100]::bigint[],"
            " proposed_by_id, confirmed_by_id, reason) FROM ledger_adjustment WHERE id = 700;"
            "SET CONSTRAINTS ALL IMMEDIATE",
            [second.pk, row],
        )


class Vouchers(Proposed):
    def begin(self, first: User, about: User) -> int:
        voucher_make(verified_at=timezone.now(), actor=first, amount_cents=2_100, note="a raffle")
        return int(Proposal.objects.get(kind="voucher.confirm").pk)

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


class AboutStaff(Kind):
    """What is decided about a member of the staff."""

    columns = ("asked_at",)
    decisions: StaffKind

    def confirm(self, row: int, second: User) -> None:
        decision_confirm(self.decisions, decision_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        return self.decisions.model.objects.get(pk=row).effective_at is not None

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            f"UPDATE {self.table} SET confirmed_by_id = %s, confirmed_at = now(),"
            " effective_at = now() WHERE id = %s",
            [second.pk, row],
        )


class ARole(AboutStaff):
    table, decisions = "accounts_rolegrant", ROLES

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


class AnIdentity(AboutStaff):
    table, decisions = "accounts_identitychange", IDENTITIES

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


class APayout(Kind):
    table, columns = "ledger_payout", ("approved_at",)

    def begin(self, first: User, about: User) -> int:
        payout = payout_asked(about, 4_000)
        payout_approve(payout_id=payout.pk, actor=first, verified_at=timezone.now())
        return int(payout.pk)

    def confirm(self, row: int, second: User) -> None:
        payout_claim(payout_id=row, actor=second, verified_at=timezone.now())

    def done(self, row: int) -> bool:
        return Payout.objects.get(pk=row).state in ("paying", "paid")

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        return (
            "UPDATE ledger_payout SET state = 'paying', claimed_by_id = %s, claimed_at = now()"
            " WHERE id = %s",
            [second.pk, row],
        )


class AnOpinion(Kind):
    """The second opinion decides a case; the row is the first one."""

    table, columns = "fairplay_opinion", ("made_at",)

    def begin(self, first: User, about: User) -> int:
        alarm = Alarm(kind=CaseKind.CONDUCT, accused=frozenset({about.pk}), evidence=[])
        return int(self._opinion(case_open(alarm).pk, first).pk)

    def confirm(self, row: int, second: User) -> None:
        self._opinion(Opinion.objects.get(pk=row).case_id, second)

    def done(self, row: int) -> bool:
        return Opinion.objects.get(pk=row).case.state != CaseState.OPEN

    def in_database(self, row: int, second: User) -> tuple[str, list[Any]]:
        case_id = Opinion.objects.get(pk=row).case_id
        return (
            "INSERT INTO fairplay_opinion (case_id, number, reviewer_id, sanction, refund,"
            " for_them, reasons, made_at) VALUES (%s, 2, %s, 'warning', false, 'x', 'x', now());"
            "UPDATE fairplay_case SET state = 'decided', sanction = 'warning', decided_at = now()"
            " WHERE id = %s",
            [case_id, second.pk, case_id],
        )

    def _opinion(self, case_id: int, reviewer: User) -> Opinion:
        return opinion_give(
            case_id=case_id,
            actor=reviewer,
            verdict=CaseVerdict(Sanction.WARNING),
            for_them="They were angry.",
            reasons="They said so.",
            verified_at=timezone.now(),
        )


KINDS = [
    AProposal(),
    AnAdjustment(),
    Vouchers(),
    ARole(),
    AnIdentity(),
    APayout(),
    AnOpinion(),
]
