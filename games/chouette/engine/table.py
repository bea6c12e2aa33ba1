"""A chouette: commands lead to events, or are refused and change nothing.

Whose move it is follows from the phase: members decide about doubles, hidden until all are in; the
box answers all cubes at once; the first member who is still in the game moves for the team. Where
the team has one cube, the cubes of its members move together.
"""

from collections.abc import Iterable, Mapping, Sequence

from backgammon.rules.cube import Cube as PlainCube
from backgammon.rules.cube import may_beaver, points_for_dropping
from backgammon.rules.errors import RulesError
from backgammon.rules.scoring import counted_level, game_points
from games.chouette.engine import events as ev
from games.chouette.engine.errors import BadAnswer, NoSeat, NotAtThisTable, NotNow, NotYours
from games.chouette.engine.rights import (
    doubled_by_box,
    lone_rule_holds,
    lone_taker,
    most_to_lose,
    undecided,
)
from games.chouette.engine.state import (
    VARIANT,
    Phase,
    RunningGame,
    State,
    evolve,
    position_after,
)
from games.chouette.engine.terms import PEOPLE_LEAST, PEOPLE_MOST, ChouetteTerms
from kit.events import JournalEvent


class Chouette:
    """The journal and the state that follows from it.

    A table whose `state` is known goes on from it; `journal` then has the new events alone.
    """

    def __init__(self, terms: ChouetteTerms, state: State | None = None) -> None:
        self.terms = terms
        self.journal: list[JournalEvent] = []
        self.state = State(terms=terms) if state is None else state

    # --- coming and going -----------------------------------------------------------------------

    def sit(self, player: int) -> None:
        """Sit down at the end of the list, from the next game on. Raises `NoSeat`."""
        people = self.state.people
        if player in people or len(people) >= PEOPLE_MOST:
            raise NoSeat("you sit here already, or all places are taken")
        self._add(ev.SatDown(player=player))

    def stand_up(self, player: int) -> None:
        """Stand up; in a running game one loses the most that one could lose.

        Raises `NotAtThisTable`.

        A member settles with the box; a box settles with everybody, and the game is over.
        """
        if player not in self.state.people:
            raise NotAtThisTable("this player does not sit here")
        game, answering = self.state.game, self.state.phase == "team_answers"
        if game is None or player not in game.order:
            self._add(ev.StoodUp(player=player))
            return
        if player == game.box:
            for member in game.active:
                self._settle(game, member, -most_to_lose(self.terms, game, member, "box"), "left")
            self._end(box_won=False, gone=player)
            return
        if player in game.active:
            self._settle(game, player, most_to_lose(self.terms, game, player, "team"), "left")
        self._after_settling(gone=player)
        if answering:
            self._return_lone_take()

    # --- the beginning of a game ----------------------------------------------------------------

    def start(self, first_order: Sequence[int] | None = None) -> None:
        """Begin the next game with everybody who sits here. Raises `NotNow` with too few.

        `first_order` is the list of the first game, as it was drawn by lot.
        """
        self._phase("between_games")
        order = (*self.state.order, *self.state.joining)
        if len(order) < PEOPLE_LEAST:
            raise NotNow(f"a chouette takes {PEOPLE_LEAST} people or more")
        if first_order is not None and not self.state.games:
            assert sorted(first_order) == sorted(order), "a list has everybody once"
            order = tuple(first_order)
        self._add(ev.ChouetteGameStarted(game=self.state.games + 1, order=order))

    def roll_off(self, box: int, team: int) -> None:
        """The first dice of box and captain: the higher one begins and plays both."""
        self._phase("roll_off")
        self._add(ev.BoxRolledOff(box=box, team=team))

    def void(self) -> None:
        """End the running game for nothing; the list stays as it is. Raises `NotNow`."""
        self._game()
        self._add(ev.GameVoided(order=self.state.people))

    # --- the team's cubes -----------------------------------------------------------------------

    def decide(self, player: int, *, doubles: bool) -> None:
        """A member doubles or not. Raises `NotNow`, `NotYours`."""
        self._phase("team_decides")
        if player not in undecided(self.state):
            raise NotYours("this member has no such decision now")
        self._add(ev.MemberDecided(player=player, doubles=doubles))
        self._doubles_shown()

    def box_answers(self, answers: Mapping[int, ev.Answer]) -> None:
        """The box answers all doubles at once, one cube with one answer. Raises `BadAnswer`."""
        self._phase("box_answers")
        game = self._game()
        if set(answers) != set(game.offered):
            raise BadAnswer("each cube that was offered needs an answer")
        if self.terms.one_cube and len(set(answers.values())) > 1:
            raise BadAnswer("the one cube is answered once for all")
        for player in game.offered:
            self._answer_check(game, player, answers[player])
        for player in game.offered:
            self._answered(player, answers[player])
        self._after_settling()

    def beaver_answer(self, player: int, *, accepts: bool) -> None:
        """A member whose double was beavered plays on, or gives the cube up."""
        self._phase("team_answers_beavers")
        if player not in self._game().beavers:
            raise NotYours("no beaver of this member waits")
        self._beaver_answered(player, accepts=accepts)
        self._after_settling()

    # --- the box's cubes ------------------------------------------------------------------------

    def box_doubles(self, players: Iterable[int]) -> None:
        """The box doubles these members or nobody; one cube for all. Raises `BadAnswer`."""
        self._phase("box_doubles")
        chosen = set(players)
        allowed = doubled_by_box(self.state)
        if not chosen <= set(allowed):
            raise BadAnswer("the box cannot double all of these")
        if self.terms.one_cube and chosen and chosen != set(allowed):
            raise BadAnswer("the one cube is doubled for all")
        self._add(ev.BoxDoubled(players=tuple(each for each in allowed if each in chosen)))

    def answer(self, player: int, answer: ev.Answer) -> None:
        """A member answers the box's double, the captain first, then by the list."""
        self._phase("team_answers")
        game = self._game()
        if player != game.offered[0]:
            raise NotYours("the members answer one after the other")
        self._answer_check(game, player, answer)
        if answer == "take" and lone_taker(self.state) == player:
            raise BadAnswer("after all others have dropped one beavers or drops")
        self._answered(player, answer)
        self._after_settling()
        self._return_lone_take()

    def box_beaver_answers(self, accepts: Mapping[int, bool]) -> None:
        """The box answers all beavers at once: it plays on, or gives the cube up."""
        self._phase("box_answers_beavers")
        if set(accepts) != set(self._game().beavers):
            raise BadAnswer("each beaver needs an answer")
        for player, accepted in accepts.items():
            self._beaver_answered(player, accepts=accepted)
        self._after_settling()

    # --- dice and plays -------------------------------------------------------------------------

    def roll(self, dice: tuple[int, int]) -> None:
        """Dice for the side on roll."""
        self._phase("roll")
        self._add(ev.Rolled(dice=dice))

    def play(self, moves: tuple[tuple[int, int, int], ...]) -> None:
        """A complete play of the side on roll. Raises `BadAnswer` for one that is not legal."""
        self._phase("play")
        try:
            position_after(self._game(), moves)
        except RulesError as error:
            raise BadAnswer(str(error)) from error
        self._add(ev.Played(moves=moves))
        if self.state.phase == "over":
            self._board_settles()
        else:
            self._skip_cubes()

    # --- inside ---------------------------------------------------------------------------------

    def _skip_cubes(self) -> None:
        """Go on to the roll where nobody can double."""
        if self.state.phase == "team_decides":
            self._doubles_shown()
        elif self.state.phase == "box_doubles" and not doubled_by_box(self.state):
            self._add(ev.BoxDoubled(players=()))

    def _doubles_shown(self) -> None:
        if undecided(self.state):
            return
        game = self._game()
        doubled = tuple(each for each in game.active if game.decided.get(each))
        whole = self.terms.one_cube and doubled
        self._add(ev.TeamDoubled(players=game.active if whole else doubled))

    def _answer_check(self, game: RunningGame, player: int, answer: ev.Answer) -> None:
        cube = PlainCube(game.cubes[player].value)
        if answer == "beaver" and not may_beaver(cube, self.terms.cube_rules, is_match=False):
            raise BadAnswer("this double cannot be beavered")

    def _answered(self, player: int, answer: ev.Answer) -> None:
        game = self._game()
        self._add(ev.CubeAnswered(player=player, answer=answer))
        if answer == "drop":
            price = points_for_dropping(PlainCube(game.cubes[player].value))
            self._settle(game, player, price if game.on_roll == "box" else -price, "dropped")

    def _beaver_answered(self, player: int, *, accepts: bool) -> None:
        game = self._game()
        self._add(ev.BeaverAnswered(player=player, accepts=accepts))
        if not accepts:  # the cube was doubled once already
            price = game.cubes[player].value
            self._settle(game, player, -price if game.on_roll == "box" else price, "dropped")

    def _settle(self, game: RunningGame, player: int, box_points: int, how: ev.How) -> None:
        counted = self.terms.counted(abs(box_points))
        signed = counted if box_points > 0 else -counted
        self._add(ev.Settled(player=player, box=game.box, box_points=signed, how=how))

    def _after_settling(self, gone: int | None = None) -> None:
        """End the game once no member is left in it."""
        game = self._game()
        if game.active:
            if gone is not None:
                self._add(ev.StoodUp(player=gone))
                self._forget_offers(gone)
            return
        self._end(box_won=self._beat_captain(), gone=gone)

    def _return_lone_take(self) -> None:
        """Ask the only one who took once more, where the terms say that they beaver or drop."""
        game = self.state.game
        if game is None or self.state.phase != "roll":
            return
        takers = [each for each in game.doubled if not game.cubes[each].settled]
        if len(takers) == 1 and lone_rule_holds(self.state, takers[0]):
            self._add(ev.TakeReturned(player=takers[0]))

    def _forget_offers(self, gone: int) -> None:
        """Go on where something waited for a member who has gone."""
        game = self._game()
        if self.state.phase == "team_decides" and gone in game.team:
            self._doubles_shown()

    def _board_settles(self) -> None:
        """Settle with every member who is still in the game by the board."""
        game = self._game()
        outcome = VARIANT.ending(game.position)
        assert outcome is not None, "the board is finished"
        box_wins = (outcome.winner == "mover") == (game.on_roll == "box")
        for player in game.active:
            cube = game.cubes[player]
            level = counted_level(outcome.level, jacoby=self.terms.jacoby, double_taken=cube.turned)
            points = game_points(cube.value, level)
            self._settle(game, player, points if box_wins else -points, "board")
        self._end(box_won=self._beat_captain())

    def _beat_captain(self) -> bool:
        """Whether the box won against the captain who began this game."""
        game = self._game()
        box_points = game.cubes[game.order[1]].box_points
        assert box_points is not None, "the captain who began has settled"
        return box_points > 0

    def _end(self, *, box_won: bool, gone: int | None = None) -> None:
        game, state = self._game(), self.state
        if gone is not None:
            self._add(ev.StoodUp(player=gone))
        staying = [each for each in game.order if each in self.state.order]
        order = next_order(game.order, staying, state.joining, box_won=box_won)
        self._add(ev.ChouetteGameEnded(box_won=box_won, order=order))

    def _game(self) -> RunningGame:
        if self.state.game is None:
            raise NotNow("no game is running")
        return self.state.game

    def _phase(self, *wanted: Phase) -> None:
        if self.state.phase not in wanted:
            raise NotNow(f"the table is at {self.state.phase}")

    def _add(self, event: JournalEvent) -> None:
        self.journal.append(event)
        self.state = evolve(self.state, event)


def next_order(
    order: Sequence[int], staying: Sequence[int], joining: Sequence[int], *, box_won: bool
) -> tuple[int, ...]:
    """The list after a game with this list, of those who stay and those who join.

    Box against the captain who began decides. A box that won stays, and that captain goes to the
    end; a captain who won becomes box, and the old box goes to the end. Who joins comes before the
    player who goes to the end.
    """
    box, captain = order[0], order[1]
    last = captain if box_won else box
    first = [box] if box_won else [captain]
    crew = [each for each in order[2:] if each in staying]
    kept = [each for each in first if each in staying]
    moved = [last] if last in staying else []
    return (*kept, *crew, *joining, *moved)
