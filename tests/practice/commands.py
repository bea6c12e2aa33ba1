"""Commands that a test gives for a player."""

from uuid import uuid4

from accounts.models import User
from games.models import Table
from games.services.tables import table_command
from games.table import commands as cmd


def give(table: Table, user: User, command: cmd.PlayerCommand) -> None:
    """Give a command of this player on the present view."""
    table.refresh_from_db()
    table_command(
        table_id=table.pk,
        user_id=user.pk,
        command_id=str(uuid4()),
        seen_seq=table.seq,
        command=command,
    )
    table.refresh_from_db()
