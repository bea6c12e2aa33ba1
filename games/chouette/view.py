"""The view of a table for one reader: everything that they may see, and what they may do now.

Members' decisions about doubles are in nobody's view but their own until all are in.
"""

from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import F, Sum

from backgammon.rules.cube import Cube as PlainCube
from backgammon.rules.cube import may_beaver
from games.chouette.engine import events as ev
from games.chouette.engine.rights import (
    doubled_by_box,
    leaving_costs,
    lone_taker,
    may_advise,
    may_confer,
    may_end_alone,
    mover_of,
    undecided,
    waited_for,
)
from games.chouette.engine.state import VARIANT, RunningGame, State, moves_text, position_plays
from games.chouette.engine.terms import PEOPLE_MOST
from games.chouette.models import Circle, Share
from games.chouette.models import Game as GameRow
from games.chouette.pace import DELAY_MS, Pace, bank_ms, ends_ms, enough_people
from games.chouette.services.dice import fair_view
from games.chouette.services.opening import BOTS
from games.chouette.services.store import as_staked, pace_of, state_of
from games.services.people import people_of
from games.table.view import board_view
from kit.database import database_now_ms

GAMES_SHOWN: Final = 5


def chouette_view(circle: Circle, reader: int | None) -> dict[str, Any]:
    """The view of a table for this reader (None: nobody who is logged in)."""
    return ChouetteSeen(circle, reader).whole()


class ChouetteSeen:
    """One table as one reader sees it."""

    def __init__(self, circle: Circle, reader: int | None) -> None:
        self.circle, self.reader = circle, reader
        self.state: State = state_of(circle)
        self.pace: Pace = pace_of(circle)
        self.game: RunningGame | None = self.state.game
        self.shown: RunningGame | None = self.game or self.state.last_game
        self.bots = frozenset(
            circle.places.filter(is_bot=True, stood_up_at=None).values_list("user_id", flat=True)
        )
        last = circle.games.order_by("-number").first()
        self.row: GameRow | None = last if self.game is not None else None
        self.number = last.number if last else 0

    @property
    def side(self) -> ev.Side:
        """The side from which the board is shown; that of the team for watchers."""
        game = self.shown
        return "box" if game is not None and self.reader == game.box else "team"

    def whole(self) -> dict[str, Any]:
        """Every field of docs/chouette.md."""
        circle, state, pace = self.circle, self.state, self.pace
        return {
            "id": str(circle.pk),
            "seq": circle.seq,
            "now_ms": database_now_ms(),
            "turn": pace.turn,
            "terms": self._terms(),
            "closed": circle.closed_at is not None,
            "phase": state.phase,
            "game": self.number,
            "me": self.reader,
            "seat": self._seat(),
            "people": self._people(),
            "names": self._names(),
            **self._board(),
            "actions": {} if circle.closed_at else self._actions(),
            "waits_for": list(waited_for(state)),
            "deadline_ms": ends_ms(state, pace, self.bots),
            "clock": self._clock(),
            "next_game_ms": pace.next_game_ms if state.phase == "between_games" else None,
            "leave_costs": self._leave_costs(),
            "points": self._points(),
            "ledger": self._ledger(),
            "games": self._games(),
            "talk": self._talk(),
            "fair": fair_view(self.row) if self.row else None,
            "dice_seat": self._dice_seat(),
        }

    def _terms(self) -> dict[str, Any]:
        circle, terms = self.circle, self.state.terms
        rate_cents = circle.rate_cents
        return {
            "rate_cents": rate_cents,
            "limit_points": circle.limit_cents // rate_cents if rate_cents else None,
            "limit_cents": circle.limit_cents,
            "rake_bps": circle.rake_bps,
            "jacoby": terms.jacoby,
            "beavers": terms.beavers,
            "consulting": terms.consulting,
            "cubes": terms.cubes,
            "lone_taker": terms.lone_taker,
            "cube_cap": terms.cube_cap,
        }

    def _seat(self) -> ev.Side | None:
        game = self.game
        if game is None or self.reader not in game.order or self.reader not in self.state.people:
            return None
        return "box" if self.reader == game.box else "team"

    # --- people and cubes -------------------------------------------------------------------------

    def _people(self) -> list[dict[str, Any]]:
        state, game = self.state, self.game
        known = people_of(state.people, as_staked(self.circle))
        people = []
        for place, player in enumerate(state.people):
            role = "joining" if player in state.joining else _role(place)
            person = {
                **known[player],
                "role": role,
                "acts": game is not None and player == game.captain and role == "crew",
                "away": player in self.pace.away,
                "leaves_after": player in self.pace.leaving,
                "bank_ms": bank_ms(self.pace, player),
            }
            person.pop("plays_as")
            people.append(person)
        return people

    def _cubes(self, game: RunningGame) -> list[dict[str, Any]]:
        """The cubes in the order of the list; the stored state has them in any order."""
        return [self._cube(game, player) for player in game.team]

    def _cube(self, game: RunningGame, player: int) -> dict[str, Any]:
        cube = game.cubes[player]
        return {
            "player": player,
            "value": cube.value,
            "owner": cube.owner,
            "settled": cube.settled,
            "box_points": cube.box_points,
            "how": cube.how,
            "state": self._cube_state(game, player),
            "my_choice": game.decided.get(player) if player == self.reader else None,
        }

    def _cube_state(self, game: RunningGame, player: int) -> str:
        if game.cubes[player].settled:
            return "out"
        if player in game.offered:
            return "offered"
        if player in game.beavers:
            return "beavered"
        if player in game.decided:
            return "decided"
        return "thinking" if player in undecided(self.state) else "idle"

    # --- the board ------------------------------------------------------------------------------

    def _board(self) -> dict[str, Any]:
        game = self.shown
        position = VARIANT.start if game is None else game.position
        if game is not None and game.on_roll != self.side:
            position = position.turned(VARIANT.way)
        last = None if game is None else game.last_play
        running = self.game is not None
        return {
            "cubes": [] if game is None else self._cubes(game),
            "on_roll": game.on_roll if game and running else None,
            "board": board_view(position),
            "pips": position.pips(VARIANT.way),
            "dice": game.dice if game else None,
            "roll_off": game.roll_off if game else None,
            "last_play": last
            and {
                "seat": 0 if last.side == self.side else 1,
                "dice": last.dice,
                "moves": last.moves,
                "text": last.text,
            },
            "graph": self._graph(),
        }

    def _graph(self) -> Any:
        game = self.game
        if game is None or self.reader is None or self.state.phase != "play":
            return None
        if mover_of(game) != self.reader and not may_advise(self.state, self.reader):
            return None
        return position_plays(game).graph.wire()

    # --- what the reader may do -------------------------------------------------------------------

    def _actions(self) -> dict[str, Any]:
        state, reader = self.state, self.reader
        if reader is None:
            return {}
        if reader not in state.people:
            return {"sit": True} if len(state.people) < PEOPLE_MOST else {}
        actions: dict[str, Any] = {"stand_up": True}
        if self.game is not None:
            actions["leave_after"] = True
        if enough_people(state) and self.pace.next_game_ms is not None:
            actions["start"] = True
        bots_left = not self.circle.rate_cents and len(self.bots) < len(BOTS)
        if bots_left and len(state.people) < PEOPLE_MOST:
            actions["invite_bot"] = True
        if self.game is not None and reader in waited_for(state):
            actions |= self._decision(self.game, reader)
        if self.game is not None and may_advise(state, reader):
            actions["advise"] = True
        if may_confer(state, reader):
            actions["confer"] = True
        return actions

    def _decision(self, game: RunningGame, reader: int) -> dict[str, Any]:
        match self.state.phase:
            case "team_decides":
                return {"decide": {"value": game.cubes[reader].value}}
            case "box_answers":
                return {"box_answers": [self._offer(game, each) for each in game.offered]}
            case "team_answers_beavers":
                return {"beaver_answer": _beaver(game, reader)}
            case "box_doubles":
                allowed = doubled_by_box(self.state)
                cubes = [{"player": each, "value": game.cubes[each].value} for each in allowed]
                return {"box_doubles": cubes}
            case "team_answers":
                return {"answer": self._own_offer(game, reader)}
            case "box_answers_beavers":
                beavers = [{"player": each, **_beaver(game, each)} for each in game.beavers]
                return {"box_beaver_answers": beavers}
        return {"play": True}

    def _offer(self, game: RunningGame, player: int) -> dict[str, Any]:
        value = game.cubes[player].value
        rules = self.state.terms.cube_rules
        beaver = may_beaver(PlainCube(value), rules, is_match=False)
        return {"player": player, "value": value, "may_beaver": beaver}

    def _own_offer(self, game: RunningGame, reader: int) -> dict[str, Any]:
        """The box's double of one's own cube, with what the rule for a lone taker says of it."""
        alone = lone_taker(self.state) == reader
        returns = may_end_alone(self.state) and not alone
        return {**self._offer(game, reader), "may_take": not alone, "take_may_return": returns}

    # --- time, points, credits --------------------------------------------------------------------

    def _clock(self) -> dict[str, Any] | None:
        if self.game is None or self.state.phase != "play":
            return None
        player = mover_of(self.game)
        if player is None or player in self.bots:
            return None
        return {
            "player": player,
            "delay_ends_ms": self.pace.since_ms + DELAY_MS,
            "bank_ms": bank_ms(self.pace, player),
        }

    def _leave_costs(self) -> dict[str, int] | None:
        if self.reader is None:
            return None
        costs = leaving_costs(self.state, self.reader)
        if not costs:
            return None
        rate_cents, limit_cents = self.circle.rate_cents, self.circle.limit_cents
        cents = sum(min(points * rate_cents, limit_cents) for points in costs)
        return {"points": sum(costs), "cents": cents}

    def _known(self) -> tuple[int, ...]:
        """Everybody who sits here or has played here."""
        paired = (player for *pair, _points in self.state.points for player in pair)
        return tuple(dict.fromkeys((*self.state.people, *paired)))

    def _names(self) -> dict[str, str]:
        users = get_user_model().objects.in_bulk(self._known())
        return {str(player): user.get_username() for player, user in users.items()}

    def _points(self) -> dict[str, Any]:
        state = self.state
        return {
            "pairs": [list(pair) for pair in state.points],
            "totals": {str(player): state.balance(player) for player in self._known()},
        }

    def _ledger(self) -> dict[str, int] | None:
        if not self.circle.rate_cents:
            return None
        rows = Share.objects.filter(game__circle=self.circle, paid_cents__isnull=False)
        sums = rows.values("user").annotate(won=Sum(F("paid_cents") - F("stake_cents")))
        return {str(row["user"]): row["won"] for row in sums}

    def _games(self) -> list[dict[str, Any]]:
        ended = self.circle.games.filter(ended_at__isnull=False).order_by("-number")
        return [
            {
                "number": game.number,
                "box": game.box_id,
                "results": [
                    {"player": share.user_id, "box_points": share.box_points}
                    for share in game.shares.all()
                    if share.box_points is not None
                ],
                "rake_cents": game.rake_cents,
                "voided": game.voided,
            }
            for game in ended.prefetch_related("shares")[:GAMES_SHOWN]
        ]

    def _talk(self) -> list[dict[str, Any]]:
        game = self.game
        if game is None or self.reader not in game.team or self.reader not in self.state.people:
            return []
        return [
            {
                "player": each.player,
                "moves": each.moves,
                "text": moves_text(game, each.moves),
                "agree": each.agree,
            }
            for each in self.pace.advice
        ]

    def _dice_seat(self) -> int | None:
        if self.row is None or self.reader not in (self.row.box_id, self.row.captain_id):
            return None
        return 0 if self.reader == self.row.box_id else 1


def _role(place: int) -> str:
    return ("box", "captain")[place] if place < 2 else "crew"


def _beaver(game: RunningGame, player: int) -> dict[str, int]:
    """A beaver doubles the cube once more; giving up loses what it shows now."""
    value = game.cubes[player].value
    return {"value": 2 * value, "lose": value}
