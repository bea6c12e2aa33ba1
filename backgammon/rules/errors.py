"""The errors of the rules, one class per cause.

Every error is a `RulesError` (a `ValueError`), carries a stable `code` for machines and a sentence
for people. An error never changes anything: all values of this package are immutable.
"""

from __future__ import annotations


class RulesError(ValueError):
    """The base of all errors of this package."""

    code = "rules_error"


class UnknownVariant(RulesError):
    """No variant has this key."""

    code = "unknown_variant"


class InvalidPosition(RulesError):
    """The position cannot stand on a board of this variant (or its text cannot be read)."""

    code = "invalid_position"


class InvalidDice(RulesError):
    """Not a roll of this variant's dice."""

    code = "invalid_dice"


class OptionNotOffered(RulesError):
    """This variant does not offer the requested optional rule, or not with this value."""

    code = "option_not_offered"


class IllegalPlay(RulesError):
    """The moves are readable, but they are no legal play of this roll."""

    code = "illegal_play"


class AmbiguousPlay(RulesError):
    """The written play fits more than one legal play with different results."""

    code = "ambiguous_play"


class InvalidScore(RulesError):
    """A match cannot have this score, length or result."""

    code = "invalid_score"


class InvalidCube(RulesError):
    """No doubling cube shows this value, or a cube action does not fit its state."""

    code = "invalid_cube"


class NotationError(RulesError):
    """A text does not follow its notation.

    `text` is what was read and `column` (counted from 1) where reading stopped, if known.
    """

    code = "notation_error"

    def __init__(self, message: str, *, text: str = "", column: int | None = None) -> None:
        place = "" if column is None else f" (column {column} of {text!r})"
        super().__init__(message + place)
        self.text = text
        self.column = column
