"""The table machine: a state, a command and the time give events, or one error.

`decide` alone determines which events a command may cause; `evolve` applies events to a state.
Nothing here reads a clock, rolls dice or makes an id: they come in with the command.
"""

from games.modes.registry import mode_of
from games.table import commands as cmd
from games.table import events as ev
from games.table import gameplay, session, takeback
from games.table.absence import claim_ms
from games.table.errors import (
    MatchOver,
    NothingDue,
    OwnTable,
    Reason,
    TableFull,
    TooEarly,
    WrongPhase,
)
from games.table.forfeit import forfeit_points
from games.table.gameplay import Events
from games.table.rights import permit
from games.table.setup import setup_check
from games.table.state import RUNNING_PHASES, Match, TableState, other, running_match, seated
from games.table.verdict import verdict_of


def decide(state: TableState, command: cmd.Command, now_ms: int, seat: int | None = None) -> Events:
    """The events that `command` causes, in order.

    `seat` is the author's seat (None: the house itself). Raises a `TableError` that names the
    cause; then nothing has happened.
    """
    match command:
        case cmd.OpenTable():
            return (ev.TableOpened(at_ms=now_ms, player=command.player, terms=command.terms),)
        case cmd.Sit():
            return _sit(state, command, now_ms)
        case cmd.WakeUp():
            return _wake_up(state, now_ms)
        case cmd.Settle():
            return _settle(state, command, now_ms)
        case cmd.Void():
            return _void_by_house(state, now_ms)
        case cmd.Adjudicate():
            return _adjudicate(state, command, now_ms)
        case cmd.CreditOutage():
            return _credit_outage(state, command, now_ms)
    return _decide_seated(state, command, now_ms, seated(seat))


def dice_count(state: TableState) -> int:
    """How many dice the roll has that comes next: a roll-off has one from each player."""
    roll_off = state.game is not None and state.game.starter is None
    return 2 if roll_off else state.variant.dice_count


def due_ms(state: TableState) -> int | None:
    """When the table must be woken up: time ends, dice wait no longer, a game starts, it closes."""
    if state.phase == "rolling":
        return dice_due_ms(state)
    if state.phase in ("between_games", "over"):
        return state.next_game_ms
    return state.clock.deadline_ms() if state.decider is not None else None


def dice_due_ms(state: TableState) -> int | None:
    """When a requested roll stops waiting for its parts; None if no roll is pending."""
    asked = state.game.dice_asked if state.game is not None else None
    return asked.due_ms if asked is not None and state.phase == "rolling" else None


def _decide_seated(state: TableState, command: cmd.Command, now_ms: int, seat: int) -> Events:
    match command:
        case cmd.AskForDice():
            return gameplay.ask_for_dice(state, command, now_ms, seat)
        case cmd.GiveDice():
            return gameplay.dice(state, command, now_ms, seat)
        case cmd.Play():
            return gameplay.play(state, command, now_ms, seat)
        case cmd.NameDouble():
            return gameplay.name_double(state, command.number, now_ms, seat)
        case cmd.Double():
            return gameplay.double(state, now_ms, seat)
        case cmd.Take() | cmd.Drop():
            return gameplay.answer_double(state, command, now_ms, seat)
        case cmd.Beaver() | cmd.Raccoon():
            return gameplay.turn_again(state, command, now_ms, seat)
        case cmd.OfferResignation():
            return gameplay.offer_resignation(state, command.level, now_ms, seat)
        case cmd.AcceptResignation() | cmd.RefuseResignation():
            return gameplay.answer_resignation(state, command, now_ms, seat)
    return _decide_presence(state, command, now_ms, seat)


def _decide_presence(state: TableState, command: cmd.Command, now_ms: int, seat: int) -> Events:
    match command:
        case cmd.Ready():
            return _ready(state, now_ms, seat)
        case cmd.Stop():
            return session.stop(state, now_ms, seat)
        case cmd.GiveRematch():
            return _rematch(state, command, now_ms, seat)
        case cmd.StandUp():
            return _stand_up(state, now_ms, seat)
        case cmd.GiveStandUp():
            return _stand_up(state, now_ms, seat, command.successor)
        case cmd.Leave():
            return _leave(state, now_ms, seat)
        case cmd.Claim():
            return _claim(state, now_ms, seat)
        case cmd.TakeBack():
            return takeback.take_back(state, now_ms, seat)
        case cmd.NotePresence():
            return _note_presence(state, command.present, now_ms, seat)
    raise TypeError(f"{type(command).__name__} is not for the machine")


# --- sitting down, going on, standing up, leaving -----------------------------------------------


def _sit(state: TableState, command: cmd.Sit, now_ms: int) -> Events:
    if command.player in state.seats:
        raise OwnTable("you already sit at this table")
    if state.phase != "open":
        raise TableFull("this table is not open any more")
    if command.setup is not None:
        setup_check(command.setup, state.terms)
    return (
        ev.PlayerSat(at_ms=now_ms, seat=1, player=command.player),
        _match_started(command, 1, now_ms),
        *gameplay.match_opening(state, command.setup, now_ms),
    )


def _match_started(command: cmd.Sit | cmd.GiveRematch, number: int, now_ms: int) -> ev.Event:
    return ev.MatchStarted(
        at_ms=now_ms,
        match=command.match,
        number=number,
        rated=command.rated,
        rated_games=command.rated_games,
    )


def _ready(state: TableState, now_ms: int, seat: int) -> Events:
    permit(state, seat, "ready")
    ready = ev.PlayerReady(at_ms=now_ms, seat=seat)
    if not state.ready[other(seat)]:
        return (ready,)
    return (ready, gameplay.next_game(state, now_ms))


def _rematch(state: TableState, command: cmd.GiveRematch, now_ms: int, seat: int) -> Events:
    permit(state, seat, "rematch")
    assert state.match is not None, "a match is over"
    offered = ev.RematchOffered(at_ms=now_ms, seat=seat)
    if not state.rematch[other(seat)]:
        return (offered,)
    number = state.match.number + 1
    return (
        offered,
        _match_started(command, number, now_ms),
        *gameplay.match_opening(state, state.match.setup, now_ms),
    )


def reopens(state: TableState, seat: int | None) -> bool:
    """Whether a table on the same terms may open again if this seat stands up now.

    That is when a guest gives the seat back before the first roll of the first match.
    """
    if state.match is None or state.match.number > 1 or mode_of(state.terms).is_practice:
        return False
    return seat == 1 and state.before_first_roll


def _stand_up(state: TableState, now_ms: int, seat: int, successor: str | None = None) -> Events:
    if successor is not None and not reopens(state, seat):
        raise WrongPhase("no table opens again")
    permit(state, seat, "stand_up")
    stood_up = ev.PlayerStoodUp(at_ms=now_ms, seat=seat)
    if state.phase == "open":
        return (stood_up, ev.TableClosed(at_ms=now_ms, reason="cancelled"))
    if state.phase == "over":
        return (stood_up, ev.TableClosed(at_ms=now_ms, reason="finished"))
    return (stood_up, *_void(state, "stood_up", now_ms, successor))


def _leave(state: TableState, now_ms: int, seat: int) -> Events:
    if state.phase == "open" or state.before_first_roll:
        return _stand_up(state, now_ms, seat)
    if state.may_stop:
        return session.stop(state, now_ms, seat)
    permit(state, seat, "leave")
    return (ev.PlayerLeft(at_ms=now_ms, seat=seat), *_forfeit(state, "left", now_ms, seat))


def _claim(state: TableState, now_ms: int, seat: int) -> Events:
    permit(state, seat, "claim")
    due = claim_ms(state)
    assert due is not None, "the opponent is absent"
    if now_ms < due:
        reason = Reason.TOO_EARLY
        raise TooEarly("your opponent may still come back", reason=reason, claim_ms=due)
    return (
        ev.WinClaimed(at_ms=now_ms, seat=seat),
        *_forfeit(state, "absent", now_ms, other(seat)),
    )


def _note_presence(state: TableState, present: bool, now_ms: int, seat: int) -> Events:
    """Absence is recorded while a match runs; a repeated report makes no event."""
    if state.phase not in RUNNING_PHASES or present is (state.absences[seat].since_ms is None):
        return ()
    event = ev.PlayerBack if present else ev.PlayerAbsent
    return (event(at_ms=now_ms, seat=seat),)


def _credit_outage(state: TableState, command: cmd.CreditOutage, now_ms: int) -> Events:
    """Time is given back once for each outage, to tables with a running match."""
    if state.phase not in RUNNING_PHASES or command.ended_ms <= state.credited_until_ms:
        return ()
    began_ms = max(command.began_ms, state.credited_until_ms)
    return (ev.OutageCredited(at_ms=now_ms, began_ms=began_ms, ended_ms=command.ended_ms),)


def _forfeit(state: TableState, ending: str, now_ms: int, loser: int) -> Events:
    """A match for a prize goes to the other player whole; a single game at its largest score."""
    if state.is_session:
        return session.game_lost(state, ending, now_ms, loser)
    ended = ev.MatchEnded(
        at_ms=now_ms,
        winner=other(loser),
        ending=ending,
        score=running_match(state).score,
        points=forfeit_points(state, loser),
    )
    return (ended,)


# --- the house ----------------------------------------------------------------------------------


def _void(state: TableState, reason: str, now_ms: int, successor: str | None = None) -> Events:
    if state.match is None or state.phase not in RUNNING_PHASES:
        raise WrongPhase("no match is running at this table")
    return (
        ev.MatchVoided(at_ms=now_ms, reason=reason),
        ev.TableClosed(at_ms=now_ms, reason=reason, successor=successor),
    )


def _void_by_house(state: TableState, now_ms: int) -> Events:
    """Void the running match, or the one that has just ended, whatever came of it."""
    if state.phase == "over" and state.match and state.match.result:
        if not state.match.result.counts:
            raise MatchOver("the match counts for nothing already")
        return (ev.MatchVoided(at_ms=now_ms, reason="voided"),)
    if state.phase == "closed":
        raise MatchOver("this table is closed")
    return _void(state, "voided", now_ms)


def _adjudicate(state: TableState, command: cmd.Adjudicate, now_ms: int) -> Events:
    verdict = verdict_of(state, command.winner, command.score, command.level, command.cube)
    if state.is_session:
        return session.adjudicated(state, verdict.winner, verdict.level, verdict.cube, now_ms)
    return (
        ev.MatchEnded(
            at_ms=now_ms,
            winner=verdict.winner,
            ending="adjudicated",
            score=verdict.score,
            points=verdict.points,
            level=verdict.level,
            cube=verdict.cube,
        ),
    )


def _wake_up(state: TableState, now_ms: int) -> Events:
    due = due_ms(state)
    if due is None or now_ms < due:
        raise NothingDue("no time limit has passed")
    if state.phase == "rolling":
        raise NothingDue("dice are wanted, and the machine has none")
    if state.may_stop:
        return (session.ended(state, "lapsed", now_ms),)
    if state.phase == "between_games":
        return (gameplay.next_game(state, now_ms),)
    if state.phase == "over":
        return (ev.TableClosed(at_ms=now_ms, reason="finished"),)
    loser = state.decider
    assert loser is not None
    ran_out = ev.TimeRanOut(at_ms=now_ms, seat=loser)
    if state.before_first_roll:
        return (ran_out, *_void(state, "stood_up", now_ms))
    return (ran_out, *_forfeit(state, "time_over", now_ms, loser))


def _settle(state: TableState, command: cmd.Settle, now_ms: int) -> Events:
    match = _unsettled_match(state)
    if sum(command.paid_cents) + command.rake_cents != state.terms.pot_cents:
        raise ValueError(f"payouts and rake of match {match.id} do not add up to the pot")
    return (
        ev.MatchSettled(
            at_ms=now_ms,
            paid_cents=command.paid_cents,
            rake_cents=command.rake_cents,
            elo_before=command.elo_before,
            elo_after=command.elo_after,
        ),
    )


def _unsettled_match(state: TableState) -> Match:
    match = state.match
    if match is None or match.result is None or match.result.paid_cents is not None:
        raise WrongPhase("no ended match waits for its settlement")
    return match
