"""Voiding the running game of a chouette: every stake goes back whole, and nobody wins a point."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from accounts.models import User
from games.chouette.errors import GameOver, NoSuchChouette
from games.chouette.models import Circle, Game
from games.chouette.services.course import go_on
from games.chouette.services.store import Work
from games.services.administration import Decidable, Effect
from games.services.commit import row_lock


class GameCase(Decidable):
    """A game that is voided; all who ever sat at its table are barred. Raises `DoesNotExist`.

    The highest stake is the box's, if the team has two members or more.
    """

    def __init__(self, game_id: UUID, lock: bool = False) -> None:
        game = Game.objects.select_related("circle").get(pk=game_id)
        self._circle = row_lock(Circle, game.circle_id, NoSuchChouette) if lock else game.circle
        self.game = Game.objects.get(pk=game_id) if lock else game
        rows = game.shares.order_by("-stake_cents", "pk")
        self.stakes_cents = dict(rows.values_list("user_id", "stake_cents"))
        self.players = self.stakes_cents.keys()
        self.people = set(game.circle.places.values_list("user_id", flat=True))
        self.stake_cents = max(self.stakes_cents.values(), default=0)
        self.reference = game.reference

    def effect(self) -> Effect:
        """Every stake goes back. Raises `GameOver`."""
        if self.game.ended_at is not None:
            raise GameOver("the game has ended")
        before = {"game": self.game.number, "ending": ""}
        return Effect(verb="chouette.void", paid_cents=self.stakes_cents, before=before)

    def carry_out(
        self, _actor: User, _reason: str, _proposer: User | None
    ) -> tuple[Mapping[str, Any], Callable[[], object] | None]:
        """Void the game; the table goes on."""
        work = Work(self._circle)
        work.game = self.game
        work.engine.void()
        return {"game": self.game.number, "ending": "voided"}, partial(go_on, work)
