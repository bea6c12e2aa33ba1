"""A running table whose commands the test gives, and tables where both take part in the dice."""

from uuid import uuid4

from accounts.models import User
from games.models import Table
from games.selectors import table_state
from games.services.tables import CommandAnswer, table_command, table_join, table_open
from games.table import commands as cmd
from games.table.turn import legal_plays
from harness.chains import Client
from harness.rig import opener_begins
from ledger.selectors import wallet_balance


class Sitting:
    """A running table whose commands the test gives."""

    def __init__(self, table: Table, players: tuple[User, User]) -> None:
        self.pk = table.pk
        self.players = players

    @property
    def table(self) -> Table:
        return Table.objects.get(pk=self.pk)

    @property
    def state(self):
        return table_state(self.table)

    def give(self, seat: int, command: cmd.PlayerCommand, **kwargs: object) -> CommandAnswer:
        """A command of a seat on the current view."""
        options = {"command_id": str(uuid4()), "seen_seq": self.table.seq, **kwargs}
        return table_command(
            table_id=self.pk, user_id=self.players[seat].pk, command=command, **options
        )

    def turn(self) -> None:
        """Roll for the start and for the turn, if necessary, and make the first legal play."""
        state = self.state
        while state.phase == "roll_off":
            self.give(state.game.on_roll, cmd.Roll())
            state = self.state
        if state.phase == "roll":
            self.give(state.game.on_roll, cmd.Roll())
            state = self.state
        if state.phase == "play":
            moves = next(iter(legal_plays(state, state.game, state.game.dice)))
            wire = tuple((m.source, m.target, m.die) for m in moves)
            self.give(state.game.on_roll, cmd.Play(moves=wire))

    def balances(self) -> tuple[int, int]:
        """Both wallets in cents."""
        return tuple(wallet_balance(user.pk) for user in self.players)


# --- tables at which both take part in the dice ---------------------------------------------------
def seated(magriel: User, hilde: User, **wishes: object) -> Sitting:
    """The two players at a table, before the first roll."""
    wishes = {"mode": "prize5", "stake_cents": 250, **wishes}
    table = table_open(user=magriel, **opener_begins(wishes))
    table_join(user=hilde, table_id=table.pk)
    return Sitting(table, (magriel, hilde))


def play_on(sitting: Sitting, clients: tuple[Client, ...], turns: int) -> None:
    """Play this many turns; players whose part is wanted send it."""
    for _ in range(turns):
        state = sitting.state
        if state.phase == "roll":
            client = clients[state.game.on_roll]
            sitting.give(state.game.on_roll, client.roll(sitting.table))
        while sitting.state.phase == "rolling":
            wanted = sitting.table.fair["wanted"]
            clients[wanted.index(True)].answer(sitting.table)
        sitting.turn()
