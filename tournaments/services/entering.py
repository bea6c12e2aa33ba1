"""Entering, withdrawing, and coming to one's match."""

import secrets
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction

from accounts.models import User
from games.modes.terms import Terms as TableTerms
from games.services.guests import GuestsPlayFree
from games.services.people import account_check, apart_check
from games.services.seats import person_lock
from games.table.errors import BadTerms, NotSeated
from tournaments import settlement
from tournaments.errors import AddedByYou, FeeNotPossible, MembersOnly, PlaysNow
from tournaments.models import Entry, Meeting, Tournament
from tournaments.services.clubs import is_member
from tournaments.services.running import move_on
from tournaments.services.store import Work, refusals_named, table_terms_of, tournament_lock

PART_BYTES: Final = 16


def tournament_enter(*, user: User, tournament_id: UUID, part: str = "") -> Entry:
    """Enter: the fee goes into escrow, or nothing happens. A second call returns the same entry.

    `part` (hex, 32 digits) is the player's part in the draw; without one it is drawn here. Raises
    `NoSuchTournament`, `Busy`, `Refused` (phase, full), `FeeNotPossible`, and what
    `account_check` and `apart_check` do.
    """
    part = _part(part)
    try:
        with transaction.atomic(durable=True):
            person_lock(user.pk)
            tournament = tournament_lock(tournament_id)
            assert tournament is not None
            known = Entry.objects.filter(
                tournament=tournament, user=user, withdrawn_at__isnull=True
            ).first()
            if known is not None:
                return known
            _check(user, tournament)
            return _enter(user, tournament, part)
    except settlement.StakeRefused as error:
        raise FeeNotPossible(str(error), reason=error.code) from error


def _enter(user: User, tournament: Tournament, part: str) -> Entry:
    work = Work(tournament)
    with refusals_named():
        work.engine.enter(user.pk, work.now_ms)
    entry = Entry.objects.create(
        tournament=tournament,
        user=user,
        number=Entry.objects.filter(tournament=tournament).count() + 1,
        part=part,
        entered_at=work.now,
    )
    if tournament.starts_at is None and len(work.engine.state.entrants) == work.engine.terms.most:
        tournament.wake_at = work.now
    work.store()
    settlement.fee_take(entry)
    return entry


def _part(part: str) -> str:
    if not part:
        return secrets.token_hex(PART_BYTES)
    try:
        if len(bytes.fromhex(part)) == PART_BYTES:
            return part.lower()
    except ValueError:
        pass
    raise BadTerms(f"a part in the draw has {2 * PART_BYTES} hexadecimal digits", field="part")


def _check(user: User, tournament: Tournament) -> None:
    """Raise what keeps this person out: an account, a bar, or a link with another entrant."""
    if user.is_guest:
        raise GuestsPlayFree("guests play at tables; for tournaments one needs an account")
    terms = _as_staked(tournament)
    account_check(user.pk, terms)
    if tournament.members_only and not is_member(tournament.club_id, user.pk):
        raise MembersOnly("this tournament is for members of its club")
    if not tournament.fee_cents:
        return
    if user.pk in settlement.adders(tournament):
        raise AddedByYou("nobody plays for credits that they added themselves")
    others = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    for other_id in others.values_list("user_id", flat=True):
        apart_check(user.pk, other_id, terms)


def _as_staked(tournament: Tournament) -> TableTerms:
    """The terms of a table whose stake is the fee: for credits the same people may play."""
    return msgspec.structs.replace(table_terms_of(tournament), stake_cents=tournament.fee_cents)


def tournament_withdraw(*, user: User, tournament_id: UUID) -> None:
    """Withdraw: before the draw the fee comes back, after it every further match is lost.

    Raises `NoSuchTournament`, `Busy`, `Refused`, and `PlaysNow` while a match of theirs runs.
    """
    with transaction.atomic(durable=True):
        person_lock(user.pk)
        tournament = tournament_lock(tournament_id)
        assert tournament is not None
        work = Work(tournament)
        entry = Entry.objects.filter(
            tournament=tournament, user=user, withdrawn_at__isnull=True
        ).first()
        before_the_draw = work.engine.state.phase == "registering"
        if entry is not None and not before_the_draw and _table_runs(tournament, user.pk):
            raise PlaysNow("finish your match first, or leave its table and forfeit it")
        with refusals_named():
            work.engine.withdraw(user.pk, work.now_ms)
        assert entry is not None, "only those who entered withdraw"
        if before_the_draw:
            entry.withdrawn_at = work.now
            entry.save(update_fields=["withdrawn_at"])
            work.store()
            settlement.fee_back(entry)
        else:
            entry.gave_up_at = work.now
            entry.save(update_fields=["gave_up_at"])
            move_on(work)


def _table_runs(tournament: Tournament, user_id: int) -> bool:
    running = Meeting.objects.filter(
        tournament=tournament, decided_at__isnull=True, undone=False, match__isnull=False
    )
    return any(user_id in meeting.players for meeting in running)


def meeting_ready(*, user: User, tournament_id: UUID) -> Meeting:
    """Be there for one's match; the table opens as soon as both are. Safe to repeat.

    Raises `NoSuchTournament`, `Busy`, `NotSeated` where no match of theirs is called.
    """
    with transaction.atomic(durable=True):
        tournament = tournament_lock(tournament_id)
        assert tournament is not None
        waiting = Meeting.objects.filter(
            tournament=tournament, decided_at__isnull=True, undone=False
        )
        meeting = next((each for each in waiting if user.pk in each.players), None)
        if meeting is None:
            raise NotSeated("no match of yours is called now")
        if meeting.match_id is None:
            seat = meeting.players.index(user.pk)
            name = f"ready_{seat}"
            setattr(meeting, name, True)
            meeting.save(update_fields=[name])
            if meeting.ready_0 and meeting.ready_1:
                move_on(Work(tournament))
                meeting.refresh_from_db()
        return meeting
