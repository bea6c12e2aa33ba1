"""An account is to be deleted, is kept after all, or is deleted, with the mails about it.

Locks (docs/locking.md): the lock of the person who sits down, challenges, tables, the person's row,
the request, and last the wallet, which the guard of the books locks
(ledger/migrations/sql/limits.sql).
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from enum import StrEnum
from typing import Final

from allauth.account.models import EmailAddress
from django.db import OperationalError, transaction
from django.db.models.functions import Now
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.decisions import WAITING, IdentityChange
from accounts.deletions import (
    DELETION_WAIT,
    AccountDeletion,
    DeletionOutcome,
    deletion_waiting,
    keep_token,
)
from accounts.identity import is_guarded
from accounts.mails import mail_enqueue
from accounts.models import User
from accounts.personal_data import mails_of_deleted_forget, name_of_deleted
from accounts.services import user_disable
from fairplay.models import Party, PartyRole
from games.kind import KIND as TABLES_FOR_TWO
from games.kinds import kinds
from games.models import WordsReport
from games.services.guests import seats_rename
from games.services.house_bots import bot_strengths
from games.services.leaving import StillPlaying, seats_leave
from games.services.seats import person_lock
from games.table.errors import Busy
from house.reader import house_now
from ledger.errors import LedgerError
from ledger.models import OPEN_STATES, Payout, Proposal
from ledger.selectors import wallet_balance, wallet_is_frozen
from ledger.selectors_desk import proposal_waits
from ledger.selectors_player import payable, payout_minimum_cents
from ledger.services.database import refusals_told
from ledger.services.decisions import journal_record
from pasch.observability.security_log import note
from pasch.personal_data import person_erase

A_DAY_MAX: Final = 3
"""A person may request it so often in 24 hours; each is a mail and a line of the journal."""


class Obstacle(StrEnum):
    """A reason why an account is not deleted now, beside the kinds of tables that hold a seat."""

    STAFF = "staff"
    PAYOUT = "payout"
    FROZEN = "frozen"
    CASE = "case"
    CREDITS = "credits"
    OFTEN = "often"
    GIVE_UP = "give_up"
    CHANGED = "changed"
    BUSY = "busy"


def obstacles(person: User) -> list[str]:
    """The reasons why this person may not request it now: obstacles and kinds of tables."""
    asked: dict[str, bool] = {
        Obstacle.STAFF: _is_of_the_house(person),
        **{kind.key: kind.holds(person.pk) for kind in kinds()},
        Obstacle.PAYOUT: Payout.objects.filter(user=person, state__in=OPEN_STATES).exists(),
        Obstacle.FROZEN: wallet_is_frozen(person.pk),
        Obstacle.CASE: _is_decided_about(person),
        Obstacle.OFTEN: is_asked_often(person.pk),
        Obstacle.CREDITS: not person.is_bot and has_payable_credits(person.pk),
    }
    return [obstacle for obstacle, stands in asked.items() if stands]


def obstacles_at_the_end(person: User, given_up_cents: int) -> list[str]:
    """The reasons why an account that was given up is not deleted yet."""
    found = obstacles(person)
    if payable(person.pk).balance_cents > given_up_cents and Obstacle.CREDITS not in found:
        found.append(Obstacle.CREDITS)
    if WordsReport.objects.filter(author=person, closed_at=None).exists() or _is_accused(person):
        found.append(Obstacle.CASE)
    return found


def _is_accused(person: User) -> bool:
    """Whether a case of fair play about the person is not over."""
    parties = Party.objects.filter(user=person, role=PartyRole.ACCUSED, case__closed_at=None)
    return parties.exists()


def is_asked_often(user_id: int) -> bool:
    """Whether this person has requested it, and kept the account, as often as allowed a day."""
    lately = timezone.now() - timedelta(days=1)
    return AccountDeletion.objects.filter(user=user_id, asked_at__gt=lately).count() >= A_DAY_MAX


def has_payable_credits(user_id: int) -> bool:
    """Whether the wallet has enough credits for a payout."""
    cents = payable(user_id).payable_cents
    return cents > 0 and cents >= payout_minimum_cents()


def _is_of_the_house(person: User) -> bool:
    staff = person.is_staff or person.is_superuser or is_guarded(person)
    return staff or bool(bot_strengths([person.pk]))


def _is_decided_about(person: User) -> bool:
    """Whether a decision of administrators about the account or its credits waits."""
    waiting = IdentityChange.objects.filter(WAITING, person=person)
    proposed = Proposal.objects.filter(proposal_waits(), subject=f"user:{person.pk}")
    return waiting.exists() or proposed.exists()


forget_delivered = mails_of_deleted_forget


def asked(person: User, deletion: AccountDeletion, keep_url: str) -> None:
    """The account is closed; until when it can be kept, and how."""
    with _language(person):
        day = date_format(timezone.localtime(deletion.due_at), "DATE_FORMAT")
        text = _(
            "You asked us to delete your account. It is now closed and will be "
            "deleted on %(day)s. To keep it, log in before then or follow this link:"
        ) % {"day": day}
        alarm = _("If this was not you, keep the account and change your password at once.")
        _send(person, _("Your account will be deleted"), f"{text}\n{keep_url}\n\n{alarm}")


def kept(person: User) -> None:
    """The account is open again."""
    with _language(person):
        text = _("Your account is open again and will not be deleted. You can log in as before.")
        _send(person, _("Your account is kept"), text)


def held(person: User) -> None:
    """The account could not be deleted yet."""
    with _language(person):
        text = _(
            "Your account could not be deleted yet because of open credits or a "
            "pending decision. It stays closed. Log in to keep it, or write to us."
        )
        _send(person, _("Your account is not deleted yet"), text)


def done(person: User) -> None:
    """The account is deleted; the last mail to this person."""
    with _language(person):
        text = _("Your account has been deleted. This is the last mail to this address.")
        _send(person, _("Your account is deleted"), text)


@contextmanager
def _language(person: User) -> Iterator[None]:
    with translation.override(house_now().language(person.language)):
        yield


def _send(person: User, subject: str, text: str) -> None:
    greeting = _("Hello %(name)s,") % {"name": person.get_username()}
    proved = EmailAddress.objects.filter(user=person, verified=True)
    for address in dict.fromkeys((person.email, *proved.values_list("email", flat=True))):
        if address:
            mail_enqueue(
                to=address,
                subject=subject,
                body=f"{greeting}\n\n{text}\n",
                about=f"user:{person.pk}",
            )


BATCH = 50
"""So many accounts are deleted in one run of the task."""

_log = logging.getLogger("pasch.deletion")


class DeletionRefused(ValueError):
    """The account is not deleted now; `obstacle` is the reason."""

    def __init__(self, obstacle: str) -> None:
        self.obstacle = obstacle
        super().__init__(f"not deleted now: {obstacle}")


class _Over(Exception):
    """The request has been answered meanwhile."""


def deletion_ask(
    *, user_id: int, given_up_cents: int, keep_url: Callable[[str], str]
) -> AccountDeletion:
    """Close an account at once, to be deleted after `DELETION_WAIT`.

    `given_up_cents` is what the person leaves in the wallet, all of it; `keep_url` makes the link
    for the mail from the signed text that keeps the account. Raises `DeletionRefused`; then
    nothing has changed.
    """
    try:
        with transaction.atomic(durable=True):
            return _ask(user_id, given_up_cents, keep_url)
    except StillPlaying as error:
        raise DeletionRefused(TABLES_FOR_TWO.key) from error
    except (Busy, OperationalError) as error:
        raise DeletionRefused(Obstacle.BUSY) from error
    except LedgerError as error:  # a stake or a payout was quicker
        raise DeletionRefused(Obstacle.CHANGED) from error


def _ask(user_id: int, given_up_cents: int, keep_url: Callable[[str], str]) -> AccountDeletion:
    seats_leave(User.objects.get(pk=user_id))
    person = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if person.is_guest or not person.is_active:
        raise DeletionRefused(Obstacle.CHANGED)
    if found := obstacles(person):
        raise DeletionRefused(found[0])
    if wallet_balance(user_id) != given_up_cents:
        raise DeletionRefused(Obstacle.GIVE_UP)
    with refusals_told():
        deletion = AccountDeletion.objects.create(
            user=person, due_at=timezone.now() + DELETION_WAIT, given_up_cents=given_up_cents
        )
    user_disable(person)
    _journal(person, "account.deletion_asked", "open", "closed", given_up_cents=given_up_cents)
    asked(person, deletion, keep_url(keep_token(deletion)))
    note("deletion_asked", user_id=user_id)
    return deletion


@transaction.atomic
def deletion_keep(*, deletion_id: int) -> bool:
    """Open the account again, as its owner wishes; False if this request waits no longer."""
    asked = AccountDeletion.objects.get(pk=deletion_id)
    person = User.objects.select_for_update(no_key=True).get(pk=asked.user_id)
    waiting = AccountDeletion.objects.filter(pk=deletion_id, outcome=DeletionOutcome.WAITING)
    if not waiting.update(outcome=DeletionOutcome.KEPT, ended_at=Now()):
        return False
    person.is_active = True
    person.save(update_fields=["is_active"])
    _journal(person, "account.deletion_kept", "closed", "open")
    kept(person)
    note("deletion_kept", user_id=person.pk)
    return True


def deletions_finish() -> int:
    """Delete the accounts whose waiting time is over; answers how many.

    Each is one transaction, so a run that breaks off is continued by the next. An account with an
    obstacle waits, closed, and is tried again; its row has the reason.
    """
    due = AccountDeletion.objects.filter(
        outcome=DeletionOutcome.WAITING, due_at__lte=timezone.now()
    )
    ids = due.order_by("held_by", "due_at").values_list("pk", flat=True)[:BATCH]
    done = sum(_finish(deletion_id) for deletion_id in list(ids))
    forget_delivered()
    return done


def _finish(deletion_id: int) -> bool:
    try:
        with transaction.atomic(durable=True):
            _delete(AccountDeletion.objects.get(pk=deletion_id).user_id, deletion_id)
    except _Over:
        return False
    except DeletionRefused as refused:
        _hold(deletion_id, refused.obstacle)
        return False
    except LedgerError:
        _hold(deletion_id, Obstacle.CHANGED)
        return False
    except OperationalError as error:  # the next run tries again
        _log.warning("deletion %s: %s", deletion_id, error)
        return False
    return True


def _delete(user_id: int, deletion_id: int) -> None:
    person_lock(user_id)
    seats_rename(user_id, name_of_deleted(user_id))  # it locks tables, so it comes first
    person = User.objects.select_for_update(no_key=True).get(pk=user_id)
    deletion = deletion_waiting(user_id)
    if deletion is None or deletion.pk != deletion_id:
        raise _Over
    if found := obstacles_at_the_end(person, deletion.given_up_cents):
        raise DeletionRefused(found[0])
    with refusals_told():
        deletion.outcome, deletion.held_by = DeletionOutcome.DONE, ""
        deletion.ended_at = timezone.now()
        deletion.save(update_fields=["outcome", "held_by", "ended_at"])
    done(person)
    person_erase(person)
    _journal(person, "account.deleted", "closed", "deleted")
    note("account_deleted", user_id=user_id)


def _hold(deletion_id: int, obstacle: str) -> None:
    """Write down why an account is not deleted yet, and mail it to its owner once."""
    with transaction.atomic():
        waiting = AccountDeletion.objects.filter(pk=deletion_id, outcome=DeletionOutcome.WAITING)
        if waiting.exclude(held_by=obstacle).update(held_by=obstacle):
            held(waiting.select_related("user").get().user)
            note("deletion_held", deletion_id=deletion_id, obstacle=str(obstacle))


def _journal(person: User, verb: str, before: str, after: str, **more: object) -> None:
    journal_record(
        actor=person,
        verb=verb,
        subject=f"user:{person.pk}",
        before={"account": before},
        after={"account": after, **more},
        reason="the owner's wish",
    )
