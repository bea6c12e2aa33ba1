"""The scopes of tokens: the one table of scopes, operations and frames.

A token has one scope or more. An operation of the REST API, a connection or a frame of a
WebSocket that is not in this table is refused to every token. Payouts, limits and changes of
identity are for people only: no scope allows them.
"""

from collections.abc import Mapping
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """A use that a token allows."""

    READ = "read", _("Read: tables, matches, challenges, tournaments and analyses")
    PLAY = "play", _("Play: give commands at a table and talk there")
    TABLES = (
        "tables",
        _("Tables: open, join and close them, challenge and be challenged, enter tournaments"),
    )
    MATCHES = "matches", _("Matches: bring matches from elsewhere and delete them")
    WALLET = "wallet", _("Wallet: read the balance and the entries")


#: the default of a new token
USUAL: Final = (Scope.READ, Scope.PLAY, Scope.TABLES)

#: operations of the REST interface, by the id of the schema.
OPERATIONS: Final[Mapping[str, Scope]] = {
    "modes_list": Scope.READ,
    "tables_list": Scope.READ,
    "tables_mine": Scope.READ,
    "tables_get": Scope.READ,
    "matches_list": Scope.READ,
    "matches_get": Scope.READ,
    "matches_mine": Scope.READ,
    "matches_brought_get": Scope.READ,
    "matches_brought_change": Scope.MATCHES,
    "matches_brought_delete": Scope.MATCHES,
    "matches_import": Scope.MATCHES,
    "matches_import_get": Scope.READ,
    "matches_import_undo": Scope.MATCHES,
    "matches_import_file": Scope.READ,
    "matches_import_correct": Scope.MATCHES,
    "ranking_list": Scope.READ,
    "players_get": Scope.READ,
    "analysis_ask": Scope.READ,
    "analysis_answer": Scope.READ,
    "analysis_estimate": Scope.READ,
    "analysis_reports": Scope.READ,
    "analysis_decisions": Scope.READ,
    "decisions_list": Scope.READ,
    "decisions_statistics": Scope.READ,
    "exercises_list": Scope.READ,
    "exercises_next": Scope.READ,
    "exercises_get": Scope.READ,
    "exercises_day": Scope.READ,
    "exercises_progress": Scope.READ,
    "players_progress": Scope.READ,
    "challenges_list": Scope.READ,
    "challenges_get": Scope.READ,
    "tables_open": Scope.TABLES,
    "tables_pair": Scope.TABLES,
    "tables_practise": Scope.TABLES,
    "tables_join": Scope.TABLES,
    "tables_close": Scope.TABLES,
    "tournaments_list": Scope.READ,
    "tournaments_get": Scope.READ,
    "tournaments_enter": Scope.TABLES,
    "tournaments_withdraw": Scope.TABLES,
    "tournaments_ready": Scope.TABLES,
    "chouettes_list": Scope.READ,
    "chouettes_get": Scope.READ,
    "chouettes_open": Scope.TABLES,
    "chouettes_do": Scope.PLAY,
    "challenges_make": Scope.TABLES,
    "challenges_accept": Scope.TABLES,
    "challenges_decline": Scope.TABLES,
    "challenges_withdraw": Scope.TABLES,
    "wallet_get": Scope.WALLET,
    "wallet_entries": Scope.WALLET,
    "wallet_statement": Scope.WALLET,
}

#: WebSockets, by the name of their address.
SOCKETS: Final[Mapping[str, Scope]] = {
    "table": Scope.READ,
    "lobby": Scope.READ,
    "chouette": Scope.READ,
    "tournament": Scope.READ,
    "tournaments": Scope.READ,
}

#: frames of the client, by their type; `command` needs what its command needs, too.
FRAMES: Final[Mapping[str, Scope]] = {
    "resume": Scope.READ,
    "ping": Scope.READ,
    "chat": Scope.READ,
    "command": Scope.PLAY,
    "hint": Scope.PLAY,
    "dice_tip": Scope.PLAY,
    "dice_seed": Scope.PLAY,
    "dice_element": Scope.PLAY,
    "say": Scope.PLAY,
    "mute": Scope.PLAY,
    "free_text": Scope.PLAY,
    "report": Scope.PLAY,
}

#: commands at a table or in a tournament, by their type.
COMMANDS: Final[Mapping[str, Scope]] = dict.fromkeys(
    (
        "roll", "double", "take", "drop", "beaver", "raccoon", "name_double", "play",
        "offer_resignation", "accept_resignation", "refuse_resignation", "ready", "rematch",
        "stand_up", "claim", "leave", "stop", "take_back",
        # at a chouette
        "sit", "leave_after", "start", "invite_bot", "wake", "decide", "box_answers",
        "beaver_answer", "box_doubles", "answer", "box_beaver_answers", "advise", "agree", "tip",
        "element",
    ),
    Scope.PLAY,
) | dict.fromkeys(("enter", "withdraw", "come"), Scope.TABLES)  # fmt: skip


def frame_scope(frame: str, command: str = "") -> Scope | None:
    """The scope that a frame of this type needs, with this command in it; None: no token may."""
    scope = FRAMES.get(frame)
    return COMMANDS.get(command) if scope is not None and frame == "command" else scope
