"""Taking back one's last play, in practice only: the game returns to the state before it.

The dice of the play are on the board again, so there is no new roll to gain; later moves of the
other side are undone, too. The count of rolls goes on, so no roll is ever used twice.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from games.modes.registry import mode_of
from games.table import events as ev
from games.table.rights import permit
from games.table.state import Checkpoint, TableState, running_match

_with = msgspec.structs.replace


def take_back(state: TableState, now_ms: int, seat: int) -> tuple[ev.Event, ...]:
    """Take the seat's last play back. Raises `OnlyInPractice`, `WrongPhase`, `MatchOver`."""
    permit(state, seat, "take_back")
    point = running_match(state).checkpoints[seat]
    assert point is not None, "there is something to take back"
    return (ev.TakenBack(at_ms=now_ms, seat=seat, to_seq=point.seq),)


def kept(state: TableState, seat: int, moves: tuple[tuple[int, int, int], ...]) -> TableState:
    """The state with the moment before this play kept, if it is one that may be taken back."""
    match = state.match
    if not mode_of(state.terms).is_practice or not moves or match is None or match.game is None:
        return state
    points = list(match.checkpoints)
    points[seat] = Checkpoint(seq=state.seq, game=match.game)
    return _with(state, match=_with(match, checkpoints=(points[0], points[1])))


def restored(state: TableState, seat: int, at_ms: int) -> TableState:
    """The state as it was before the seat's last play; only time and rolls have gone on."""
    match = state.match
    assert match is not None, "there is no match"
    point = match.checkpoints[seat]
    assert point is not None, "there is nothing to take back"
    match = _with(match, game=point.game, checkpoints=(None, None))
    clock = state.clock.started(seat, at_ms, fresh_delay_ms=state.terms.delay_ms)
    return _with(state, phase="play", match=match, clock=clock)


def lasting(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stored events (with `seq` and `type`) without those that were taken back later."""
    kept_events: list[dict[str, Any]] = []
    for event in events:
        if event["type"] == "taken_back":
            kept_events = [each for each in kept_events if each["seq"] <= event["to_seq"]]
        else:
            kept_events.append(event)
    return kept_events
