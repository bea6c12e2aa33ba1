"""Absence: counted only on one's own turn, and never while the house is down."""

import msgspec

from games.table.state import ABSENCE_MS, GRACE_MS, Absence, TableState, other

_with = msgspec.structs.replace


def absent_ms(state: TableState, seat: int, now_ms: int) -> int:
    """How long this seat has been absent on its own turns of this game."""
    absence = state.absences[seat]
    if absence.since_ms is None or state.clock.running != seat:
        return absence.used_ms
    away_since_ms = max(absence.since_ms, state.clock.since_ms)
    return absence.used_ms + max(0, now_ms - away_since_ms)


def claim_ms(state: TableState) -> int | None:
    """When the opponent of the absent player on turn may claim the win; None if none is absent."""
    seat = state.decider
    if seat is None or state.clock.running != seat or state.before_first_roll:
        return None
    absence = state.absences[seat]
    if absence.since_ms is None:
        return None
    away_since_ms = max(absence.since_ms, state.clock.since_ms)
    return away_since_ms + max(0, ABSENCE_MS - absence.used_ms)


def claimant(state: TableState) -> int | None:
    """The seat that may claim the win now or soon; None if its opponent is there."""
    seat = state.decider
    return other(seat) if seat is not None and claim_ms(state) is not None else None


def gone(state: TableState, seat: int, at_ms: int) -> TableState:
    """The state after the seat's last connection has gone."""
    return _set(state, seat, _with(state.absences[seat], since_ms=at_ms))


def back(state: TableState, seat: int, at_ms: int) -> TableState:
    """The state after the seat is connected again; its time away on its own turn is kept."""
    return _set(state, seat, Absence(used_ms=absent_ms(state, seat, at_ms)))


def forgotten(state: TableState) -> tuple[Absence, Absence]:
    """The absences at the start of a game: absent seats stay absent, all counts start at zero."""
    one, two = state.absences
    return Absence(since_ms=one.since_ms), Absence(since_ms=two.since_ms)


def outage_credited(state: TableState, began_ms: int, ended_ms: int) -> TableState:
    """The state after an outage of the house: it costs nobody time, and a grace follows it."""
    waits_ms = state.next_game_ms
    return _with(
        state,
        clock=state.clock.credited(began_ms, ended_ms, GRACE_MS),
        absences=excused(state, ended_ms + GRACE_MS),
        next_game_ms=None if waits_ms is None else waits_ms + ended_ms - began_ms,
        credited_until_ms=ended_ms,
    )


def excused(state: TableState, until_ms: int) -> tuple[Absence, Absence]:
    """The absences after an outage: an absent seat counts as away from `until_ms` only."""
    one, two = (
        absence if absence.since_ms is None else _with(absence, since_ms=until_ms)
        for absence in state.absences
    )
    return one, two


def _set(state: TableState, seat: int, absence: Absence) -> TableState:
    one, two = state.absences
    return _with(state, absences=(absence, two) if seat == 0 else (one, absence))
