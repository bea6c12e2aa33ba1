"""The commands that a person can send to a table, as types.

Over a socket `type` names the command as at every table, in a call of the interface `do`.

Decisions carry the `turn` of the view that they answer, so that none is taken for a later one.
"""

from typing import Annotated, Any

import msgspec

from games.chouette.engine.events import Answer

Hex32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Step = tuple[int, int, int]
Moves = Annotated[tuple[Step, ...], msgspec.Meta(max_length=4)]
Chosen = Annotated[tuple[int, ...], msgspec.Meta(max_length=6)]


class ChouetteCommand(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """Something that a person sends."""


class Decision(ChouetteCommand, frozen=True):
    """A command that answers what is due at `turn`."""

    turn: int


class SitDown(ChouetteCommand, frozen=True, tag="sit"):
    """Sit down, from the next game on."""


class StandUpNow(ChouetteCommand, frozen=True, tag="stand_up"):
    """Stand up now."""


class LeaveAfter(ChouetteCommand, frozen=True, tag="leave_after"):
    """Stand up after this game, or not after all."""

    on: bool


class StartGame(ChouetteCommand, frozen=True, tag="start"):
    """Begin the next game at once."""


class InviteBot(ChouetteCommand, frozen=True, tag="invite_bot"):
    """Let a house bot sit down."""


class Wake(ChouetteCommand, frozen=True, tag="wake"):
    """Look whether something is due."""


class Decide(Decision, frozen=True, tag="decide"):
    """Double one's own cube, or not."""

    doubles: bool


class BoxAnswers(Decision, frozen=True, tag="box_answers"):
    """The box's answers to all doubles, by member."""

    answers: dict[int, Answer]


class BeaverAnswer(Decision, frozen=True, tag="beaver_answer"):
    """A member plays on after a beaver, or gives the cube up."""

    accepts: bool


class BoxDoubles(Decision, frozen=True, tag="box_doubles"):
    """The members whom the box doubles, or nobody."""

    players: Chosen


class AnswerDouble(Decision, frozen=True, tag="answer"):
    """A member's answer to the double of the box."""

    answer: Answer


class BoxBeaverAnswers(Decision, frozen=True, tag="box_beaver_answers"):
    """The box's answers to all beavers, by member."""

    accepts: dict[int, bool]


class ChouettePlay(Decision, frozen=True, tag="play"):
    """A complete play."""

    moves: Moves


class Advise(Decision, frozen=True, tag="advise"):
    """Advise the captain to make this play."""

    moves: Moves


class Agree(Decision, frozen=True, tag="agree"):
    """Agree with the advice of another member."""

    player: int


class Tip(ChouetteCommand, frozen=True, tag="tip"):
    """The tip of one's chain for the dice of a game."""

    game: str
    tip: Hex32


class Element(ChouetteCommand, frozen=True, tag="element"):
    """One's part in roll `n` of a game."""

    game: str
    n: int
    element: Hex32


AnyCommand = (
    SitDown | StandUpNow | LeaveAfter | StartGame | InviteBot | Wake | Decide | BoxAnswers
    | BeaverAnswer | BoxDoubles | AnswerDouble | BoxBeaverAnswers | ChouettePlay
    | Advise | Agree | Tip | Element
)  # fmt: skip


def command_from(value: object) -> Any:
    """The command that a call names with `do`. Raises `msgspec.ValidationError`."""
    if isinstance(value, dict):
        value = {"type" if name == "do" else name: each for name, each in value.items()}
    return msgspec.convert(value, AnyCommand, str_keys=True)
