"""The sequel to a play in the same turn: in most variants nothing, in some more rolls."""

from games.table.state import Flow, Game, TableState

TURN_OVER = Flow()


def flow_after(
    state: TableState,
    game: Game,
    dice: tuple[int, ...],
    moves: tuple[tuple[int, int, int], ...],
) -> Flow:
    """The rest of the turn of the player on roll after these moves; `TURN_OVER` if none.

    Each part needs everything before it to have been played in full.
    """
    rules = state.variant
    if len(moves) < len(rules.single_dice(dice)):
        return TURN_OVER
    if game.flow != TURN_OVER:
        return game.flow
    if game.in_flow:
        return TURN_OVER
    given = rules.flow(
        dice,
        all_played=True,
        own_turns_before=game.turns[game.on_roll],
        options=state.terms.options,
    )
    return Flow(rolls=given.rolls, choose_double=given.choose_double, roll_again=given.roll_again)
