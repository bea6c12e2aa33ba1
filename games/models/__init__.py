"""The models of tables, matches and challenges.

The events of a table are authoritative; the state on its row is a cache.

Locks: a table's row is locked first (FOR NO KEY UPDATE), everything else of the table is written
under that lock; then ratings, then the books (docs/locking.md).
"""

from games.models.chat import Bar, BarKind, ChatChoice, ChatMeasure, ChatMessage, Mute, WordsReport
from games.models.dice import DiceLogEntry, DiceRoll, GameDice, RollPack, StoredDiceRoll
from games.models.figures import DiceLuck, DiceStatistics, LearntStep, PlayerMatch
from games.models.house import BotTurn, Heartbeat, HouseBot, Outage
from games.models.lobby import Challenge, ChallengeState, Favourite, StandIn
from games.models.tables import (
    CommandRecord,
    Deadline,
    EventPack,
    Match,
    StoredEvent,
    Table,
    TableEvent,
)

__all__ = [
    "Bar",
    "BarKind",
    "BotTurn",
    "Challenge",
    "ChallengeState",
    "ChatChoice",
    "ChatMeasure",
    "ChatMessage",
    "CommandRecord",
    "Deadline",
    "DiceLogEntry",
    "DiceLuck",
    "DiceRoll",
    "DiceStatistics",
    "EventPack",
    "Favourite",
    "GameDice",
    "Heartbeat",
    "HouseBot",
    "LearntStep",
    "Match",
    "Mute",
    "Outage",
    "PlayerMatch",
    "RollPack",
    "StandIn",
    "StoredDiceRoll",
    "StoredEvent",
    "Table",
    "TableEvent",
    "WordsReport",
]
