"""The program or server that wrote a match, told from the marks in its text."""

from __future__ import annotations

import re
from typing import Final, Literal

from backgammon.formats.record import MatchRecord

Source = Literal["galaxy", "heroes", "xg", "gnu", "fibs", "gridgammon", "bgblitz", "pasch", ""]

#: words in the name of the site or in the application of an SGF file
_WORDS: Final[tuple[tuple[str, Source], ...]] = (
    ("galaxy", "galaxy"),
    ("heroes", "heroes"),
    ("backgammon studio", "heroes"),
    ("gridgammon", "gridgammon"),
    ("bgblitz", "bgblitz"),
    ("gnu backgammon", "gnu"),
    ("gnubg", "gnu"),
    ("fibs", "fibs"),
    ("extreme gammon", "xg"),
    ("extremegammon", "xg"),
    ("xgmobile", "xg"),
    ("pasch", "pasch"),
)
_XG_TAGS: Final = ("Transcriber", "TimeControl")
#: the clocks of Heroes are called so
_HEROES_CLOCK: Final = re.compile(r"(?:Live[0-9]*|Speed|Standard) [0-9]+/[0-9]+")
_APPLICATION: Final = re.compile(r"AP\[([^\]]{1,80})\]")
_OUR_JSON: Final = re.compile(r'"format":\s*"pasch-match"')
#: words that one of them alone uses
_LOST: Final = re.compile(r"\bLosses [0-9]+ point")
_CONCEDES: Final = re.compile(r"\bConcedes\b")
_CANNOT: Final = re.compile(r"[1-6]{2}: (?:Cannot Move|\?\?\?\?)")
_ELO_WITH_COMMA: Final = re.compile(r"[0-9]+,[0-9]{2}/[0-9]+")
_NAME_WITH_RATING: Final = re.compile(r".+,[0-9]{3,4}")

#: how much of a text the marks are looked for in
_TEXT_MOST: Final = 100_000


def source_of(text: str, record: MatchRecord) -> Source:
    """The source of a match from this text, "" if it has no mark."""
    text = text[:_TEXT_MOST]
    application = _APPLICATION.search(text) if text.lstrip("\ufeff \r\n").startswith("(") else None
    named = f"{record.heading.site} {application[1] if application else ''}".lower()
    for word, source in _WORDS:
        if word in named:
            return source
    if _OUR_JSON.search(text):
        return "pasch"
    other = dict(record.heading.other)
    if _HEROES_CLOCK.fullmatch(other.get("ClockType", "")) or _CONCEDES.search(text):
        return "heroes"
    if any(map(_ELO_WITH_COMMA.fullmatch, record.heading.elo)) or _LOST.search(text):
        return "galaxy"
    if any(name in other for name in _XG_TAGS) or _CANNOT.search(text):
        return "xg"
    if all(map(_NAME_WITH_RATING.fullmatch, record.players)):
        return "gridgammon"
    return ""
