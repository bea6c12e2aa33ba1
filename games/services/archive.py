"""The archive: matches that were played, their records and their replay. Only reads."""

import json
import zipfile
from collections.abc import Iterable
from io import BytesIO
from typing import Final

from django.db.models import Q, QuerySet

from accounts.models import User
from backgammon.dice.signed_match import signed_match, signed_ogxm
from backgammon.engines.house import ANALYSED
from backgammon.formats.record import MatchRecord
from backgammon.formats.record_json import record_to_json
from backgammon.formats.registry import OGXM, BinaryFormat, FileFormat, by_key, formats_for
from games.models import Match
from games.modes.registry import by_key as mode_by_key
from games.records import record_of
from games.selectors import match_terms
from games.services.dice.keys import match_sign, public_key
from games.services.dice.records import match_record as dice_record
from games.services.house_bots import ALONE_NAME
from games.table.events import AnyEvent, MatchSettled
from games.table.replay import Step, steps
from games.table.takeback import lasting
from games.wire import event_frame, event_from_payload
from house.reader import house_now
from kit.paging import Order, id_column, moment_column

RESULTS: Final = ("won", "lost", "drawn", "void")

VOIDED: Final = ("voided", "stood_up")


ARCHIVE: Final = Order((moment_column("ended_at"), id_column("id")))
"""The order of an archive: the match that ended last comes first."""

RUNNING: Final = Order((moment_column("started_at"), id_column("id")))
"""The order of matches that are being played: the newest first."""

Halves = tuple[QuerySet[Match], QuerySet[Match]]


def matches_of(user_id: int) -> QuerySet[Match]:
    """A player's decided matches, the newest first."""
    mine = Q(player_0=user_id) | Q(player_1=user_id)
    found = Match.objects.filter(mine, ended_at__isnull=False)
    return found.select_related("player_0", "player_1").order_by("-ended_at", "-pk")


def halves_of(user_id: int, *, mode: str = "", opponent: str = "", result: str = "") -> Halves:
    """A player's decided matches in seat 0 and in seat 1, as pages of `ARCHIVE` put them together.

    Each half is read through an index of its own. An empty filter lets everything through;
    `opponent` is a part of the name, `result` one of `RESULTS`.
    """
    wanted = {"mode": mode, "opponent": opponent, "result": result}
    return _half(user_id, 0, **wanted), _half(user_id, 1, **wanted)


def _half(user_id: int, seat: int, *, mode: str, opponent: str, result: str) -> QuerySet[Match]:
    found = Match.objects.filter(**{f"player_{seat}": user_id}, ended_at__isnull=False)
    if mode:
        found = found.filter(mode=mode)
    if opponent:
        found = found.filter(**{f"player_{1 - seat}__username__icontains": opponent})
    if result in ("won", "lost"):
        found = found.filter(winner_seat=seat if result == "won" else 1 - seat)
    elif result:
        found = found.filter(winner_seat__isnull=True)
        voided = Q(ending__in=VOIDED)
        found = found.filter(voided if result == "void" else ~voided)
    return found.select_related("player_0", "player_1")


def result_of(match: Match, seat: int) -> str:
    """How a match came out for a seat: won, lost, drawn, void, or even for a session."""
    if match.winner_seat is not None:
        return "won" if match.winner_seat == seat else "lost"
    if match.ending in VOIDED:
        return "void"
    return "even" if is_session(match) else "drawn"


def is_session(match: Match) -> bool:
    """Whether its score counts the points that were paid, not towards a goal."""
    contest = mode_by_key(match.mode).contest
    return contest == "session"


def is_analysed(match: Match, players: Iterable[User]) -> bool:
    """Return True if the house analyses this match: finished, not alone, with an engine."""
    ended = match.ended_at is not None and match.ending not in VOIDED
    names = [player.get_username() for player in players if player.is_bot]
    return ended and match.variant in ANALYSED and len(names) < 2 and ALONE_NAME not in names


def match_events(match: Match) -> list[AnyEvent]:
    """The events of a match, from its start up to the next match at the table.

    What was taken back in practice is left out: it is no part of the game that was played.
    """
    events = match.table.events.order_by("seq")
    started = events.filter(type="match_started", payload__match=str(match.pk)).first()
    if started is None:
        return []
    following = events.filter(type="match_started", seq__gt=started.seq).first()
    rows = events.filter(seq__gte=started.seq)
    if following is not None:
        rows = rows.filter(seq__lt=following.seq)
    told = lasting(event_frame(row.seq, row.payload) for row in rows)
    return [event_from_payload(payload) for payload in told]


def match_settled(match: Match) -> MatchSettled | None:
    """The credits a match's settlement moved; None if it was never settled or is voided."""
    if match.ended_at is None or match.ending in VOIDED:
        return None
    found = [event for event in match_events(match) if isinstance(event, MatchSettled)]
    return found[-1] if found else None


def match_record(match: Match) -> MatchRecord:
    """The record of a match that has begun, finished or not."""
    names = (match.player_0.get_username(), match.player_1.get_username())
    terms, site = match_terms(match), house_now().name
    return record_of(match_events(match), terms=terms, players=names, site=site)


def match_steps(match: Match) -> list[Step]:
    """The match step by step, for a replay on the board."""
    return steps(match_events(match), terms=match_terms(match), seats=match.players)


def match_file(match: Match, file_format: FileFormat | BinaryFormat) -> bytes:
    """Return the match as a file."""
    return file_format.encode(match_record(match))


def signed_file(match: Match, file_format: FileFormat | BinaryFormat) -> bytes:
    """Return the match as JSON or OGXM with the proof of its dice, signed (docs/dice.md)."""
    record, told = match_record(match), dice_record(match)
    dice, key = told if told["games"] else None, public_key()
    if file_format is OGXM:
        return signed_ogxm(record, dice, public_key=key, sign=match_sign)
    document = signed_match(record_to_json(record), dice, public_key=key, sign=match_sign)
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def file_name(match: Match, file_format: FileFormat | BinaryFormat) -> str:
    """The name of a file with this match: date, both players, and the match."""
    names = f"{match.player_0.get_username()}-{match.player_1.get_username()}"
    day = match.started_at.strftime("%Y-%m-%d")
    return f"{day}-{names}-{str(match.pk)[:8]}.{file_format.key}"


def matches_zip(matches: Iterable[Match], file_format: FileFormat | BinaryFormat) -> bytes:
    """Return a zip archive with one file a match; JSON where the format does not know its game."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in matches:
            record = match_record(match)
            is_known = file_format in formats_for(record.variants)
            chosen = file_format if is_known else by_key("json")
            archive.writestr(file_name(match, chosen), chosen.encode(record))
    return packed.getvalue()
