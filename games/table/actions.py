"""The commands each seat may give now, by the same rules as the machine's."""

from games.rules.scoring import leave_level, resignation_levels
from games.table.absence import claimant
from games.table.doubling import cube_answers, why_no_double
from games.table.remembering import remembers_last
from games.table.state import RUNNING_PHASES, Game, TableState, other
from games.table.takeback import may_take_back


def highest_resignation(state: TableState, game: Game) -> int:
    """The highest level the player on roll could still lose by, and so the most they can offer."""
    return leave_level(
        state.variant,
        game.position,
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
    )


@remembers_last
def resignable_levels(state: TableState) -> tuple[int, ...]:
    """The levels the player on roll may offer to resign at now, ascending."""
    game = state.game
    if game is None or state.phase not in ("roll", "play") or state.before_first_roll:
        return ()
    return resignation_levels(
        state.variant,
        game.position,
        refused_level=game.refused_level,
        jacoby=state.terms.jacoby,
        double_taken=game.double_taken,
    )


def actions(state: TableState, seat: int) -> tuple[str, ...]:
    """The names of the commands that `seat` may give now, in the order they are shown."""
    names = list(_decisions(state, seat))
    if may_take_back(state, seat):
        names.append("take_back")
    if state.phase == "between_games" and not state.ready[seat]:
        names.append("ready")
    if state.phase == "over" and not state.rematch[seat]:
        names.append("rematch")
    may_go = state.phase in ("open", "over") and state.seats[seat] is not None
    if state.before_first_roll or may_go:
        names.append("stand_up")
    elif state.phase in RUNNING_PHASES:
        names.extend(("claim", "leave") if claimant(state) == seat else ("leave",))
    return tuple(names)


def _decisions(state: TableState, seat: int) -> tuple[str, ...]:
    game = state.game
    if game is None or state.decider != seat:
        return ()
    match state.phase:
        case "roll":
            double = () if why_no_double(state, seat) else ("double",)
            resign = ("offer_resignation",) if resignable_levels(state) else ()
            return ("roll", *double, *resign)
        case "play":
            resign = ("offer_resignation",) if resignable_levels(state) else ()
            return ("play", *resign)
        case "roll_off":
            return ("roll",)
        case "name_double":
            return ("name_double",)
        case "double_offered":
            return ("take", "drop", *cube_answers(state))
        case "resignation_offered":
            assert other(seat) == game.on_roll
            return ("accept_resignation", "refuse_resignation")
        case _:
            return ()
