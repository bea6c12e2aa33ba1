"""I0 and I5 to I12, checked at the end: the rows against the rules and the players' journals.

Each function takes rows and the journal and returns the violations; `bench.soak.rows` reads the
rows. The books have a module of their own (`bench.soak.books`).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from backgammon.rules.moves import Move
from bench.soak.journal import Journal, Violation, digest
from bench.soak.rows import AdjustmentRow, MatchRow, PayoutRow, Rows, TableRow
from games.modes.registry import ALL
from games.table import events as ev
from games.table.evolve import evolve
from games.table.state import ABSENCE_MS, GRACE_MS, RUNNING_PHASES, TableState
from games.table.turn import legal_plays
from games.wire import event_from_payload
from harness.house import WEB, Down
from harness.simulator.oracle import check_event, seen_by, time_left_ms

#: the house counts a silence of ten seconds as an outage; what is near that may be one or not.
OUTAGE_SECONDS: Final = 12.5
#: outages nearer than this to one another may be one to the house.
APART_SECONDS: Final = 20.0
SLACK_MS: Final = 2_500
SHOWN_MAX: Final = 20
#: at so many tables every mode but practice has come up, unless the house refuses it.
ENOUGH_TABLES: Final = 300

Interval = tuple[float, float]


def everything(rows: Rows, journal: Journal, downs: Iterable[Down]) -> list[Violation]:
    """All checks of this module."""
    outages = outages_of(downs)
    found = [
        *acknowledged_is_stored(journal, rows),
        *seen_is_stored(journal, rows),
        *rolls_are_those_seen(journal, rows),
        *matches_are_over(rows),
        *results_are_those_told(journal, rows.matches),
        *nothing_is_left_over(rows),
        *payouts_had_two(rows.payouts),
        *adjustments_had_two(rows.adjustments),
        *decisions_stand(journal, rows.payouts),
    ]
    for table in rows.tables:
        found += replayed(table, rows.events.get(table.id, []), outages)
    return found


# --- I5 -----------------------------------------------------------------------------------------


def acknowledged_is_stored(journal: Journal, rows: Rows) -> list[Violation]:
    """Every action that was acknowledged is in the database, once, as it was acknowledged."""
    found = []
    for key, told in journal.acknowledged.items():
        stored = rows.commands.get(key)
        if stored != told.seq:
            found.append(
                Violation(
                    "I5",
                    f"table {told.table}: {told.type} {told.command} of player {told.user} was"
                    f" acknowledged as event {told.seq}, stored is {stored}",
                )
            )
        elif rows.last_seq(told.table) < told.seq:
            found.append(Violation("I5", f"table {told.table} lost event {told.seq}"))
    if rows.commands_twice:
        found.append(Violation("I5", f"commands stored twice: {rows.commands_twice[:5]}"))
    return found


def seen_is_stored(journal: Journal, rows: Rows) -> list[Violation]:
    """Every event that a player received is stored as it was sent."""
    found = []
    for table, seen in journal.events.items():
        stored = {seq: digest({"seq": seq, **event}) for seq, event in rows.events.get(table, [])}
        wrong = [seq for seq, told in sorted(seen.items()) if stored.get(seq) != told]
        if wrong:
            found.append(
                Violation("I5", f"table {table}: events {wrong[:8]} were told otherwise or lost")
            )
    return found


# --- I7 -----------------------------------------------------------------------------------------


def rolls_are_those_seen(journal: Journal, rows: Rows) -> list[Violation]:
    """The rolls of a game count 0, 1, 2 …, each once, and are those that every player saw."""
    found = []
    for game, numbers in rows.roll_numbers.items():
        if sorted(numbers) != list(range(len(numbers))):
            found.append(Violation("I7", f"game {game}: its rolls are {sorted(numbers)[:40]}"))
    for (game, n), seen in journal.rolls.items():
        stored = rows.rolls.get((game, n))
        if stored != seen:
            found.append(
                Violation("I7", f"game {game}: roll {n} was shown as {seen[0]}, stored {stored}")
            )
    return found


# --- I8 and I10 ---------------------------------------------------------------------------------


def replayed(
    table: TableRow, events: list[tuple[int, dict[str, Any]]], outages: list[Interval]
) -> list[Violation]:
    """Stored events lead to the stored state, by the rules, and no player lost by an outage."""
    found: list[Violation] = []
    if [seq for seq, _ in events] != list(range(1, table.seq + 1)):
        return [Violation("I8", f"table {table.id}: its events do not count to {table.seq}")]
    state, turn_began = TableState(), TableState()
    for seq, payload in events:
        try:
            event = event_from_payload(payload)
            after = evolve(state, event)
            check_event(state, event, after)
            check_legal(state, event, after)
        except (AssertionError, ValueError) as error:
            found.append(Violation("I8", f"table {table.id}, event {seq}: {error!r}"))
            return found
        if isinstance(event, ev.TimeRanOut | ev.WinClaimed):
            found += lost_by_outage(table.id, event, state, turn_began, outages)
        if not isinstance(event, ev.OutageCredited) and _turn(after) != _turn(state):
            turn_began = after
        state = after
    if state != msgspec.convert(table.state, TableState):
        found.append(Violation("I8", f"table {table.id}: its state is not what its events lead to"))
    return found


def _turn(state: TableState) -> tuple[int | None, int]:
    """The player whose time runs, and since when."""
    return state.clock.running, state.clock.since_ms


def check_legal(before: TableState, event: ev.Event, after: TableState) -> None:
    """A play is one that the rules allow for the dice on the board. Raises `ValueError`."""
    if not isinstance(event, ev.PlayMade) or before.game is None or before.game.dice is None:
        return
    if before.game.on_roll != event.seat:
        raise ValueError("the other player moved")
    plays = legal_plays(before, before.game, before.game.dice)
    reached = plays.graph.follow(tuple(Move(*move) for move in event.moves))
    if reached != seen_by(after, event.seat):
        raise ValueError("the play leads to another position")


def outages_of(downs: Iterable[Down]) -> list[Interval]:
    """When the house was down longer than it may be: no web server, or no database."""
    spans: dict[str, list[Interval]] = defaultdict(list)
    for down in downs:
        spans[down.what].append((down.from_s, down.to_s or float("inf")))
    no_web = [
        (max(one[0], two[0]), min(one[1], two[1])) for one in spans[WEB[0]] for two in spans[WEB[1]]
    ]
    long = [(a, b) for a, b in [*no_web, *spans["postgres"]] if b - a > OUTAGE_SECONDS]
    return joined(sorted(long), 0.0)


def joined(intervals: list[Interval], apart_s: float) -> list[Interval]:
    """Sorted intervals, those made one that lie less than this apart."""
    found: list[Interval] = []
    for begin, end in intervals:
        if found and begin - found[-1][1] <= apart_s:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return found


def met_in_turn(
    outages: list[Interval], began_ms: float, at_ms: float, allowed_ms: float, grace_ms: float
) -> list[Interval]:
    """The outages of a turn that began before its player had used up their time.

    One that began later takes nothing from them: the time had run out, and was not yet noticed.
    """
    met: list[Interval] = []
    over_ms = began_ms + allowed_ms
    for begin, end in outages:
        if end > began_ms and begin < min(at_ms, over_ms):
            apart = not met or begin - met[-1][1] > APART_SECONDS * 1000
            met.append((begin, end))
            over_ms += end - max(begin, began_ms) + grace_ms * apart
    return met


def lost_by_outage(
    table: str,
    event: ev.TimeRanOut | ev.WinClaimed,
    state: TableState,
    turn_began: TableState,
    outages: list[Interval],
) -> list[Violation]:
    """A loss by time or absence must not count a moment of an outage, and grants its grace."""
    loser = state.clock.running
    if loser is None:
        return []
    began_ms, at_ms = turn_began.clock.since_ms, event.at_ms
    if isinstance(event, ev.TimeRanOut):
        allowed_ms, grace_ms = sum(time_left_ms(turn_began, loser, began_ms)), GRACE_MS
    else:
        allowed_ms, grace_ms = max(0, ABSENCE_MS - turn_began.absences[loser].used_ms), 0
    outages = [(a * 1000, b * 1000) for a, b in outages]
    met = met_in_turn(outages, began_ms, at_ms, allowed_ms, grace_ms)
    if not met:
        return []
    down_ms = sum(min(b, at_ms) - max(a, began_ms) for a, b in met)
    allowed_ms += grace_ms * len(joined(met, APART_SECONDS * 1000))
    if at_ms - began_ms - down_ms + SLACK_MS >= allowed_ms:
        return []
    spans = ", ".join(
        f"{(a - began_ms) / 1000:+.1f} to {(b - began_ms) / 1000:+.1f}" for a, b in met
    )
    return [
        Violation(
            "I10",
            f"table {table}: seat {loser} lost by {type(event).__name__} after"
            f" {(at_ms - began_ms) / 1000:.1f} s of his turn, of which the house was down"
            f" {down_ms / 1000:.1f} s; he had {allowed_ms / 1000:.1f} s"
            f" (down, in seconds of his turn: {spans})",
        )
    ]


# --- I0 -----------------------------------------------------------------------------------------


def modes_unplayed(journal: Journal, tables: int) -> list[Violation]:
    """The modes, practice aside, in which nobody could open a table."""
    if tables < ENOUGH_TABLES:
        return []
    refused = {key: n for key, n in journal.counts.items() if key.startswith("refused ")}
    return [
        Violation("I0", f"no match of mode {mode.key} at {tables} tables; refused: {refused}")
        for mode in ALL
        if not mode.is_practice and not journal.modes[mode.key]
    ]


# --- I9 -----------------------------------------------------------------------------------------


def matches_are_over(rows: Rows) -> list[Violation]:
    """After the quiet no match is running."""
    running = [table for table in rows.tables if table.phase in RUNNING_PHASES]
    found = [
        Violation("I9", f"table {table.id} ({table.mode}) still stands in phase {table.phase}")
        for table in running
    ]
    open_matches = [match.id for match in rows.matches if match.ended_at is None]
    if open_matches:
        found.append(Violation("I9", f"matches without an end: {open_matches[:SHOWN_MAX]}"))
    return found


def results_are_those_told(journal: Journal, matches: Iterable[MatchRow]) -> list[Violation]:
    """Every player received the same result, and it is the one that was paid."""
    stored = {(match.table, match.number): match for match in matches}
    found = []
    for (table, number), told in journal.results.items():
        match = stored.get((table, number))
        for user, result in told.items():
            if match is None:
                found.append(Violation("I9", f"table {table}: player {user} saw no match's end"))
            elif differs(result, match):
                found.append(
                    Violation(
                        "I9",
                        f"match {match.id}: player {user} was told {result}, stored are winner"
                        f" {match.winner_seat}, {match.ending}, {match.paid_cents}",
                    )
                )
    return found


def differs(told: Mapping[str, Any], match: MatchRow) -> bool:
    """Whether a player received another end; a match voided later was sent as it was then."""
    if match.ending in ("voided", "stood_up") or told["ending"] is None:
        return False
    return (told["winner"], told["ending"], told["paid_cents"], told["rake_cents"]) != (
        match.winner_seat,
        match.ending,
        match.paid_cents,
        match.rake_cents,
    )


# --- I11 and I12 --------------------------------------------------------------------------------


def nothing_is_left_over(rows: Rows) -> list[Violation]:
    """Nothing waits that should have happened, and nothing happened twice."""
    found = []
    for what, count in rows.left_over.items():
        if count:
            found.append(Violation("I11", f"{what}: {count}"))
    return found


def payouts_had_two(payouts: Iterable[PayoutRow]) -> list[Violation]:
    """Every payout was approved by one administrator and settled by another."""
    return [
        Violation("I12", f"payout {payout.id} was approved and settled by {payout.closed_by}")
        for payout in payouts
        if payout.state == "paid"
        and (
            payout.approved_by is None
            or payout.approved_by == payout.closed_by
            or payout.user in (payout.approved_by, payout.closed_by)
        )
    ]


def adjustments_had_two(adjustments: Iterable[AdjustmentRow]) -> list[Violation]:
    """Amounts too large for one administrator were booked by two, and neither received them."""
    return [
        Violation("I12", f"adjustment {row.id} was proposed and booked by {row.confirmed_by}")
        for row in adjustments
        if not row.alone and row.confirmed_by in (None, row.proposed_by, row.user)
    ]


def decisions_stand(journal: Journal, payouts: Iterable[PayoutRow]) -> list[Violation]:
    """Every acknowledged change of a payout has been kept."""
    order = {"requested": 0, "approved": 1, "paying": 2}
    end = max(order.values()) + 1
    stored = {payout.id: payout.state for payout in payouts}
    found = []
    for told in journal.decisions:
        state = stored.get(told["payout"])
        last = told["state"] not in order
        if (
            state is None
            or order.get(state, end) < order.get(told["state"], end)
            or (last and state != told["state"])
        ):
            found.append(
                Violation("I5", f"payout {told['payout']} was {told['state']}, stored is {state}")
            )
    return found
