"""The running matches of a restored house, played on to their ends with today's code.

`python -m tests.platform.first_house_goes_on FOLDER` prints JSON: the public log of the dice, and
of each table how much time was left on its clock, how its match ended, and its dice.
"""

import json
import sys
from pathlib import Path
from typing import Any

import django

django.setup()

# ruff: noqa: E402 (Django is set up first)
from accounts.models import User
from games.models import Match, Table
from games.services.commit import database_now_ms
from games.services.dice.records import match_record
from games.services.outages import SWEEP, WEB, heartbeat, outages_credit
from games.table import commands as cmd
from games.table.machine import due_ms
from games.table.plays import legal_plays
from tests.platform.first_house_files import fetched
from tests.services.chains import Client
from tests.services.conftest import Sitting


class Resumed(Sitting):
    """A table at which the game goes on, with the programs of its players where they have any."""

    def __init__(self, table_id: str, secrets: list[dict[str, str]]) -> None:
        table = Table.objects.get(pk=table_id)
        players = (User.objects.get(pk=table.opener_id), User.objects.get(pk=table.guest_id))
        super().__init__(table, players)
        self.clients = [Client(user, seat) for seat, user in enumerate(players)]
        for client, told in zip(self.clients, secrets, strict=False):
            client.secrets = {game: bytes.fromhex(secret) for game, secret in told.items()}

    def to_the_end(self) -> dict[str, Any]:
        """Play until the match has ended."""
        left_ms = (due_ms(self.state) or 0) - database_now_ms()
        while self.state.phase not in ("over", "closed"):
            self.step()
        match = Match.objects.filter(table_id=self.pk).latest("number")
        return {"left_ms": left_ms, "ending": match.ending, "dice": match_record(match)}

    def step(self) -> None:
        """The next command of whoever has to give one."""
        state = self.state
        later_game = state.match.games_played > 0  # these are resigned, which takes less time
        if state.phase == "between_games":
            for seat in (0, 1):
                self.give(seat, cmd.Ready())
        elif state.phase == "double_offered":
            self.give(state.decider, cmd.Take())
        elif state.phase == "resignation_offered":
            answer = cmd.AcceptResignation() if later_game else cmd.RefuseResignation()
            self.give(state.decider, answer)
        elif state.phase == "rolling":
            self.clients[self.table.fair["wanted"].index(True)].answer(self.table)
        elif state.phase in ("roll", "roll_off"):
            self.give(state.game.on_roll, self._roll(state.game.on_roll))
        elif later_game:
            self.give(state.game.on_roll, cmd.OfferResignation(level=1))
        else:
            self._play()

    def _roll(self, seat: int) -> cmd.Roll:
        """A roll with the player's part, where their program takes part in the game."""
        fair = self.table.fair
        known = fair["game"] in self.clients[seat].secrets
        return self.clients[seat].roll(self.table) if known else cmd.Roll()

    def _play(self) -> None:
        state = self.state
        move = next(iter(legal_plays(state, state.game, state.game.dice)))
        wire = tuple((each.source, each.target, each.die) for each in move)
        self.give(state.game.on_roll, cmd.Play(moves=wire))


def main(folder: Path) -> None:
    told = json.loads((folder / "recorded.json").read_text())
    for role in (WEB, SWEEP):
        heartbeat(role)  # the first since the upgrade
    credited = outages_credit()
    secrets = told["secrets"]
    ended = {
        table: Resumed(table, secrets.get(table, [])).to_the_end() for table in told["running"]
    }
    log = fetched("/fair/log.txt")
    sys.stdout.write(json.dumps({"credited": credited, "ended": ended, "log": log}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
