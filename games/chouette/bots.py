"""House bots at a chouette: one command for the next of them whose decision is due.

They judge as at any practice table (`games/bots`), with the errors of their level, and play only
where nothing is at stake.
"""

from backgammon.bots import engine as judge
from backgammon.bots.noise import Noise
from backgammon.bots.strength import level_of
from backgammon.counting.situation import Situation
from backgammon.rules.cube import Cube as PlainCube
from backgammon.rules.cube import may_beaver
from backgammon.rules.position import Way
from games.bots.player import wire_moves
from games.chouette.engine import events as ev
from games.chouette.engine.rights import doubled_by_box, lone_taker, undecided, waited_for
from games.chouette.engine.state import position_plays
from games.chouette.engine.table import Chouette

#: with the cube at two, what is misjudged counts twice.
_CUBE_DOUBLED = 2


class Mind:
    """One bot in front of one position."""

    def __init__(self, table: Chouette, player: int, strength: str, seed: str) -> None:
        game = table.state.game
        assert game is not None, "a game is running"
        self.table, self.player, self.game = table, player, game
        self.level = level_of(strength)
        contact = game.position.contact(Way.AGAINST)
        named = f"{seed}|{player}"
        self.noise = Noise(self.level, named, f"{game.number}|{player}", contact=contact)

    def act(self) -> None:
        """Give the command that is due."""
        table, game = self.table, self.game
        match table.state.phase:
            case "team_decides":
                table.decide(self.player, doubles=self._doubles(self.player))
            case "box_doubles":
                table.box_doubles(self._doubled(doubled_by_box(table.state)))
            case "box_answers":
                table.box_answers(self._box_answers(game.offered))
            case "team_answers":
                table.answer(self.player, self._answer(self.player))
            case "team_answers_beavers":
                table.beaver_answer(self.player, accepts=True)
            case "box_answers_beavers":
                table.box_beaver_answers(dict.fromkeys(game.beavers, True))
            case "play":
                table.play(self._play())

    def _situation(self, member: int) -> Situation:
        """The position with a member's cube, as the side on roll sees it."""
        cube, terms = self.game.cubes[member], self.table.terms
        owner = None if cube.owner is None else int(cube.owner != self.game.on_roll)
        return Situation(
            position=self.game.position,
            cube=PlainCube(cube.value, owner),
            jacoby=terms.jacoby,
            beavers=terms.cube_rules.beavers,
        )

    def _doubles(self, member: int) -> bool:
        worth = judge.cube_worth(self._situation(member))
        error = self.noise.about_cube()
        doubled = min(worth.double_take + _CUBE_DOUBLED * error, 1.0)
        return doubled > worth.no_double + error + self.level.shy

    def _doubled(self, members: tuple[int, ...]) -> tuple[int, ...]:
        """The members whom this box doubles; one cube is judged once, for all."""
        if self.table.terms.one_cube:
            return members if members and self._doubles(members[0]) else ()
        return tuple(filter(self._doubles, members))

    def _box_answers(self, members: tuple[int, ...]) -> dict[int, ev.Answer]:
        if self.table.terms.one_cube:
            return dict.fromkeys(members, self._answer(members[0]))
        return {each: self._answer(each) for each in members}

    def _answer(self, member: int) -> ev.Answer:
        worth = judge.cube_worth(self._situation(member))
        taken = worth.double_take + _CUBE_DOUBLED * self.noise.about_cube()
        if lone_taker(self.table.state) == member:
            return "beaver" if _CUBE_DOUBLED * taken <= 1.0 else "drop"
        cube = PlainCube(self.game.cubes[member].value)
        if taken < 0 and may_beaver(cube, self.table.terms.cube_rules, is_match=False):
            return "beaver"
        return "take" if taken <= 1.0 else "drop"

    def _play(self) -> tuple[tuple[int, int, int], ...]:
        ends = tuple(position_plays(self.game).graph.ends())
        results = [result for _moves, result in ends]
        member = self.game.active[0] if self.game.box == self.player else self.player
        worth = judge.plays_worth(self._situation(member), results)
        errors = self.noise.about_plays(results)
        seems = [value + error for value, error in zip(worth, errors, strict=True)]
        return wire_moves(ends[seems.index(max(seems))][0])


def bot_due(table: Chouette, bots: dict[int, str]) -> int | None:
    """The house bot whose decision is due now, the first of them."""
    waits = undecided(table.state) or waited_for(table.state)
    return next((player for player in waits if player in bots), None)


def bot_acts(table: Chouette, player: int, strength: str, seed: str) -> None:
    """Let this bot give the command that is due."""
    Mind(table, player, strength, seed).act()
