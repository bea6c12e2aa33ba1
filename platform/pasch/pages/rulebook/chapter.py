"""The contents of the file of a variant beside the engine's data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WorkedTurn:
    """A turn played out: the engine must accept `play` with these dice on this position.

    `position` is a text that `Position.parse` reads, "" for the start. `words` are sentences about
    the turn, marked for translation.
    """

    dice: tuple[int, ...]
    play: str
    words: tuple[str, ...]
    position: str = ""
    first_turn: bool = False
    own_turns_before: int = 0


@dataclass(frozen=True, slots=True)
class Name:
    """A name the game has elsewhere, with its language (BCP 47, "" if unknown) and a sentence."""

    name: str
    language: str
    words: str


@dataclass(frozen=True, slots=True)
class EndingScore:
    """An ending of this game alone, and the points that it gives."""

    points: int
    words: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A game in words: one sentence about it, its own rules, and a turn played out."""

    lead: str
    turn: WorkedTurn
    own_rules: tuple[str, ...] = ()
    scores: tuple[EndingScore, ...] = ()
    names: tuple[Name, ...] = ()
