"""Tournaments as a kind of table: what the site has to know about them."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_lazy

from games.kinds import Credits, RunningFigure, TableKind
from kit.personal_data import PersonalData, part_of
from tournaments.audit import CHECKS
from tournaments.frames import TournamentFrame, TournamentServerFrame
from tournaments.models import Club, ClubInvitation, Entry, Meeting, Membership, Tournament
from tournaments.selectors import entered_by
from tournaments.services.gains import TOURNAMENT_GAINS
from tournaments.services.offering import (
    GONE_SECONDS,
    offers_keep,
    offers_wait,
    people_seated,
    seats_give_up,
)
from tournaments.services.running import tournament_move_on, tournaments_due

EXPORTED: Final = (
    part_of(
        "tournament_entries",
        Entry,
        by=("user",),
        columns="tournament_id tournament__name number part entered_at withdrawn_at gave_up_at"
        " first_place last_place prize_cents",
    ),
    part_of(
        "tournament_meetings",
        Meeting,
        by=("player_0", "player_1"),
        columns="tournament_id number place match_id called_at decided_at",
        order="called_at",
    ),
    part_of("clubs", Membership, by=("user",), columns="club_id club__name standing since"),
    part_of(
        "club_invitations",
        ClubInvitation,
        by=("inviter", "person"),
        columns="club_id made_at refused_at",
        order="made_at",
    ),
    part_of("clubs_founded", Club, by=("founder",), columns="id name about founded_at"),
    part_of(
        "tournaments_held",
        Tournament,
        by=("founder",),
        columns="id name created_at starts_at phase",
        order="created_at",
    ),
)

_RESULT: Final = "a result stays for the others; the account has no name any more"

PERSONAL_DATA: Final = PersonalData(
    parts=EXPORTED,
    erased=((Membership, "user"), (ClubInvitation, "person"), (ClubInvitation, "inviter")),
    kept={
        "tournaments.Club.founder": "says who founded it; the account has no name any more",
        "tournaments.Tournament.founder": "says who held it; the account has no name any more",
        "tournaments.Entry.user": _RESULT,
        "tournaments.Meeting.player_0": _RESULT,
        "tournaments.Meeting.player_1": _RESULT,
    },
    of_staff=("tournaments.WordsRemoval.taken_by",),
)

_ESCROWS: Final = """
    SELECT 'tournaments', t.ended_at IS NULL, a.balance_cents,
        CASE WHEN t.ended_at IS NULL THEN coalesce(a.balance_cents, 0) ELSE 0 END
    FROM tournaments_tournament t
    LEFT JOIN ledger_account a ON a.key = 'escrow:tournament:' || t.id
    WHERE t.phase IN ('registering', 'running') OR t.ended_at > now() - interval '10 minutes'
"""
"""How much one that still takes fees should hold is left to the audit, which reads its journal."""


def _figures() -> Iterator[RunningFigure]:
    found = {
        phase: Tournament.objects.filter(phase=phase).count()
        for phase in ("registering", "running")
    }
    yield RunningFigure("pasch_tournaments", "Tournaments, by phase.", "phase", found)


KIND: Final = TableKind(
    key="tournament",
    subject=gettext_lazy("Tournament %(id)s"),
    subject_page="tournament",
    checks=CHECKS,
    holds=lambda user_id: any(each.fee_cents for each in entered_by(user_id)),
    holds_words=gettext_lazy(
        "You have entered a tournament with an entry fee. Withdraw, or play it to its end."
    ),
    holds_page="tournaments",
    holds_at_desk=gettext_lazy("has entered a tournament with a fee"),
    personal_data=PERSONAL_DATA,
    figures=_figures,
    credits=Credits(escrow_name="tournaments", escrows=_ESCROWS, gains=TOURNAMENT_GAINS),
    void=None,  # its matches are
    still_open=lambda: Tournament.objects.filter(ended_at=None),
    due=tournaments_due,
    move_on=tournament_move_on,
    keep=offers_keep,
    keep_is_due=offers_wait,
    waiting=people_seated,
    gone_seconds=GONE_SECONDS,
    leave=seats_give_up,
    frames=(TournamentFrame, TournamentServerFrame),
)
