"""Whether a table's `actions` and `why_not` agree with `decide`."""

from random import Random
from typing import Final

import msgspec

from games.table import commands as cmd
from games.table.absence import claim_ms
from games.table.errors import TableError
from games.table.machine import decide
from games.table.rights import RULES, permit, rights
from games.table.state import TableState, seated
from games.table.turn import legal_plays, resignable_levels
from games.table.view import table_view
from harness.simulator.oracle import require

NAMES: Final = tuple(RULES)
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
    "stop": cmd.Stop(),
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
        listed = rights(state, seat).actions
        for name in (*listed, *random.choices(NAMES, k=OTHERS)):
            if name == "play" and name in listed and random.random() > PLAYS_TRIED:
                continue
            check_command(state, name, seat, now_ms)


def check_command(state: TableState, name: str, seat: int, now_ms: int) -> None:
    """One command is listed and accepted, or refused for the reason that is shown."""
    allowed, why_not = rights(state, seat)
    if name == "leave" and ("stand_up" in allowed or "stop" in allowed):
        require("leave" not in allowed, "leaving while it costs nothing is standing up or stopping")
        refused = refusal_of(state, name, seat, now_ms)
        require(refused == why_not.get(name), "it is accepted, and the same, while a match runs")
        return
    reason = refusal_of(state, name, seat, now_ms)
    where = f"seat {seat} in {state.phase!r}: {name}"
    require((reason is None) is (name in allowed), f"{where} is refused by {reason}, {allowed}")
    require(why_not.get(name, reason) == reason, f"{where} is {reason}, shown {why_not}")
    require(reason is None or name in why_not or _is_foreign(state, name), f"{where} has no reason")
    require(not (name in allowed and name in why_not), f"{where} is both possible and not")


def _is_foreign(state: TableState, name: str) -> bool:
    """Whether no player of this table can ever give the command."""
    return not RULES[name].known(state.terms)


def check_view(state: TableState) -> bytes:
    """Encode the public view as JSON; return its text."""
    return _encoder.encode(table_view(state))


def refusal_of(state: TableState, name: str, seat: int, now_ms: int) -> str | None:
    """The reason with which the machine refuses the command now; None if it accepts it."""
    try:
        if name == "roll":
            permit(state, seated(seat), "roll")
        elif name == "claim":
            decide(state, SIMPLE[name], max(now_ms, claim_ms(state) or now_ms), seat)
        else:
            decide(state, _example(state, name), now_ms, seat)
    except TableError as error:
        return str(error.fields["reason"])
    return None


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
    nodes = legal_plays(state, game, game.dice).graph.nodes
    node, moves = 0, []
    while nodes[node]:
        edge = random.choice(nodes[node]) if random else nodes[node][0]
        moves.append((edge.source, edge.target, edge.die))
        node = edge.next
    return tuple(moves)
