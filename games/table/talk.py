"""Talk at a table: which messages are allowed, and their audience. Talk is not part of the game.

Messages that watchers write while a match runs are for watchers only, for good: the audience of a
message is fixed when it is written. All other messages are for everybody. At a chouette a message
to the crew is for the people whom it names when it is written, for good.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec

from backgammon.rules.naming import gettext_noop
from games.table.errors import TableError
from games.table.state import RUNNING_PHASES, TableState

#: the set phrases; each reader sees them in their own language.
Phrase = Literal[
    "hello", "good_luck", "well_played", "nice_roll", "thanks", "sorry", "one_moment", "must_go",
    "good_game",
]  # fmt: skip
PHRASES: Final[tuple[str, ...]] = get_args(Phrase)

#: `crew` is for the team of a chouette alone.
Audience = Literal["everybody", "watchers", "crew"]

#: why a message may be reported.
ReportReason = Literal["insult", "threat", "spam", "advice", "cheating", "other"]
REPORT_REASONS: Final[tuple[str, ...]] = get_args(ReportReason)

TEXT_LENGTH_MAX: Final = 200
REPORT_WORDS_LENGTH_MAX: Final = 300

#: joiners are invisible, but Persian and many pictographs need them.
_JOINERS: Final = frozenset("\u200c\u200d")
#: no language puts more marks on one letter; more would only blot out the lines around it.
_MARKS_MAX: Final = 4
_SPACES: Final = re.compile(r"\s+")


class BadText(TableError):
    """A text that is not a single line of visible characters; the message names the fault."""

    code = "bad_text"
    sentence = gettext_noop("Messages must be one line of plain text.")


def text_cleaned(text: str, length_max: int = TEXT_LENGTH_MAX) -> str:
    """The text as one trimmed line of 1 to `length_max` characters. Raises `BadText`.

    Control characters are refused, and with them everything that turns the direction of writing.
    """
    cleaned = unicodedata.normalize("NFC", _SPACES.sub(" ", text).strip())
    if not cleaned.strip("".join(_JOINERS)):
        raise BadText("the text is empty")
    if len(cleaned) > length_max:
        raise BadText(f"the text has {len(cleaned)} characters, at most {length_max} are sent")
    marks = 0
    for place, sign in enumerate(cleaned):
        if not sign.isprintable() and sign not in _JOINERS:
            raise BadText(f"character {place + 1} (U+{ord(sign):04X}) cannot be shown")
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if marks > _MARKS_MAX:
            raise BadText(f"there are too many marks upon one letter at character {place + 1}")
    return cleaned


def audience_of(state: TableState, author: int) -> Audience:
    """The audience of a message that this person writes now."""
    if state.seat_of(author) is None and state.phase in RUNNING_PHASES:
        return "watchers"
    return "everybody"


class Utterance(msgspec.Struct, frozen=True):
    """The facts that decide who receives a message: ids of author and players."""

    author: int
    audience: Audience
    seats: tuple[int | None, int | None]
    free: bool
    """Whether it is free text; else a set phrase."""
    readers: tuple[int, ...] | None = None
    """The only people who receive it; None: everybody in the audience."""


@dataclass(frozen=True, slots=True)
class Ears:
    """One reader's choice of messages; `person` is None without a login."""

    person: int | None = None
    muted: frozenset[int] = frozenset()
    free_text: bool = True

    def without_choices(self) -> "Ears":
        """The same reader without mutes or other choices."""
        return Ears(self.person)

    def hear(self, said: Utterance) -> bool:
        """Whether this reader receives the message. Its author always does.

        A reader who is not logged in may be a player, so they do not receive watchers' messages.
        """
        if self.person is not None and said.author == self.person:
            return True
        if said.readers is not None and self.person not in said.readers:
            return False
        if said.audience == "watchers" and (self.person is None or self.person in said.seats):
            return False
        return said.author not in self.muted and (self.free_text or not said.free)
