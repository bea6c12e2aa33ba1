"""How plays are written: ``24/18*/14 13/11(2)``, ``bar/20 6/off``.

A play is a list of checkers, each with the points it touches from high to low in the mover's
numbering: ``bar`` or 25 is where a hit checker waits, ``hand`` one not yet entered, ``off`` or 0
the tray. ``*`` marks a point where a checker is hit, ``(n)`` repeats. ``24/14`` may leave out the
points on the way. Reading is generous, writing has one form: highest checker first, hops joined
unless a checker is hit on the way, equal ones counted.

Source: the customary notation, https://bkgm.com/faq/BasicRules.html#how_do_i_read_notation_.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from backgammon.rules.errors import AmbiguousPlay, IllegalPlay, NotationError
from backgammon.rules.moves import BAR, OFF, Move
from backgammon.rules.plays import LegalPlays, PlayGraph
from backgammon.rules.position import Position
from backgammon.rules.variant import PLAIN, Options, Variant

REPEATS_MAX = 4
HOPS_MAX = 16
_NAMES = {"bar": BAR, "hand": BAR, "in": BAR, "off": OFF}
_CHECKER = re.compile(r"[^\s,]+")
_POINT = re.compile(r"([0-9]{1,2}|[a-z]+)(\*?)", re.ASCII)
_REPEAT = re.compile(r"\(([0-9]+)\)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hop:
    """One checker from ``source`` to ``target`` as written, perhaps with several dice."""

    source: int
    target: int
    hit: bool = False

    def __str__(self) -> str:
        return f"{point_name(self.source)}/{point_name(self.target)}"


def point_name(point: int, entering: str = "bar") -> str:
    """How a point is written; ``entering`` is the word for 25."""
    return entering if point == BAR else "off" if point == OFF else str(point)


def parse_hops(text: str) -> tuple[Hop, ...]:
    """Read a play without asking whether it is legal.

    :raises NotationError: with the column at which the text stops making sense.
    """
    hops: list[Hop] = []
    for word in _CHECKER.finditer(text):
        hops.extend(_parse_checker(text, word.group().lower(), word.start()))
        if len(hops) > HOPS_MAX:
            raise NotationError("more moves than any play has", text=text, column=word.start() + 1)
    return tuple(hops)


def _parse_checker(text: str, word: str, start: int) -> list[Hop]:
    """The hops of one word such as ``24/18*/14(2)``, which begins at ``start`` of ``text``."""
    points: list[tuple[int, bool]] = []
    place = 0
    while True:
        match = _POINT.match(word, place)
        number = _point_number(match[1]) if match else None
        if match is None or number is None:
            raise NotationError("no point", text=text, column=start + place + 1)
        if points and number >= points[-1][0]:
            message = "a checker moves to a lower point"
            raise NotationError(message, text=text, column=start + place + 1)
        points.append((number, bool(match[2])))
        place = match.end()
        if word[place : place + 1] != "/":
            break
        place += 1
    if len(points) < 2:
        raise NotationError("a move is written from/to", text=text, column=start + place + 1)
    if points[0][1]:
        raise NotationError("nothing is hit at the start", text=text, column=start + 1)
    repeat = _parse_repeat(text, word, place, start)
    hops = [Hop(a, b, hit) for (a, _), (b, hit) in pairwise(points)]
    return hops * repeat


def _parse_repeat(text: str, word: str, place: int, start: int) -> int:
    if place == len(word):
        return 1
    match = _REPEAT.fullmatch(word, place)
    if match is None or not 1 <= int(match[1][:3]) <= REPEATS_MAX:
        message = f"expected the end of the move or (1) to ({REPEATS_MAX})"
        raise NotationError(message, text=text, column=start + place + 1)
    return int(match[1])


def _point_number(name: str) -> int | None:
    if not name.isdigit():
        return _NAMES.get(name)
    return int(name) if int(name) <= BAR else None


def parse_play(
    variant: Variant,
    position: Position,
    dice: Sequence[int],
    text: str,
    *,
    first_turn: bool = False,
    options: Options = PLAIN,
) -> tuple[Move, ...]:
    """The legal play of a roll that a text means; ``()`` for an empty text if nothing can move.

    :raises NotationError: if the text is no play.
    :raises IllegalPlay: if it is none of this roll, naming the move at fault.
    :raises AmbiguousPlay: if it could be two plays with different results.
    """
    plays = variant.legal_plays(position, tuple(dice), first_turn=first_turn, options=options)
    return match_play(position, plays, text)


def match_play(position: Position, plays: LegalPlays, text: str) -> tuple[Move, ...]:
    """As ``parse_play``, for legal plays already at hand."""
    return match_hops(position, plays, parse_hops(text))


def match_hops(
    position: Position, plays: LegalPlays, hops: Sequence[Hop], *, strict: bool = True
) -> tuple[Move, ...]:
    """The legal play that hops mean, in any order; () for no hops if nothing can move.

    If not ``strict``, a ``*`` where nothing is hit and a point on the way that no die leads to
    are passed over: match files of well-known programs contain both.

    :raises IllegalPlay: if it is none of this roll, naming the move at fault.
    :raises AmbiguousPlay: if it could be two plays with different results.
    """
    if not plays.graph.nodes[0]:
        if hops:
            raise IllegalPlay(f"{hops[0]}: nothing can be moved with this roll")
        return ()
    if not hops:
        raise IllegalPlay("a legal play exists, so the turn cannot be passed")
    written = frozenset(hop.target for hop in hops if hop.hit)
    by_hits = _by_hits(position, plays.graph, _readings(plays.graph, hops))
    if not by_hits and not strict:
        by_hits = _by_hits(position, plays.graph, _readings(plays.graph, _joined(hops)))
    if written not in by_hits:
        # Of one checker the hops would hit otherwise: two may share a hop and hit as written.
        shared = _by_hits(position, plays.graph, _readings(plays.graph, hops, shared=True))
        by_hits = by_hits if by_hits and written not in shared else shared
    if not by_hits:
        raise _why_illegal(position, plays.graph, hops)
    if written in by_hits:
        return by_hits[written]
    fitting = {hits: moves for hits, moves in by_hits.items() if written <= hits}
    if not fitting and strict:
        possible = frozenset().union(*by_hits)
        raise IllegalPlay(f"no checker is hit on {min(written - possible or written)}")
    return _only(fitting or by_hits, hops)


def _by_hits(
    position: Position, graph: PlayGraph, readings: Iterable[tuple[int, tuple[Move, ...]]]
) -> dict[frozenset[int], tuple[Move, ...]]:
    """The first of the readings that hit on the same points."""
    by_hits: dict[frozenset[int], tuple[Move, ...]] = {}
    for end, moves in readings:
        by_hits.setdefault(_hit_points(position, graph.position(end)), moves)
    return by_hits


def _only(by_hits: dict[frozenset[int], tuple[Move, ...]], hops: Sequence[Hop]) -> tuple[Move, ...]:
    if len(by_hits) > 1:
        points = sorted({point for hits in by_hits for point in hits}, reverse=True)
        names = " and ".join(map(str, points))
        raise AmbiguousPlay(f"{' '.join(map(str, hops))} does not tell whether it hits on {names}")
    return next(iter(by_hits.values()))


def _readings(
    graph: PlayGraph, hops: Sequence[Hop], *, shared: bool = False
) -> list[tuple[int, tuple[Move, ...]]]:
    """The ends of the graph that the hops can be walked to, each with one play that does.

    Of several such plays the one in the order of the hops is found first. If ``shared``, two
    checkers may make one hop together: at a head, where one has to go on before the other may
    leave, 24/4 can mean 14/4 and then 24/14.
    """
    found: list[tuple[int, tuple[Move, ...]]] = []
    seen: set[tuple[int, tuple[tuple[int, int], ...]]] = set()

    def walk(node: int, left: tuple[tuple[int, int], ...], made: tuple[Move, ...]) -> None:
        key = (node, tuple(sorted(left)))
        if key in seen:
            return
        seen.add(key)
        if not left and not graph.nodes[node]:
            found.append((node, made))
            return
        for index, (source, target) in enumerate(left):
            if (source, target) in left[:index]:
                continue
            others = left[:index], left[index + 1 :]
            for edge in graph.nodes[node]:
                if edge.target < target or not (
                    edge.source == source or (shared and target < edge.source < source)
                ):
                    continue
                to_come = () if edge.source == source else ((source, edge.source),)
                on_the_way = () if edge.target == target else ((edge.target, target),)
                move = Move(edge.source, edge.target, edge.die)
                walk(edge.next, (*others[0], *to_come, *on_the_way, *others[1]), (*made, move))

    walk(0, tuple((hop.source, hop.target) for hop in hops), ())
    return found


def _joined(hops: Sequence[Hop]) -> list[Hop]:
    """The hops with those of one checker made one, so that only their ends count."""
    chains = _chains([(hop.source, hop.target) for hop in hops])
    return [Hop(chain[0], chain[-1]) for chain in chains]


def _hit_points(before: Position, after: Position) -> frozenset[int]:
    """Where the mover has sent a checker to the bar."""
    if before.bar[1] == after.bar[1]:
        return frozenset()
    return frozenset(
        point
        for point, (old, new) in enumerate(zip(before.points, after.points, strict=True), start=1)
        if old == -1 and new >= 0
    )


def _why_illegal(position: Position, graph: PlayGraph, hops: Sequence[Hop]) -> IllegalPlay:
    """The most specific reason why these hops are not a legal play."""
    own = position.own()
    landed = {hop.target for hop in hops}
    for hop in hops:
        if hop.source not in own and hop.source not in landed:
            return IllegalPlay(f"{hop}: no checker on {point_name(hop.source)}")
    if position.bar[0] and not any(hop.source == BAR for hop in hops):
        return IllegalPlay(f"{hops[0]}: a checker on the bar has to enter first")
    reached = _touched(graph)
    for hop in hops:
        if not any(target <= hop.source for target in reached.get(hop.source, ())):
            return IllegalPlay(f"{hop}: that checker cannot be moved by this roll")
        if not _leads(reached, hop.source, hop.target):
            return IllegalPlay(f"{hop}: that point cannot be reached by this roll")
    return IllegalPlay(
        f"{' '.join(map(str, hops))}: together no legal play; as many dice as possible count"
    )


def _touched(graph: PlayGraph) -> dict[int, set[int]]:
    reached: dict[int, set[int]] = {}
    for node in graph.nodes:
        for edge in node:
            reached.setdefault(edge.source, set()).add(edge.target)
    return reached


def _leads(reached: dict[int, set[int]], source: int, target: int) -> bool:
    open_points, seen = [source], {source}
    while open_points:
        for point in reached.get(open_points.pop(), set()) - seen:
            seen.add(point)
            open_points.append(point)
    return target in seen


def format_play(variant: Variant, position: Position, moves: Sequence[Move]) -> str:
    """The one canonical text of a play made from ``position``; empty for no move at all.

    The moves are taken to be legal. Two plays of two dice with the same result get the same text,
    save for bearing off with different dice; with three dice the checkers may be paired otherwise.
    """
    points, hits = position.points, variant.movement.hits
    hit_before: set[int] = set()
    entering = "bar" if position.bar[0] else "hand"
    left_on_bar = position.bar[0]
    texts: dict[tuple[tuple[int, int], str], int] = {}
    for chain in _chains([(move.source, move.target) for move in moves]):
        word = point_name(chain[0], entering)
        if chain[0] == BAR and position.bar[0]:
            word = "bar" if left_on_bar > 0 else "hand"
            left_on_bar -= 1
        for point in chain[1:]:
            hit = hits and point > OFF and points[point - 1] == -1 and point not in hit_before
            if hit:
                hit_before.add(point)
            if hit or point == chain[-1]:
                word += f"/{point_name(point)}{'*' if hit else ''}"
        key = ((-chain[0], -chain[-1]), word)
        texts[key] = texts.get(key, 0) + 1
    ordered = sorted(texts.items(), key=lambda item: (item[0][0], "*" not in item[0][1]))
    return " ".join(word + (f"({count})" if count > 1 else "") for (_, word), count in ordered)


def _chains(moves: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The moves joined into walks of single checkers, the highest going on as far as it can."""
    left = sorted(moves, reverse=True)
    chains: list[list[int]] = []
    while left:
        chain, others = list(left[0]), []
        for move in left[1:]:
            if move[0] == chain[-1]:
                chain.append(move[1])
            else:
                others.append(move)
        chains.append(chain)
        left = others
    return chains
