"""Hands that play chouettes through the services."""

import random
from collections.abc import Callable
from typing import Any
from uuid import UUID

from accounts.models import User
from games.chouette import commands as cmd
from games.chouette.models import Circle
from games.chouette.pace import BOT_MS, CUBE_MS, PAUSE_MS, ROLL_MS
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command, chouette_move_on
from games.chouette.services.store import state_of
from games.chouette.view import chouette_view


def circle_sit(*, user: User, circle_id: UUID) -> Circle:
    chouette_command(user=user, circle_id=circle_id, command=cmd.SitDown())
    return Circle.objects.get(pk=circle_id)


class Hands:
    """A table and the people at it; each decision is made through the services."""

    def __init__(self, players: list[User], **wishes: Any) -> None:
        self.sit_at(circle_open(user=players[0], **wishes), players)

    def sit_at(self, circle: Circle, players: list[User]) -> None:
        """Let those sit down at this table who do not sit there yet."""
        self.players = {player.pk: player for player in players}
        self.circle = circle
        for player in players:
            circle_sit(user=player, circle_id=circle.pk)

    def row(self) -> Circle:
        self.circle.refresh_from_db()
        return self.circle

    def view(self, player: int | None = None) -> dict[str, Any]:
        return chouette_view(self.row(), player)

    def do(self, player: int, command: Any) -> None:
        chouette_command(user=self.players[player], circle_id=self.circle.pk, command=command)

    def later(self, ms: int) -> None:
        """Let so much time pass at this table."""
        pace = dict(self.row().pace)
        for name in ("since_ms", "roll_until_ms", "next_game_ms"):
            if pace.get(name) is not None:
                pace[name] -= ms
        Circle.objects.filter(pk=self.circle.pk).update(pace=pace)
        chouette_move_on(self.circle.pk)

    def begin(self) -> None:
        """Start the next game, and let the dice come."""
        self.later(PAUSE_MS)
        self.dice_come()

    def dice_come(self) -> None:
        while state_of(self.row()).phase in ("roll_off", "roll"):
            self.later(2 * ROLL_MS)

    def step(self, choose: Callable[[dict[str, Any], int], Any]) -> None:
        """The person who has to decide does so; `choose` returns the command for a view."""
        view = self.view()
        player = view["waits_for"][0]
        mine = self.view(player)
        self.do(player, choose(mine, player))
        self.dice_come()

    def play_out(self, choose: Callable[[dict[str, Any], int], Any], steps: int = 2_000) -> None:
        """Play the running game to its end."""
        for _ in range(steps):
            if state_of(self.row()).game is None:
                return
            self.step(choose)
        raise AssertionError("the game does not end")

    def play_out_with_bots(self, player: int, choose: Callable[[dict[str, Any], int], Any]) -> None:
        """Play the running game to its end; all others at the table are house bots."""
        for _ in range(3_000):
            view = self.view()
            if view["phase"] == "between_games":
                return
            if player in view["waits_for"]:
                self.step(choose)
            else:
                self.later(BOT_MS)
                self.dice_come()
        raise AssertionError("the game does not end")


def at_random(chance: random.Random, doubles: float = 0.15) -> Callable[..., Any]:
    """Any legal decision."""

    def choose(view: dict[str, Any], _player: int) -> Any:
        actions, turn = view["actions"], view["turn"]
        answers = ("take", "take", "drop")
        if "decide" in actions:
            return cmd.Decide(turn=turn, doubles=chance.random() < doubles)
        if "box_answers" in actions:
            offers = actions["box_answers"]
            if view["terms"]["cubes"] == "one":
                once = _answer(chance, offers[0], answers)
                return cmd.BoxAnswers(turn=turn, answers={each["player"]: once for each in offers})
            given = {each["player"]: _answer(chance, each, answers) for each in offers}
            return cmd.BoxAnswers(turn=turn, answers=given)
        if "beaver_answer" in actions:
            return cmd.BeaverAnswer(turn=turn, accepts=chance.random() < 0.5)
        if "box_doubles" in actions:
            allowed = [each["player"] for each in actions["box_doubles"]]
            chosen = tuple(each for each in allowed if chance.random() < doubles)
            if view["terms"]["cubes"] == "one" and chosen:
                chosen = tuple(allowed)
            return cmd.BoxDoubles(turn=turn, players=chosen)
        if "answer" in actions:
            return cmd.AnswerDouble(turn=turn, answer=_answer(chance, actions["answer"], answers))
        if "box_beaver_answers" in actions:
            beavers = actions["box_beaver_answers"]
            accepts = {each["player"]: chance.random() < 0.5 for each in beavers}
            return cmd.BoxBeaverAnswers(turn=turn, accepts=accepts)
        return cmd.ChouettePlay(turn=turn, moves=walk(chance, view["graph"]))

    return choose


def _answer(chance: random.Random, offer: dict[str, Any], answers: tuple[str, ...]) -> Any:
    if not offer.get("may_take", True):
        return chance.choice(("beaver", "drop"))
    return "beaver" if offer["may_beaver"] and chance.random() < 0.1 else chance.choice(answers)


def walk(chance: random.Random, graph: Any) -> tuple[tuple[int, int, int], ...]:
    """A play along the graph, to a node without edges."""
    node, moves = 0, []
    while graph[node]:
        source, target, die, node = chance.choice(graph[node])
        moves.append((source, target, die))
    return tuple(moves)


#: more than any decision about cubes may take.
CUBES_OVER_MS = CUBE_MS + 1_000
