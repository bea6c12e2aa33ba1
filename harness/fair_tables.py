"""Tables at which both players take part in the dice."""

from accounts.models import User
from games.services.tables import table_join, table_open
from harness.chains import Client
from harness.rig import opener_begins
from harness.sitting import Sitting


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
