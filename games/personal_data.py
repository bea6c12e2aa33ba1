"""Personal data of games (`kit/personal_data.py`)."""

from collections.abc import Iterator
from typing import Final

from accounts.models import User
from backgammon.formats.registry import by_key
from games.models import (
    Bar,
    Challenge,
    ChatChoice,
    ChatMeasure,
    ChatMessage,
    CommandRecord,
    DiceLuck,
    Favourite,
    HouseBot,
    LearntStep,
    Match,
    Mute,
    PlayerMatch,
    Table,
    WordsReport,
)
from games.services.archive import file_name, match_file, matches_of
from kit.personal_data import CHUNK_ROWS, PersonalData, part_of

_COUNTS: Final = (
    "single_won gammon_won backgammon_won single_lost gammon_lost backgammon_lost doubled taken"
    " dropped"
)

_PARTS: Final = (
    part_of(
        "tables",
        Table,
        by=("opener", "guest"),
        columns="id opener__username guest__username mode variant stake_cents phase code"
        " strength_span created_at changed_at",
        order="created_at",
    ),
    part_of(
        "matches",
        Match,
        by=("player_0", "player_1"),
        columns="id table_id number mode variant player_0__username player_1__username"
        " stake_cents terms rated rated_games winner_seat ending points score games rake_cents"
        " paid_cents started_at ended_at",
        order="started_at",
    ),
    part_of(
        "statistics",
        PlayerMatch,
        by=("player",),
        columns=f"match_id seat opponent__username is_open ended_at {_COUNTS}",
    ),
    part_of(
        "bars",
        Bar,
        by=("user", "other"),
        columns="kind placed_at ends_at lifted_at",
        order="placed_at",
    ),
    part_of("dice_luck", DiceLuck, by=("user",), columns="rolls pips"),
    part_of(
        "challenges",
        Challenge,
        by=("challenger", "challenged"),
        columns="id challenger__username challenged__username terms state table_id made_at"
        " expires_at answered_at",
        order="made_at",
    ),
    part_of("favourites", Favourite, by=("owner",), columns="name wishes saved_at"),
    part_of("lessons", LearntStep, by=("person",), columns="lesson step solved at"),
    part_of("mutes", Mute, by=("owner",), columns="muted__username made_at"),
    part_of("chat_choice", ChatChoice, by=("user",), columns="free_text"),
    part_of(
        "chat_messages",
        ChatMessage,
        by=("author",),
        columns="table_id room seat audience phrase text said_at",
    ),
    part_of(
        "reports_made",
        WordsReport,
        by=("reporter",),
        columns="kind subject author__username said about said_at reason words made_at outcome"
        " closed_at",
    ),
    part_of(
        "reports_about",
        WordsReport,
        by=("author",),
        columns="subject said said_at reason made_at outcome closed_at",
    ),
    part_of("chat_measures", ChatMeasure, by=("user",), columns="made_at until"),
    part_of(
        "commands",
        CommandRecord,
        by=("user",),
        columns="table_id command_id seq refusal stored_at",
    ),
    part_of("house_bot", HouseBot, by=("user",), columns="strength"),
)

_MEASURE: Final = "a measure stays, so that it can be checked"
_RECORDS: Final = "matches stay, with the opponents' records, ratings and dice"
_REPORTS: Final = "a report keeps its copy of the words, so that its decision can be checked"

PERSONAL_DATA: Final = PersonalData(
    parts=_PARTS,
    left_out={
        "games.Mute.muted": "a mute belongs to who set it; the muted person cannot see it",
        "games.PlayerMatch.opponent": "the opponent's side; the person's own is in the export",
    },
    erased=(
        (Challenge, "challenger"),
        (Challenge, "challenged"),
        (ChatChoice, "user"),
        (ChatMessage, "author"),
        (CommandRecord, "user"),
        (Favourite, "owner"),
        (LearntStep, "person"),
        (Mute, "owner"),
        (Mute, "muted"),
    ),
    kept={
        "games.Bar.other": _MEASURE,
        "games.Bar.user": _MEASURE,
        "games.ChatMeasure.user": _MEASURE,
        "games.DiceLuck.user": "two sums of many dice, part of the statistics of the house",
        "games.HouseBot.user": "accounts of the house",
        "games.Match.player_0": _RECORDS,
        "games.Match.player_1": _RECORDS,
        "games.PlayerMatch.opponent": _RECORDS,
        "games.PlayerMatch.player": _RECORDS,
        "games.Table.guest": _RECORDS,
        "games.Table.opener": _RECORDS,
        "games.WordsReport.author": _REPORTS,
        "games.WordsReport.reporter": _REPORTS,
    },
    of_staff=("games.WordsReport.closed_by",),
)


def match_files(person: User) -> Iterator[tuple[str, bytes]]:
    """The name and the JSON file of each match of this person that has ended."""
    file_format = by_key("json")
    for match in matches_of(person.pk).iterator(chunk_size=CHUNK_ROWS):
        yield file_name(match, file_format), match_file(match, file_format)
