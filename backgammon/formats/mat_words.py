"""The words of .mat files: what each program writes for the same thing.

Jellyfish's own words, and those of GNU Backgammon, eXtreme Gammon, Backgammon Galaxy, Backgammon
Studio (Heroes), HedgeHog, GammonView and older clients. A new dialect is a new row here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from backgammon.formats.errors import FormatError
from backgammon.formats.record import CubeVerb


class WordKind(Enum):
    """The meaning of a cell without dice."""

    OFFER = "offer"
    TAKE = "take"
    DROP = "drop"
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Word:
    """A cell without dice; `number` are points or the cube, None if the cell has none.

    `verb` is None for an offer that may be of either kind.
    """

    kind: WordKind
    number: int | None = None
    verb: CubeVerb | None = None


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """The line below ``Game n``."""

    players: tuple[str, str]
    points: tuple[int, int]


_VERBS = {
    "takes": WordKind.TAKE,
    "accepts": WordKind.TAKE,
    "drops": WordKind.DROP,
    "passes": WordKind.DROP,
    "rejects": WordKind.DROP,
    "wins": WordKind.WIN,
    "loses": WordKind.LOSS,
    "losses": WordKind.LOSS,
    "concedes": WordKind.LOSS,
    "resigns": WordKind.LOSS,
    "resigned": WordKind.LOSS,
    "forfeits": WordKind.LOSS,
    "lost": WordKind.LOSS,
    "drawn": WordKind.DRAW,
    "doubles": WordKind.OFFER,
    "beavers": WordKind.OFFER,
    "raccoons": WordKind.OFFER,
}
# "Beavers" may be a raccoon: GNU Backgammon calls it so.
_OFFERS = {"doubles": CubeVerb.DOUBLE, "raccoons": CubeVerb.RACCOON}
_NO_MOVE = ("cannot move", "no move", "no moves", "can't move", "-", "")
_UNLIMITED = ("unlimited match", "money session", "money game", "unlimited game")
_AS_USUAL = str.maketrans({"\u00a0": " ", "\u2013": "-", "\u2212": "-"})

_FLAGS = re.ASCII | re.IGNORECASE
_TAG = re.compile(r";\s*\[(.+?)\s+\"(.*)\"\]\s*")
_LENGTH = re.compile(
    r"\s*(?:([0-9]{1,5}) points? match|match of ([0-9]{1,5}) points?)\.?\s*", _FLAGS
)
_GAME = re.compile(r"\s*Game\s+([0-9]{1,4})\s*[:.]?\s*", _FLAGS)
_SCORE = re.compile(r"(.*?)\s*:\s*(-?[0-9]{1,5})\s(.*?)\s*:\s*(-?[0-9]{1,5})", re.ASCII)
_ROW = re.compile(r"\s*[0-9]{1,4}(?:\)|\.(?=\s|$))", re.ASCII)
_CELL = re.compile(rf"(?:(?<=\s)|(?<=\)))([0-9]{{2,3}}:|(?:{'|'.join(_VERBS)})\b)", _FLAGS)
_ROW_AGAIN = re.compile(r"\s[0-9]{1,4}\)\s*$", re.ASCII)
_WORD = re.compile(
    r"([a-z]+)(?:\s+(?:on time|game|match))?(?:(?:\s*=>|\s+to)?\s*([0-9]{1,6})"
    r"(\s+points?\.?(?:\s+with an? (?:back)?gammon\.?)?(?:\s+and the match\.?)?)?)?",
    _FLAGS,
)
_OFFER = re.compile(r"[a-z]+(?:\s*=>|\s+to)\s*[0-9]{1,5}", _FLAGS)
_MOVED_BY_DASH = re.compile(r"(?<=[0-9r])-(?=[0-9o])", _FLAGS)
_ILLEGAL = re.compile(r"\s*illegal play\s*\((.*)\)\s*", _FLAGS)


def written_usually(text: str) -> str:
    """The text without the marks of its file, with usual spaces and dashes, as long as before."""
    text = text.removeprefix("\ufeff").rstrip("\x1a\x00 \r\n")
    return text.translate(_AS_USUAL)


def tag_in(comment: str) -> tuple[str, str] | None:
    """Name and value of a tag; None for another comment."""
    match = _TAG.fullmatch(comment)
    return (match[1], match[2]) if match else None


def length_in(line: str) -> int | None:
    """The points of the match that begins; 0 for unlimited play, None for another line."""
    if line.strip().lower() in _UNLIMITED:
        return 0
    match = _LENGTH.fullmatch(line)
    return int(match[1] or match[2]) if match else None


def game_number(line: str) -> int | None:
    """The number of the game that begins; None for another line."""
    match = _GAME.fullmatch(line)
    return int(match[1]) if match else None


def score(line: str) -> ScoreLine:
    """The players, one of whom may have no name, and the score.

    :raises FormatError: if the line does not say them.
    """
    match = _SCORE.fullmatch(line.strip())
    if match is None:
        raise FormatError("after 'Game n' comes 'left : score   right : score'")
    return ScoreLine((match[1].strip(), match[3].strip()), (int(match[2]), int(match[4])))


def starts_of_cells(line: str) -> tuple[int, list[int]]:
    """Where the cells of a row begin, after its number, which ends at the first value."""
    row = _ROW.match(line)
    end = row.end() if row else 0
    return end, [match.start(1) for match in _CELL.finditer(line, max(0, end - 1))]


def word_in(cell: str) -> Word:
    """The meaning of a cell without dice.

    :raises FormatError: if nobody writes so.
    """
    match = _WORD.fullmatch(cell)
    kind = _VERBS.get(match[1].lower()) if match else None
    if match is None or kind is None:
        raise FormatError(f"cannot read {cell!r:.60}")
    number = int(match[2]) if match[2] else None
    says_points = match[3] is not None
    is_sound = {
        WordKind.OFFER: _OFFER.fullmatch(cell) is not None,
        WordKind.WIN: says_points,
        WordKind.LOSS: says_points or number is None,
    }.get(kind, number is None)
    if not is_sound:
        raise FormatError(f"cannot read {cell!r:.60}")
    return Word(kind, number, _OFFERS.get(match[1].lower()))


def is_giving_up(cell: str) -> bool:
    """Whether the cell says that its player lost or gave up."""
    return _is(WordKind.LOSS, cell)


def is_win(cell: str) -> bool:
    """Whether the cell says who won."""
    return _is(WordKind.WIN, cell)


def _is(kind: WordKind, cell: str) -> bool:
    match = _WORD.fullmatch(cell)
    return match is not None and _VERBS.get(match[1].lower()) is kind


def play_text(text: str) -> str:
    """A play as it stands after its dice, with slashes, as long as before.

    Left out are the row's number, which may follow it, and eXtreme Gammon's brackets about a play
    that it calls illegal; whether it is, the rules say.

    :raises FormatError: if an illegal play is named without its moves.
    """
    again = _ROW_AGAIN.search(text)
    text = text[: again.start()] if again else text
    illegal = _ILLEGAL.fullmatch(text)
    if illegal and "/" not in illegal[1]:
        raise FormatError("an illegal play, as the file says, without its moves")
    if illegal:
        text = " " * illegal.start(1) + illegal[1]
    return _MOVED_BY_DASH.sub("/", text)


def is_no_move(text: str) -> bool:
    """Whether nothing was moved."""
    return text.strip().lower() in _NO_MOVE


def is_never_played(text: str) -> bool:
    """Whether the game ended before the play."""
    return bool(text.strip()) and not text.strip("? ")
