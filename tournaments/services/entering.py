"""Entering, withdrawing, and coming to one's match."""

import secrets
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.services.answers import SentCommand, command_once
from games.services.seats import person_lock
from games.table.errors import BadTerms
from tournaments import settlement
from tournaments.errors import FeeNotPossible, NoMatchCalled, PlaysNow
from tournaments.frames import Come, Enter, TournamentCommand, Withdraw
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.services.admission import admission_check, entry_make
from tournaments.services.running import move_on
from tournaments.services.store import TournamentWork, tournament_lock

PART_BYTES: Final = 16


def tournament_command(
    *, user: User, tournament_id: UUID, command: TournamentCommand, **sent: Any
) -> int:
    """Enter, withdraw, or be there, once for each `command_id`; the number of the newest event.

    `sent` has the other fields of a `SentCommand`. Raises what the three functions below do.
    """

    def carry_out(tournament: Tournament) -> int:
        match command:
            case Enter():
                _enter(user, tournament, command.part)
            case Withdraw():
                _withdraw(user, tournament)
            case Come():
                _come(user, tournament)
        return tournament.seq

    known = SentCommand(tournament_id, user.pk, **sent)
    return command_once(known, partial(_locked, user), carry_out)


def tournament_enter(*, user: User, tournament_id: UUID, part: str = "") -> Entry:
    """Enter: the fee goes into escrow, or nothing happens. A second call returns the same entry.

    `part` (hex, 32 digits) is the player's part in the draw; without one it is drawn here. Who has
    won the seat may give theirs once before the draw. Raises `NoSuchTournament`, `Busy`, `Refused`
    (phase, full), `FeeNotPossible`, and what `admission_check` does.
    """
    with transaction.atomic(durable=True):
        return _enter(user, _locked(user, tournament_id), part)


def tournament_withdraw(*, user: User, tournament_id: UUID) -> None:
    """Withdraw: before the draw the fee comes back, after it every further match is lost.

    Raises `NoSuchTournament`, `Busy`, `Refused`, and `PlaysNow` while a match of theirs runs.
    """
    with transaction.atomic(durable=True):
        _withdraw(user, _locked(user, tournament_id))


def meeting_ready(*, user: User, tournament_id: UUID) -> Meeting:
    """Be there for one's match; the table opens as soon as both are. Safe to repeat.

    Raises `NoSuchTournament`, `Busy`, `NotSeated` where no match of theirs is called.
    """
    with transaction.atomic(durable=True):
        return _come(user, _locked(user, tournament_id))


def _locked(user: User, tournament_id: UUID) -> Tournament:
    person_lock(user.pk)
    return tournament_lock(tournament_id)


def _enter(user: User, tournament: Tournament, part: str) -> Entry:
    part = _part(part)
    known = Entry.objects.filter(
        tournament=tournament, user=user, withdrawn_at__isnull=True
    ).first()
    if known is not None:
        return _part_give(known, part)
    admission_check(user, tournament)
    try:
        return entry_make(user, tournament, part or secrets.token_hex(PART_BYTES))
    except settlement.StakeRefused as error:
        raise FeeNotPossible(str(error), reason=error.code) from error


def _part_give(entry: Entry, part: str) -> Entry:
    """Take the part of a player who won the seat and has given none."""
    open_to_it = entry.won_in_id is not None and entry.part_given_at is None
    if part and open_to_it and entry.tournament.phase == Phase.REGISTERING:
        entry.part, entry.part_given_at = part, timezone.now()
        entry.save(update_fields=["part", "part_given_at"])
    return entry


def _part(part: str) -> str:
    if not part:
        return ""
    try:
        if len(bytes.fromhex(part)) == PART_BYTES:
            return part.lower()
    except ValueError:
        pass
    raise BadTerms(f"a part in the draw has {2 * PART_BYTES} hexadecimal digits", field="part")


def _withdraw(user: User, tournament: Tournament) -> None:
    work = TournamentWork(tournament)
    entry = Entry.objects.filter(
        tournament=tournament, user=user, withdrawn_at__isnull=True
    ).first()
    before_the_draw = work.engine.state.phase == "registering"
    if entry is not None and not before_the_draw and _table_runs(tournament, user.pk):
        raise PlaysNow("finish your match first, or leave its table and forfeit it")
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


def _come(user: User, tournament: Tournament) -> Meeting:
    waiting = Meeting.objects.filter(tournament=tournament, decided_at__isnull=True, undone=False)
    meeting = next((each for each in waiting if user.pk in each.players), None)
    if meeting is None:
        raise NoMatchCalled("no match of yours is called now")
    if meeting.match_id is None:
        seat = meeting.players.index(user.pk)
        name = f"ready_{seat}"
        setattr(meeting, name, True)
        meeting.save(update_fields=[name])
        if meeting.ready_0 and meeting.ready_1:
            move_on(TournamentWork(tournament))
            meeting.refresh_from_db()
    return meeting
