"""Whether the listed actions of a table agree with `decide`."""

from random import Random
from typing import Final

import msgspec

from games.table import commands as cmd
from games.table.absence import claim_ms
from games.table.actions import actions, resignable_levels
from games.table.errors import TableError
from games.table.machine import check_roll, decide
from games.table.plays import legal_plays
from games.table.state import TableState
from games.table.view import table_view
from tests.simulator.oracle import Broken, require

NAMES: Final = (
    "roll",
    "double",
    "take",
    "drop",
    "beaver",
    "raccoon",
    "name_double",
    "play",
    "offer_resignation",
    "accept_resignation",
    "refuse_resignation",
    "ready",
    "rematch",
    "stand_up",
    "leave",
    "claim",
    "take_back",
)
SIMPLE: Final = {
    "double": cmd.Double(),
    "take": cmd.Take(),
    "drop": cmd.Drop(),
    "beaver": cmd.Beaver(),
    "raccoon": cmd.Raccoon(),
    "name_double": cmd.NameDouble(number=3),
    "accept_resignation": cmd.AcceptResignation(),
    "refuse_resignation": cmd.RefuseResignation(),
    "ready": cmd.Ready(),
    "rematch": cmd.GiveRematch(match="00000000-0000-4000-8000-ffffffffffff"),
    "stand_up": cmd.StandUp(),
    "leave": cmd.Leave(),
    "claim": cmd.Claim(),
    "take_back": cmd.TakeBack(),
}

_encoder = msgspec.json.Encoder()


#: how many commands are tried for each seat beside those that are listed for it.
OTHERS: Final = 2
#: how often a legal play is tried before it is made: it costs most, and is made anyway.
PLAYS_TRIED: Final = 0.2


def check_actions(state: TableState, now_ms: int, random: Random) -> None:
    """Every command that is listed for a seat is accepted, every other one refused."""
    for seat in (0, 1):
        if state.seats[seat] is None:
            continue
        listed = actions(state, seat)
        require(len(set(listed)) == len(listed), "an action is listed once")
        for name in (*listed, *random.choices(NAMES, k=OTHERS)):
            if name == "leave" and "stand_up" in listed:
                continue  # leaving while it costs nothing is standing up
            if name == "play" and name in listed and random.random() > PLAYS_TRIED:
                continue
            accepted = _is_accepted(state, name, seat, now_ms)
            if accepted is not (name in listed):
                verb = "accepted" if accepted else "refused"
                raise Broken(f"seat {seat} {listed}: {name} is {verb} in {state.phase!r}")


def check_view(state: TableState) -> bytes:
    """Encode the public view as JSON; return its text."""
    return _encoder.encode(table_view(state))


def _is_accepted(state: TableState, name: str, seat: int, now_ms: int) -> bool:
    try:
        if name == "roll":
            check_roll(state, seat)
        elif name == "claim":
            decide(state, SIMPLE[name], max(now_ms, claim_ms(state) or now_ms), seat)
        else:
            decide(state, _example(state, name), now_ms, seat)
    except TableError:
        return False
    return True


def _example(state: TableState, name: str) -> cmd.Command:
    if name == "play":
        return cmd.Play(moves=a_play(state, None))
    if name == "offer_resignation":
        levels = resignable_levels(state)
        return cmd.OfferResignation(level=levels[0] if levels else 1)
    return SIMPLE[name]


def a_play(state: TableState, random: Random | None) -> tuple[tuple[int, int, int], ...]:
    """One legal play of the dice on the board, or nothing: the first one without `random`."""
    game = state.game
    if game is None or game.dice is None:
        return ()
    nodes = legal_plays(state.terms.variant, game, game.dice).graph.nodes
    node, moves = 0, []
    while nodes[node]:
        edge = random.choice(nodes[node]) if random else nodes[node][0]
        moves.append((edge.source, edge.target, edge.die))
        node = edge.next
    return tuple(moves)
