"""The autopilot: draws, calls players, opens their tables, takes in results, pays prizes.

What is due stands in rows, so nothing is lost and nothing happens twice, wherever it runs.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from games.broadcast import person_channel, publish_on_commit
from games.modes.terms import Terms as TableTerms
from games.services.commit import free_row_lock
from games.services.dice.keys import draw_show
from games.services.house_bots import bot_strengths
from games.services.outages import counts_since
from games.services.people import account_check
from games.services.tables import seat_given_up, table_arrange
from games.table.errors import TableError
from tournaments import settlement
from tournaments.engine import events as ev
from tournaments.engine.draws import seed_of
from tournaments.engine.formats import format_of
from tournaments.engine.state import TournamentState
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.pools import Pool
from tournaments.services import admission
from tournaments.services.store import TournamentWork, table_terms_of

#: how long players have to come to a called match before its table opens without them.
GRACE: Final = timedelta(minutes=5)
#: how often a running tournament is looked at whose format pairs or ends by time.
PULSE: Final = timedelta(seconds=15)


def tournaments_due() -> QuerySet[Tournament]:
    """The tournaments in which something may be due, in any order."""
    awake = Q(wake_at__lte=Now())
    ended = Q(
        meetings__decided_at__isnull=True,
        meetings__undone=False,
        meetings__match__ended_at__isnull=False,
    )
    called = Q(
        meetings__decided_at__isnull=True,
        meetings__undone=False,
        meetings__match__isnull=True,
        meetings__due_at__lte=Now(),
    )
    found = Tournament.objects.filter(awake | ((ended | called) & Q(phase=Phase.RUNNING)))
    return Tournament.objects.filter(pk__in=found.values("pk")).order_by("?")


def tournament_move_on(tournament_id: UUID) -> bool:
    """Move one tournament on; False if somebody else does at the moment."""
    with transaction.atomic(durable=True):
        tournament = free_row_lock(Tournament, tournament_id)
        if tournament is None:
            return False
        move_on(TournamentWork(tournament))
        return True


def move_on(work: TournamentWork) -> None:
    """Do what is due in a locked tournament, in the caller's transaction, and store it."""
    if work.engine.state.phase == "registering":
        _draw_if_due(work)
    if work.engine.state.phase == "running":
        _results_take(work)
        _go_on(work)
        while _unfit_withdraw(work):
            _go_on(work)
        _tables_open(work)
    _finish(work)


def _go_on(work: TournamentWork) -> None:
    """Pair, and let the rows of the meetings follow from the new events."""
    work.engine.autopilot(work.now_ms)
    _meetings_keep(work)


def _draw_if_due(work: TournamentWork) -> None:
    tournament, state = work.tournament, work.engine.state
    if tournament.starts_at is None:
        due = len(state.entrants) == work.engine.terms.most
    else:
        due = tournament.starts_at <= work.now
    if not due:
        return
    taken = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    parts = list(taken.order_by("number").values_list("number", "part"))
    secret = draw_show(tournament.pk, bytes(tournament.hidden_secret))
    work.engine.draw(seed_of(secret, parts), work.now_ms)
    if work.engine.state.phase == "running":
        tournament.secret, tournament.drawn_at = secret, work.now


def _results_take(work: TournamentWork) -> None:
    """Take in the results of ended matches; a match that does not count is played again."""
    ended = _waiting(work.tournament).filter(match__ended_at__isnull=False)
    for meeting in ended.select_related("match").order_by("match__ended_at", "number"):
        match = meeting.match
        assert match is not None
        given_up = seat_given_up(match)
        if given_up is not None:
            winner, how = meeting.players[1 - given_up], ev.How.NO_SHOW
        elif match.winner_seat is not None:
            winner = meeting.players[match.winner_seat]
            how = ev.How.ADJUDICATED if match.ending == "adjudicated" else ev.How.PLAYED
        else:
            _call(meeting, work)
            continue
        work.engine.decide(meeting.number, winner, work.now_ms, how)


def _call(meeting: Meeting, work: TournamentWork) -> None:
    """Call both players again: the match before was voided or a tie."""
    now = work.now
    meeting.table = meeting.match = None
    bots = bot_strengths(meeting.players)
    meeting.ready_0, meeting.ready_1 = (player in bots for player in meeting.players)
    meeting.called_at, meeting.due_at = now, now + GRACE
    meeting.save()
    work.moved = True


def _waiting(tournament: Tournament) -> QuerySet[Meeting]:
    return Meeting.objects.filter(tournament=tournament, decided_at__isnull=True, undone=False)


def _meetings_keep(work: TournamentWork) -> None:
    for event in work.unkept():
        if isinstance(event, ev.Paired):
            one, two = event.players
            bots = bot_strengths(event.players)
            Meeting.objects.create(
                tournament=work.tournament,
                number=event.number,
                place=event.place,
                player_0_id=one,
                player_1_id=two,
                called_at=work.now,
                due_at=work.now + GRACE,
                ready_0=one in bots,
                ready_1=two in bots,
            )
            for player in event.players:
                publish_on_commit(person_channel(player), {"type": "challenge"})
        elif isinstance(event, ev.Decided):
            _waiting(work.tournament).filter(number=event.number).update(decided_at=work.now)
        elif isinstance(event, ev.Corrected) and event.undone:
            Meeting.objects.filter(
                tournament=work.tournament, number__in=event.undone, decided_at__isnull=True
            ).update(undone=True)


def _unfit_withdraw(work: TournamentWork) -> bool:
    """Withdraw players who may sit at no table any more, when theirs would open; any of them."""
    terms = table_terms_of(work.tournament)
    unfit = {
        player
        for meeting in _to_open(work)
        for player in meeting.players
        if not _may_sit(player, terms)
    }
    for player in unfit:
        work.engine.withdraw(player, work.now_ms)
        Entry.objects.filter(
            tournament=work.tournament, user=player, withdrawn_at__isnull=True
        ).update(gave_up_at=work.now)
    return bool(unfit)


def _may_sit(player: int, terms: TableTerms) -> bool:
    try:
        account_check(player, terms)
    except TableError:
        return False
    return True


def _to_open(work: TournamentWork) -> list[Meeting]:
    """The called meetings whose players are both there, or whose grace is over."""
    called = _waiting(work.tournament).filter(match__isnull=True).order_by("number")
    return [
        meeting
        for meeting in called
        if (meeting.ready_0 and meeting.ready_1) or _grace_is_over(work, meeting)
    ]


def _grace_is_over(work: TournamentWork, meeting: Meeting) -> bool:
    """Whether they had all of their time; those who were called before an outage could not come."""
    if meeting.due_at > work.now:
        return False
    counts = counts_since(meeting.called_at, work.now_ms)
    return counts is not None and (counts == meeting.called_at or counts + GRACE <= work.now)


def _tables_open(work: TournamentWork) -> None:
    for meeting in _to_open(work):
        _table_open(work, meeting)


def _table_open(work: TournamentWork, meeting: Meeting) -> None:
    """Open a table for a meeting; the one who is there already has the first seat."""
    players = meeting.players
    if meeting.ready_1 and not meeting.ready_0:
        players = (players[1], players[0])
    table, match_id = table_arrange(players, table_terms_of(work.tournament))
    meeting.table, meeting.match_id = table, UUID(match_id)
    meeting.player_0_id, meeting.player_1_id = players
    meeting.ready_0 = meeting.ready_1 = True
    meeting.save()
    work.moved = True


def _finish(work: TournamentWork) -> None:
    """Store, and pay where the tournament has ended."""
    tournament, state = work.tournament, work.engine.state
    ended = state.phase in ("over", "called_off") and tournament.ended_at is None
    prizes: dict[int, int] = {}
    if ended:
        tournament.ended_at, tournament.wake_at = work.now, None
        if state.phase == "over":
            prizes = _places_write(work)
    else:
        tournament.wake_at = wake_at(work)
    target = admission.target_lock(tournament) if state.phase == "over" and ended else None
    work.store()
    if ended:
        _pay(work, prizes)
    if target is not None:
        pool = pool_of(tournament, len(state.entrants))
        admission.seats_take(tournament, target, pool.winners_of_seats(state.ranks))


def _places_write(work: TournamentWork) -> dict[int, int]:
    """Write everybody's places and prizes; return the prizes."""
    tournament, ranks = work.tournament, work.engine.state.ranks
    pool = pool_of(tournament, sum(map(len, ranks)))
    prizes = pool.of_players(ranks, side_winners(work.engine.state))
    tournament.rake_cents = pool.rake_cents
    entries = {
        entry.user_id: entry
        for entry in Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    }
    first = 1
    for group in ranks:
        for player in group:
            entry = entries[player]
            entry.first_place, entry.last_place = first, first + len(group) - 1
            entry.prize_cents = prizes.get(player, 0)
            entry.save(update_fields=["first_place", "last_place", "prize_cents"])
        first += len(group)
    return prizes


def pool_of(tournament: Tournament, entries: int) -> Pool:
    """The pool with so many entries."""
    return Pool(
        tournament.fee_cents,
        tournament.rake_bps,
        tuple(tournament.shares_bps),
        entries,
        tournament.added_cents,
        tournament.satellite_of.fee_cents if tournament.satellite_of is not None else 0,
        tuple(tournament.sides_bps),
    )


def side_winners(state: TournamentState) -> tuple[int | None, ...]:
    """The winners of the brackets beside the main one, as far as there are any."""
    return format_of(state.terms).side_winners(state)


def _pay(work: TournamentWork, prizes: dict[int, int]) -> None:
    tournament, state = work.tournament, work.engine.state
    if state.phase == "over":
        settlement.prizes_pay(tournament, prizes, tournament.rake_cents or 0)
    else:
        settlement.all_go_back(tournament, list(state.entrants))


def wake_at(work: TournamentWork) -> datetime | None:
    """When to look at it again without being called; None where somebody has to act first."""
    tournament, state = work.tournament, work.engine.state
    if state.phase == "registering":
        return tournament.starts_at
    if work.engine.terms.format == "arena":
        return work.now + PULSE
    return None
