"""The invariants of every event at every table, without the code that decides it.

Each function takes the state before, the event and the state after, and raises `Broken`.
"""

from collections import Counter
from typing import Final

from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.table import events as ev
from games.table.state import GRACE_MS, Game, TableState

#: the variants whose levels the oracle has rules for: the usual gammon and backgammon.
STANDARD_LEVELS: Final = frozenset({"backgammon", "nackgammon", "hypergammon"})

#: events with which a player's turn or answer begins: the player gets a new delay.
FRESH_DELAY: Final = (
    ev.MatchStarted,
    ev.GameStarted,
    ev.RolledOff,
    ev.PlayMade,
    ev.DoubleOffered,
    ev.Beavered,
    ev.Raccooned,
    ev.ResignationOffered,
    ev.TakenBack,
    ev.OutageCredited,
)

FORFEITS: Final = frozenset({"left", "time_over", "absent"})

#: endings of a session between two games, at which it is settled as it stands.
BETWEEN_GAMES: Final = frozenset({"stopped", "lapsed"})


class Broken(AssertionError):
    """A promise of the table does not hold."""


def check_event(before: TableState, event: ev.Event, after: TableState) -> None:
    """All invariants of one event."""
    require(after.seq == before.seq + 1, "an event counts one")
    _check_clock(before, event, after)
    match event:
        case ev.PlayMade():
            _check_play(before, event, after)
        case ev.GameEnded():
            _check_game_end(before, event)
        case ev.MatchEnded():
            _check_match_end(before, event)
        case ev.GameStarted():
            _check_game_start(before, event)
        case ev.PositionSet():
            require(mode_of(before.terms).is_practice, "positions are set up in practice alone")
            require(before.game is None or before.phase == "over", "a match begins with it")


def require(holds: object, promise: str) -> None:
    """Raise `Broken` with the promise unless it holds."""
    if not holds:
        raise Broken(promise)


# --- the clock ----------------------------------------------------------------------------------


def time_left_ms(state: TableState, seat: int, now_ms: int) -> tuple[int, int]:
    """This seat's remaining delay and reserve at this moment."""
    clock = state.clock
    delay_ms, reserve_ms = clock.delay_left_ms[seat], clock.reserve_ms[seat]
    if clock.running != seat:
        return delay_ms, reserve_ms
    used_ms = max(0, now_ms - clock.since_ms)
    return max(0, delay_ms - used_ms), max(0, reserve_ms - max(0, used_ms - delay_ms))


def _check_clock(before: TableState, event: ev.Event, after: TableState) -> None:
    if isinstance(event, ev.MatchStarted):
        return
    for seat in (0, 1):
        delay_was, reserve_was = time_left_ms(before, seat, event.at_ms)
        delay_is, reserve_is = time_left_ms(after, seat, event.at_ms)
        if isinstance(event, ev.OutageCredited):
            gained_ms = delay_is + reserve_is - delay_was - reserve_was
            most_ms = GRACE_MS + event.ended_ms - event.began_ms
            require(0 <= gained_ms <= most_ms, "an outage gives back itself and the grace")
            continue
        if isinstance(event, ev.GameStarted) and before.terms.contest == "session":
            require(reserve_is == before.terms.reserve_ms, "a session's games begin with all of it")
            continue
        require(reserve_is == reserve_was, "an event neither gives nor takes reserve")
        if not isinstance(event, FRESH_DELAY):
            require(delay_is == delay_was, "only a new turn or an answer gets a new delay")


# --- the board ----------------------------------------------------------------------------------


def _game(state: TableState) -> Game:
    game = state.game
    if game is None:
        raise Broken("there is a game")
    return game


def seen_by(state: TableState, seat: int) -> Position:
    """The board as this seat sees it."""
    game = _game(state)
    return game.position if game.on_roll == seat else game.position.turned(state.variant.way)


def _check_play(before: TableState, event: ev.PlayMade, after: TableState) -> None:
    was, now = seen_by(before, event.seat), seen_by(after, event.seat)
    way = before.variant.way
    moved = sum(source - target for source, target, _ in event.moves)
    require(was.pips(way)[0] - now.pips(way)[0] == moved, "a play moves exactly its pips")
    rolled = Counter(before.variant.single_dice(event.dice))
    require(not Counter(die for *_, die in event.moves) - rolled, "a play uses dice that fell")
    for own, off in ((now.own(), now.off[0]), (now.opposing(), now.off[1])):
        require(sum(own.values()) + off == before.variant.checkers, "no checker is lost or made")


# --- points -------------------------------------------------------------------------------------


def _check_game_start(before: TableState, event: ev.GameStarted) -> None:
    terms, match = before.terms, before.match
    if match is None:
        raise Broken("a game belongs to a match")
    one_away = terms.target_points - 1
    due = max(match.score) == one_away and not match.crawford_played and event.game > 1
    due = due and terms.contest == "points" and terms.has_cube and terms.crawford
    if match.setup is not None and event.game == 1:
        due = match.setup.crawford
        require(event.starter == match.setup.on_roll, "the side on roll in the position begins")
    require(event.crawford == due, "the Crawford game is the first at one point from the match")
    if terms.contest == "session":
        banks_cents = session_banks_cents(before)
        require(min(banks_cents) >= terms.limit_cents, "both banks cover all that a game can cost")


def _check_game_end(before: TableState, event: ev.GameEnded) -> None:
    game, terms = _game(before), before.terms
    if event.winner is None:
        require(event.points == 0 and event.ending == "borne_off", "a draw gives no points")
    else:
        require(event.points == event.cube * event.level > 0, "points are cube times level")
    old = before.match.score if before.match else (0, 0)
    gained = tuple(event.points * (event.winner == seat) for seat in (0, 1))
    require(event.score == (old[0] + gained[0], old[1] + gained[1]), "the score adds up")
    if event.ending == "double_dropped":
        require(event.level == 1, "a drop loses a single game")
        require(event.cube >= game.cube.value, "a drop costs at least the cube")
        require(event.cube in (game.cube.value << n for n in range(3)), "and the value before")
        return
    if event.ending in FORFEITS:
        require(terms.contest == "session", "elsewhere a forfeit ends the match, not the game")
        require(event.winner is not None, "somebody wins when the other forfeits")
        require(event.points == _forfeit(before, 1 - (event.winner or 0)), "forfeit: the most")
        return
    if event.ending == "adjudicated":
        require(terms.contest == "session", "elsewhere the match is decided, not the game")
        require(event.winner in (0, 1), "a game that is decided is won")
        _check_verdict_of_a_game(before, event, 1 - (event.winner or 0))
        return
    require(event.cube == game.cube.value, "the cube counts as it stands")
    if terms.jacoby and not game.double_taken:
        require(event.level <= 1, "Jacoby: no gammon without a double")
    elif event.ending == "borne_off" and event.winner is not None:
        level = _level(before.variant.key, seen_by(before, event.winner))
        require(level in (None, event.level), "the level is what the board says")


def _level(variant: str, winner: Position) -> int | None:
    """1, 2 or 3 by the loser's checkers; None if the oracle has no rules for the variant."""
    if variant not in STANDARD_LEVELS:
        return None
    if winner.off[1]:
        return 1
    return 3 if winner.bar[1] or any(count < 0 for count in winner.points[:6]) else 2


def _check_match_end(before: TableState, event: ev.MatchEnded) -> None:
    terms, match = before.terms, before.match
    if match is None or match.result is not None:
        raise Broken("a match ends once")
    if terms.contest == "session":
        _check_session_end(before, event)
        return
    if event.ending == "adjudicated":
        _check_verdict(before, event)
        return
    if event.ending in FORFEITS:
        require(event.winner is not None, "somebody wins when the other forfeits")
        require(event.score == match.score, "a forfeit changes no score")
        require(event.points == _forfeit(before, 1 - (event.winner or 0)), "forfeit: the most")
        return
    last = match.last_game
    if last is None:
        raise Broken("a match that is played out has a last game")
    one, two = match.score
    require(event.score == match.score, "the match ends at its score")
    winner = None if one == two else int(two > one)
    require(event.winner == winner, "the higher score wins the match")
    require(_decided(before), "the match is decided")
    require(event.points == (last.points if terms.contest == "game" else 0), "points by the game")


def _check_session_end(before: TableState, event: ev.MatchEnded) -> None:
    """It ends between two games as it stands, or with a game, for the reason that it gives."""
    match, ending = before.match, event.ending
    assert match is not None
    one, two = session_banks_cents(before)
    winner = None if one == two else int(two > one)
    require(event.winner == winner, "the seat that has more left wins the session")
    require(event.score == match.score, "a session ends at its score")
    require((event.points, event.level, event.cube) == (0, 0, 0), "its games have the points")
    require(before.phase == "between_games", "a session ends only when its last game has")
    short = min(one, two) < before.terms.limit_cents
    last = match.last_game
    if last is None:
        raise Broken("a session that ends has a last game")
    if ending == "bank_short":
        require(short, "a bank is short if it does not cover another game")
    elif ending == "adjudicated":
        require(last.ending == ending or not short, "only a game that runs is adjudicated")
    elif ending in FORFEITS:
        require(last.ending == ending, "a forfeit loses the game that runs")
    else:
        require(ending in BETWEEN_GAMES, f"{ending} ends a session")
        require(not short, "a session goes on only while both banks cover another game")


def session_banks_cents(state: TableState) -> tuple[int, int]:
    """Return both banks of a session: every game moves its points, up to the limit."""
    terms, match = state.terms, state.match
    if match is None:
        raise Broken("a session is a match")
    banks_cents = [terms.stake_cents, terms.stake_cents]
    for winner, points in match.games:
        if winner is not None:
            won_cents = min(points * terms.rate_cents, terms.limit_cents)
            banks_cents[winner] += won_cents - rake_cents(terms, won_cents)
            banks_cents[1 - winner] -= won_cents
            require(banks_cents[1 - winner] >= 0, "no game is paid in part")
    return banks_cents[0], banks_cents[1]


def rake_cents(terms: Terms, won_cents: int) -> int:
    """Return what the house keeps of an amount won at this table."""
    return won_cents * mode_of(terms).purse(terms).rake_bps // 10_000


def _decided(state: TableState) -> bool:
    """Whether the score decides the contest: points reached, or too few games left to catch up."""
    terms, match = state.terms, state.match
    if match is None:
        return False
    one, two = match.score
    if terms.contest == "points":
        return max(one, two) >= terms.target_points
    left = terms.games_max - match.games_played
    return left == 0 or abs(one - two) > left * max(by_key(terms.variant).levels)


def _check_verdict(before: TableState, event: ev.MatchEnded) -> None:
    """The result that administrators set is one that the match could still have."""
    terms, match, score = before.terms, before.match, event.score
    assert match is not None
    require(event.points == event.level * event.cube, "points are cube times level")
    if terms.contest == "game":
        require(event.winner in (0, 1), "a game that stands alone is won")
        _check_verdict_of_a_game(before, event, 1 - (event.winner or 0))
        return
    require(event.points == 0, "a match is not settled by the point")
    if score == match.score and event.winner is not None:
        return
    gained = (score[0] - match.score[0], score[1] - match.score[1])
    require(min(gained) >= 0, "nobody loses points that were played for")
    winner = None if score[0] == score[1] else int(score[1] > score[0])
    require(event.winner == winner, "the higher score wins the match")
    if terms.contest == "points":
        require(max(score) == terms.target_points > min(score), "one of the two has reached them")
        return
    left = terms.games_max - match.games_played
    games = -(-gained[0] // 3) + -(-gained[1] // 3)
    require(games <= left, "more points than the games left can bring")
    decided = abs(gained[0] - gained[1] + match.score[0] - match.score[1]) > 0
    require(sum(gained) >= left or decided, "the score decides the match")


def _check_verdict_of_a_game(
    before: TableState, event: ev.GameEnded | ev.MatchEnded, loser: int
) -> None:
    game = _game(before)
    require(event.cube in (game.cube.value << n for n in range(game.cube_turns + 1)), "the cube")
    taken = game.double_taken or event.cube != game.cube.value
    require(1 <= event.level <= _highest_level(before, loser, taken), "the level can be reached")


def _forfeit(state: TableState, loser: int) -> int:
    """Return what a forfeit costs in points: the largest score still possible, never too little."""
    game, terms = _game(state), state.terms
    if terms.contest not in ("game", "session"):
        return 0
    if state.phase == "double_offered" and state.decider == loser:
        return game.cube.value << (game.cube_turns - 1)
    # an offer of the leaver's own that waits for its answer is void
    return game.cube.value * _highest_level(state, loser, game.double_taken)


def _highest_level(state: TableState, loser: int, taken: bool) -> int:
    terms, board = state.terms, seen_by(state, loser)
    if terms.jacoby and not taken:
        return 1
    if state.variant.key not in STANDARD_LEVELS:
        return state.variant.most_to_lose(board)
    if board.off[0]:
        return 1
    back = any(point >= 19 for point in board.own())
    return 3 if back or board.contact() else 2
