"""The list for the next game: the box, the captain, the crew."""

from collections.abc import Sequence


def next_order(
    order: Sequence[int], staying: Sequence[int], joining: Sequence[int], *, box_won: bool
) -> tuple[int, ...]:
    """The list after a game with this list, of those who stay and those who join.

    Box against the captain who began decides. A box that won stays, and that captain goes to the
    end; a captain who won becomes box, and the old box goes to the end. Who joins comes before the
    player who goes to the end.
    """
    box, captain = order[0], order[1]
    last = captain if box_won else box
    first = [box] if box_won else [captain]
    crew = [each for each in order[2:] if each in staying]
    kept = [each for each in first if each in staying]
    moved = [last] if last in staying else []
    return (*kept, *crew, *joining, *moved)
