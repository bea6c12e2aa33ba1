"""The events of a chouette. Its journal is their list; nothing in it ever changes."""

from typing import Literal

from kit.events import JournalEvent

Answer = Literal["take", "drop", "beaver"]
Side = Literal["box", "team"]
How = Literal["dropped", "board", "left"]


class SatDown(JournalEvent, frozen=True, tag="sat_down"):
    """A player sat down, at the end of the list from the next game on."""

    player: int


class StoodUp(JournalEvent, frozen=True, tag="stood_up"):
    """A player has gone; what they lost by it stands in `Settled` before."""

    player: int


class ChouetteGameStarted(JournalEvent, frozen=True, tag="game_started"):
    """A game began with this list: the box, the captain, the crew."""

    game: int
    order: tuple[int, ...]


class BoxRolledOff(JournalEvent, frozen=True, tag="rolled_off"):
    """Box and captain rolled one die each; equal ones are rolled again."""

    box: int
    team: int


class MemberDecided(JournalEvent, frozen=True, tag="member_decided"):
    """A member decided about a double; others see only that they have, until all are in."""

    player: int
    doubles: bool


class TeamDoubled(JournalEvent, frozen=True, tag="team_doubled"):
    """All have decided: these members doubled; none means that the captain rolls."""

    players: tuple[int, ...]


class BoxDoubled(JournalEvent, frozen=True, tag="box_doubled"):
    """The box doubled these members; none means that it rolls."""

    players: tuple[int, ...]


class CubeAnswered(JournalEvent, frozen=True, tag="cube_answered"):
    """The double of a member's cube was answered, by the box or by the member."""

    player: int
    answer: Answer


class TakeReturned(JournalEvent, frozen=True, tag="take_returned"):
    """All others dropped: this member's take goes back, and they beaver or drop."""

    player: int


class BeaverAnswered(JournalEvent, frozen=True, tag="beaver_answered"):
    """A beaver was accepted, or the cube was given up."""

    player: int
    accepts: bool


class Rolled(JournalEvent, frozen=True, tag="rolled"):
    """Dice for the side on roll."""

    dice: tuple[int, int]


class Played(JournalEvent, frozen=True, tag="played"):
    """A complete play, as `(from, to, die)` in the mover's numbers; `()` if nothing goes."""

    moves: tuple[tuple[int, int, int], ...]


class Settled(JournalEvent, frozen=True, tag="settled"):
    """A member and the box are done with this game: the box won so many points, or lost them."""

    player: int
    box: int
    box_points: int
    how: How


class ChouetteGameEnded(JournalEvent, frozen=True, tag="game_ended"):
    """The game is over. `order` is the list for the next one, those who wait to join included."""

    box_won: bool
    order: tuple[int, ...]


class GameVoided(JournalEvent, frozen=True, tag="game_voided"):
    """Administrators ended the game: nobody wins or loses points. `order` is the next list."""

    order: tuple[int, ...]


AnyEvent = (
    SatDown | StoodUp | ChouetteGameStarted | BoxRolledOff | MemberDecided | TeamDoubled
    | BoxDoubled | CubeAnswered | TakeReturned | BeaverAnswered | Rolled | Played | Settled
    | ChouetteGameEnded | GameVoided
)  # fmt: skip
