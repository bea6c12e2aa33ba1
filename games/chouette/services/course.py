"""The course of a table: all that happens by itself, after a command or because time has passed.

`go_on` runs inside the transaction that holds the table's lock. It rolls as soon as nothing is left
to decide, lets house bots and absent people decide, ends what has lasted too long, and settles a
game that has ended.
"""

import secrets
from datetime import datetime
from typing import Final

from backgammon.rules.errors import RulesError
from games.chouette import settlement
from games.chouette.bots import bot_acts, bot_due
from games.chouette.engine import events as ev
from games.chouette.engine.rights import undecided, waited_for
from games.chouette.engine.state import position_after
from games.chouette.engine.table import Chouette
from games.chouette.models import Game, Place, Share
from games.chouette.pace import (
    BOT_MS,
    FIRST_ROLL_MS,
    GRACE_MS,
    PAUSE_MS,
    ROLL_MS,
    ends_ms,
    enough_people,
    spent,
)
from games.chouette.services.dice import ChouetteDice, game_make, roll
from games.chouette.services.store import Work, as_staked
from games.services.outages import counts_since, house_is_well
from games.services.people import account_check
from games.table.errors import TableError
from kit.database import moment

#: more steps than ever follow from one command.
STEPS_MAX: Final = 400


def go_on(work: Work) -> None:
    """Do everything that is due, and store the table."""
    keep_pace(work)
    for _ in range(STEPS_MAX):
        if not _step(work):
            break
        keep_pace(work)
    work.store(wake_at(work))


def wake_at(work: Work) -> datetime | None:
    """When something is due without a command; None where somebody has to come first."""
    due_ms = ends_ms(work.state, work.pace, frozenset(work.bots))
    return None if due_ms is None else moment(due_ms)


def keep_pace(work: Work) -> None:
    """Let the pace follow from the events since it was last looked at."""
    journal, before = work.engine.journal, work.paced
    while work.paced < len(journal):  # what ends with a game adds to it
        event = journal[work.paced]
        work.paced += 1
        if isinstance(event, ev.ChouetteGameEnded):
            _game_ended(work)
        elif isinstance(event, ev.GameVoided):
            _game_voided(work)
        elif isinstance(event, ev.StoodUp):
            Place.objects.filter(
                circle=work.circle, user=event.player, stood_up_at__isnull=True
            ).update(stood_up_at=work.now)
    new = journal[before:]
    if not new:
        return
    if any(not isinstance(event, ev.MemberDecided | ev.SatDown) for event in new):
        work.set_pace(turn=work.seq, since_ms=work.now_ms, roll_until_ms=None, advice=())
    if not enough_people(work.state):
        work.set_pace(next_game_ms=None)
    elif work.pace.next_game_ms is None:
        work.set_pace(next_game_ms=work.now_ms + PAUSE_MS)


def _step(work: Work) -> bool:
    """One thing that is due now; whether there was any."""
    match work.state.phase:
        case "between_games":
            return _between(work)
        case "roll_off" | "roll":
            return _roll(work)
        case "play":
            if _only_play(work):
                return True
    return _bot_acts(work) or _absent_decide(work) or _lapse(work)


# --- between games ------------------------------------------------------------------------------


def _between(work: Work) -> bool:
    if not any(player not in work.bots for player in work.state.people):
        return _close(work)
    due_ms = work.pace.next_game_ms
    if due_ms is None or due_ms > work.now_ms or work.booking is not None:
        return False
    stopped = bool(work.circle.rate_cents) and settlement.stopped()
    if stopped or not house_is_well(work.now_ms):
        work.put_off()
        return False
    order = (*work.state.order, *work.state.joining)
    if unfit := _unfit(work, order):
        for player in unfit:
            work.engine.stand_up(player)
        return True
    _game_start(work)
    return True


def _unfit(work: Work, order: tuple[int, ...]) -> list[int]:
    """Those who cannot stake in the next game, or may sit at no such table any more."""
    terms = as_staked(work.circle)
    barred = []
    for player in order:
        try:
            if player not in work.bots:
                account_check(player, terms)
        except TableError:
            barred.append(player)
    return barred or settlement.people_short(work.circle, order)


def _close(work: Work) -> bool:
    """Close a table at which nobody is left but house bots; whether one of them still stands up."""
    if work.state.people:
        work.engine.stand_up(work.state.people[0])
        return True
    work.circle.closed_at = work.now
    return False


def _game_start(work: Work) -> None:
    work.engine.start(_first_order(work))
    state, circle = work.state, work.circle
    assert state.game is not None, "a game has begun"
    order = state.game.order
    game = game_make(circle, state.games, order, frozenset(work.bots))
    game.started_at = work.now
    game.save(force_insert=True)
    work.game = game
    stakes = settlement.stakes_of(circle, order)
    Share.objects.bulk_create(
        Share(game=game, user_id=player, stake_cents=cents) for player, cents in stakes.items()
    )
    work.set_pace(banks_ms={}, next_game_ms=None)
    work.booking = lambda: settlement.stakes_take(game, stakes)


def _first_order(work: Work) -> tuple[int, ...] | None:
    """The list of the first game, drawn by lot; None later, when it follows by rotation."""
    if work.state.games:
        return None
    return tuple(secrets.SystemRandom().sample(work.state.people, len(work.state.people)))


# --- dice ---------------------------------------------------------------------------------------


def _roll(work: Work) -> bool:
    """Roll once both parts are there, or nobody's is awaited any more."""
    dice = ChouetteDice(work.game)
    if work.pace.roll_until_ms is None:
        first = work.game.next_roll == 0
        waits = not all(side.silent for side in dice.sides) if first else bool(dice.awaited())
        wait_ms = (FIRST_ROLL_MS if first else ROLL_MS) if waits else 0
        work.set_pace(roll_until_ms=work.now_ms + wait_ms)
    until_ms = work.pace.roll_until_ms
    assert until_ms is not None, "it was just set"
    if not dice.complete and work.now_ms < until_ms:
        return False
    off = work.state.phase == "roll_off"
    one, two = roll(work)
    if off:
        work.engine.roll_off(box=one, team=two)
    else:
        work.engine.roll((max(one, two), min(one, two)))
    return True


# --- decisions that nobody makes ----------------------------------------------------------------


def _bot_acts(work: Work) -> bool:
    """Let the next house bot decide; about a play it takes its time."""
    player = bot_due(work.engine, work.bots)
    if player is None:
        return False
    if work.state.phase == "play" and work.now_ms < work.pace.since_ms + BOT_MS:
        return False
    bot_acts(work.engine, player, work.bots[player], f"{work.circle.pk}:{work.seq}")
    return True


def _only_play(work: Work) -> bool:
    """Play where no checker can move."""
    game = work.state.game
    assert game is not None, "a game is running"
    try:
        position_after(game, ())
    except RulesError:
        return False
    work.engine.play(())
    return True


def _absent_decide(work: Work) -> bool:
    """Let people who are away not double, at once."""
    game = work.state.game
    if work.state.phase == "box_doubles" and game is not None and game.box in work.pace.away:
        work.engine.box_doubles(())
        return True
    for player in undecided(work.state):
        if player in work.pace.away:
            work.engine.decide(player, doubles=False)
            return True
    return False


def _lapse(work: Work) -> bool:
    """Decide for those whose time is over; after an outage of the house it begins anew."""
    due_ms = ends_ms(work.state, work.pace, frozenset(work.bots))
    if due_ms is None or work.now_ms < due_ms:
        return False
    began = moment(work.pace.since_ms)
    counts = counts_since(began, work.now_ms)
    if counts is None:
        return False
    if counts > began:
        work.set_pace(since_ms=round(counts.timestamp() * 1000) + GRACE_MS)
        return False
    late = waited_for(work.state)
    if work.state.phase == "play":
        work.set_pace(banks_ms=spent(work.state, work.pace, work.now_ms))
        work.engine.stand_up(late[0])
    else:
        _cubes_lapse(work.engine, late)
    work.set_pace(away=tuple(dict.fromkeys((*work.pace.away, *late))))
    return True


def _cubes_lapse(engine: Chouette, late: tuple[int, ...]) -> None:
    """Decide about cubes for those who are late: no double, no take."""
    game = engine.state.game
    assert game is not None, "a game is running"
    match engine.state.phase:
        case "team_decides":
            for player in late:
                engine.decide(player, doubles=False)
        case "box_doubles":
            engine.box_doubles(())
        case "box_answers":
            engine.box_answers(dict.fromkeys(game.offered, "drop"))
        case "team_answers":
            engine.answer(late[0], "drop")
        case "team_answers_beavers":
            for player in late:
                engine.beaver_answer(player, accepts=False)
        case "box_answers_beavers":
            engine.box_beaver_answers(dict.fromkeys(game.beavers, False))


# --- the end of a game --------------------------------------------------------------------------


def _game_ended(work: Work) -> None:
    """Settle every pair of the game that has ended; the transfer itself comes last."""
    game, ended = work.game, work.state.last_game
    assert ended is not None, "a game has ended"
    box_points = {player: cube.box_points or 0 for player, cube in ended.cubes.items()}
    paid = settlement.pairs_paid(work.circle, game.box_id, box_points)
    shares_write(game, paid, box_points)
    _game_close(work, paid.rake_cents)
    if work.circle.rate_cents:
        work.booking = lambda: settlement.stakes_settle(game, paid)


def _game_voided(work: Work) -> None:
    """Give all stakes of the game back, also to those who have left; the transfer comes last."""
    game = work.game
    stakes = dict(game.shares.values_list("user_id", "stake_cents"))
    shares_write(game, settlement.Paid(stakes, 0), {})
    game.voided = True
    _game_close(work, 0)
    if work.circle.rate_cents:
        work.booking = lambda: settlement.stakes_back(game, stakes)


def _game_close(work: Work, rake_cents: int) -> None:
    game = work.game
    game.rake_cents, game.ended_at = rake_cents, work.now
    game.save(update_fields=["rake_cents", "ended_at", "voided"])
    work.set_pace(next_game_ms=None, banks_ms={})
    _stand_up_after(work)


def shares_write(game: Game, paid: settlement.Paid, box_points: dict[int, int]) -> None:
    """Write what everybody got, once."""
    for share in game.shares.all():
        share.paid_cents = paid.paid_cents.get(share.user_id, 0)
        share.box_points = box_points.get(share.user_id)
        share.save(update_fields=["paid_cents", "box_points"])


def _stand_up_after(work: Work) -> None:
    """Let those stand up who wished to after this game, and those who are away."""
    for player in (*work.pace.leaving, *work.pace.away):
        if player in work.state.people:
            work.engine.stand_up(player)
    work.set_pace(leaving=(), away=())
