"""The heading of a match in OGXM: reading."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Final

from backgammon.formats.errors import FormatError
from backgammon.formats.ogxm import BEAVERS, CRAWFORD, JACOBY, RACCOONS, VARIANTS
from backgammon.formats.ogxm_bytes import OgxmFields, OgxmRecord
from backgammon.formats.record import Heading, MatchRecord
from backgammon.rules.cube import HIGHEST_CAP, CubeRules
from backgammon.rules.match import FormatKind

_MS: Final = 1000
_LINE_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class OgxmHeading:
    """The match, its game, the score before the first one, and whether Crawford's was before."""

    match: MatchRecord
    variant: str
    score: tuple[int, int]
    is_after_crawford: bool


def heading_of(fields: OgxmFields) -> OgxmHeading:
    """Return the heading in the section of a match.

    :raises FormatError: if it cannot be read, or its game is not known here.
    """
    record = fields.record()
    length, number = record.fields.number(), record.fields.number()
    if number >= len(VARIANTS):
        raise FormatError(f"the game {number} of OGXM is not known here")
    players = (_line(record.text(0)), _line(record.text(1)))
    flags, cap = record.number(2), record.number(3)
    score = (record.number(4), record.fields.number()) if record.has(4) else (0, 0)
    if record.has(5):
        record.number(5)
        record.fields.number()
    _result, _source = record.number(6), record.number(7)
    began = record.number(8)
    _ended, _seat = record.number(9), record.number(10)
    event = _line(record.text(12))
    _year, precision = record.number(13), record.number(14, -1)
    stage = _line(record.text(15))
    round_number = record.number(16)
    _table, _city, _country, _address = (record.text(bit) for bit in range(17, 21))
    site, match_id = _line(record.text(21)), _line(record.text(22))
    elo = (_rating(record, 23), _rating(record, 24))
    date, time = _moment(began, precision)
    told = Heading(
        site=site,
        match_id=match_id,
        event=event,
        round=str(round_number or stage or ""),
        date=date,
        time=time,
        elo=elo,
    )
    is_match = length > 0
    match = MatchRecord(
        players=players,
        kind=FormatKind.POINTS if is_match else FormatKind.UNLIMITED,
        length=length,
        has_cube=cap != 1,
        rules=_rules(flags, cap, is_match=is_match),
        heading=told,
    )
    return OgxmHeading(match, VARIANTS[number], score, record.has(11))


def _rules(flags: int, cap: int, *, is_match: bool) -> CubeRules:
    is_limit = 2 <= cap <= HIGHEST_CAP and cap & (cap - 1) == 0
    beavers = bool(flags & BEAVERS) and not is_match
    return CubeRules(
        cap=cap if is_limit else HIGHEST_CAP,
        jacoby=bool(flags & JACOBY) and not is_match,
        beavers=beavers,
        raccoons=bool(flags & RACCOONS) and beavers,
        crawford=bool(flags & CRAWFORD) or not is_match,
    )


def _rating(record: OgxmRecord, bit: int) -> str:
    if not record.has(bit):
        return ""
    player = record.fields.record()
    player.text(0)
    return f"{player.number(1) / 100:.2f}" if player.has(1) else ""


def _moment(began_ms: int, precision: int) -> tuple[datetime.date | None, datetime.time | None]:
    """The date and the time of day in UTC, as far as they are known."""
    if not began_ms or precision > 0:
        return None, None
    try:
        moment = datetime.datetime.fromtimestamp(began_ms // _MS, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None, None
    return moment.date(), None if precision == 0 else moment.time().replace(second=0)


def _line(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable()).strip()[:_LINE_MOST]
