"""Smart Game Format for backgammon, GM[6], as GNU Backgammon keeps its matches: reading.

Analysis, ratings of moves and other properties not needed for the match are skipped. The actions
of White and Black go to a builder, so a play must be legal and a result fit its board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from backgammon.formats.errors import FormatError
from backgammon.formats.open_game import OpenGame
from backgammon.formats.reading import Collector, FileRead, placed
from backgammon.formats.record import Ending, GameRecord, MatchRecord, RecordedTurn, Resignation
from backgammon.formats.sgf import BAR_LETTER, COLOURS, OFF_LETTER
from backgammon.formats.sgf_tree import Node, Tree, read_trees
from backgammon.formats.tags import TagReader
from backgammon.rules.errors import RulesError
from backgammon.rules.moves import BAR, OFF
from backgammon.rules.notation import Hop
from backgammon.rules.position import Position, Way
from backgammon.rules.variants import by_key

_SEATS = {"W": 0, "B": 1}
#: what stands in PL
_ON_ROLL = {"w": 0, "white": 0, "b": 1, "black": 1}
#: what stands in CO; "c" is the middle
_OWNERS = {"w": 0, "b": 1}
_ROLL = re.compile(r"([1-6]{2,3})((?:[a-z]{2})*)", re.ASCII)
_RESULT = re.compile(r"([WB])\+([0-9]{1,6})(R|F|T|Resign|Time|Forfeit)?", re.ASCII)
_RESIGNATION = re.compile(r"([WB]):([0-9]{1,2}):(accepted|refused):(.*)", re.DOTALL | re.ASCII)
_VARIATIONS = {"nackgammon": "nackgammon", "hypergammon3": "hypergammon"}
_STONES = ("AW", "AB", "AE")


def parse_sgf(text: str) -> MatchRecord:
    """The record of an SGF file without a fault.

    :raises FormatError: naming line and column.
    """
    return read_sgf(text).sole()


def read_sgf(text: str) -> FileRead:
    """All matches of an SGF file, each game as far as it is sound."""
    found = Collector()
    trees = read_trees(text)
    if not trees:
        found.remark(FormatError("the file holds no game", line=1, column=1))
    for match in _matches(trees):
        _read_match(found, match)
    return found.finish()


def _read_match(found: Collector, trees: list[Tree]) -> None:
    """Pass on the games of a match; what stands between them is none.

    The first root that can be read says whose match it is; a game before it is unreadable.
    """
    found.end_match()
    roots = [tree.nodes[0] for tree in trees if tree.nodes]
    tags, bad = None, list[FormatError]()
    while tags is None and len(bad) < len(roots):
        try:
            tags = _begin_match(found, roots, roots[len(bad)])
        except FormatError as error:
            bad.append(error)
    for root, fault in zip(roots, bad, strict=False):
        if tags is not None:
            found.skip_game(root.line)
        found.remark(fault)
    skipped = len(bad)
    for tree in trees:
        is_game = tags is not None and bool(tree.nodes) and not skipped
        if tags is not None and is_game:
            _GameReader(found, tags, tree.nodes, is_torn=tree.fault is not None).read()
        skipped -= bool(tree.nodes) and skipped > 0
        if tree.fault is not None:
            (found.cut if is_game else found.remark)(tree.fault)


def _matches(trees: list[Tree]) -> list[list[Tree]]:
    """The trees of each match; another one begins with other players or with an earlier game."""
    matches: list[list[Tree]] = []
    before: tuple[object, ...] = ()
    number_before = -1
    for tree in trees:
        if not tree.nodes:
            matches = matches or [[]]
            matches[-1].append(tree)
            continue
        root = tree.nodes[0]
        info = root.properties.get("MI", [])
        length = [value for value in info if value.startswith("length:")]
        this = (root.first("PW"), root.first("PB"), length)
        told = next((value[5:] for value in info if value.startswith("game:")), "")
        number = int(told) if told.isascii() and told.isdigit() and len(told) <= 5 else -1
        if this != before or (number >= 0 and number <= number_before):
            matches.append([])
        matches[-1].append(tree)
        before, number_before = this, number
    return matches


@contextmanager
def _at(node: Node) -> Iterator[None]:
    """Give an error from below its place."""
    try:
        yield
    except FormatError as error:
        if error.line is not None:
            raise
        raise node.error(error.reason) from error
    except RulesError as error:
        raise node.error(str(error)) from error


def _begin_match(found: Collector, roots: list[Node], root: Node) -> TagReader:
    """Begin the match of these games with the heading of one of them, and return its tags.

    :raises FormatError: if its heading cannot be.
    """
    tags = TagReader()
    for each in roots:
        for value in each.properties.get("XP", []):
            name, _, text = value.partition(":")
            tags.add(name, text)
    with _at(root):
        if root.first("GM", "6").strip() != "6":
            raise FormatError(f"GM[{root.first('GM')}] is not backgammon, which is GM[6]")
        for name, tag in (("EV", "Event"), ("RO", "Round")):
            if root.first(name):
                tags.add(tag, root.first(name))
        if root.first("DT"):
            tags.add("EventDate", root.first("DT").split(",")[0])
        rules = _rules(root)
        length = _match_info(root).get("length", 0)
        if length:
            tags.add("Crawford", "On" if rules & {"crawford", "crawfordgame"} else "Off")
        tags.add("Jacoby", "On" if "jacoby" in rules else "Off")
        players = (root.first("PW") or "White", root.first("PB") or "Black")
        told = (players, length, root.first("XC"), root.first("PC"))
        heading, faults = tags.heading_and_faults(*told)
    found.begin_match(heading)
    for fault in faults:
        found.remark(placed(fault, root.line, root.column))
    return tags


def _rules(root: Node) -> set[str]:
    return {word.lower() for value in root.properties.get("RU", []) for word in value.split(":")}


def _match_info(root: Node) -> dict[str, int]:
    """The numbers of property MI.

    :raises FormatError: if one is no number.
    """
    info: dict[str, int] = {}
    for value in root.properties.get("MI", []):
        name, _, number = value.partition(":")
        if name in ("length", "game", "ws", "bs"):
            if not (number.isascii() and number.isdigit() and len(number) <= 5):
                raise root.error(f"MI[{value}]: {number!r} is no number")
            info[name] = int(number)
    return info


class _GameReader:
    """Passes the nodes of one tree to the collector."""

    def __init__(
        self, found: Collector, tags: TagReader, nodes: list[Node], *, is_torn: bool
    ) -> None:
        """Of a torn tree the end is missing, so its result is not the one of these nodes."""
        self.found = found
        self.tags = tags
        self.root = nodes[0]
        self.nodes = nodes
        self.is_torn = is_torn
        self.way = Way.AGAINST
        self.checkers = 0
        self.on_roll: int | None = None
        self.resigned: int | None = None

    def read(self) -> None:
        """The tree as far as it is sound; what is not is noted with its node."""
        try:
            with _at(self.root):
                game = self._begin()
                self._read_resignations(game, self.root)
            for node in self.nodes[1:]:
                with _at(node):
                    self._read_node(game, node)
            with _at(self.root):
                if not self.is_torn:
                    self._end(game)
        except FormatError as error:
            self.found.cut(error)

    def _begin(self) -> OpenGame:
        try:
            info = _match_info(self.root)
            number = self.found.game_number + 1
            record = self.tags.game(number, (info.get("ws", 0), info.get("bs", 0)))
            rules = _rules(self.root)
            if record.variant == "backgammon":
                named = [key for word, key in _VARIATIONS.items() if word in rules]
                record = replace(record, variant=named[0] if named else record.variant)
            variant = by_key(record.variant)
            self.way, self.checkers = variant.way, variant.checkers
            record = self._with_setup(record)
            record = replace(record, comment=self.root.first("GC"))
        except (FormatError, RulesError):
            self.found.skip_game(self.root.line)
            raise
        crawford = None if not rules & {"crawford"} else "crawfordgame" in rules
        return self.found.begin_game(record, self.root.line, crawford=crawford)

    def _with_setup(self, record: GameRecord) -> GameRecord:
        """The record with the start and the cube that set-up nodes before any action state."""
        for node in self.nodes:
            if "W" in node.properties or "B" in node.properties:
                break
            if "CV" in node.properties and record.cube_value == 1:
                cube = node.first("CV")
                if not (cube.isascii() and cube.isdigit() and len(cube) <= 5):
                    raise node.error(f"CV[{cube}] is no value of a cube")
                record = replace(record, cube_value=int(cube))
            if "CO" in node.properties and record.cube_owner is None and record.cube_value > 1:
                owner = _OWNERS.get(node.first("CO").strip().lower())
                record = replace(record, cube_owner=owner)
            if record.start is None and any(name in node.properties for name in _STONES):
                record = replace(record, start=_setup(node, self.checkers))
        return record

    def _read_node(self, game: OpenGame, node: Node) -> None:
        comment = node.first("C")
        told = [name for name in ("W", "B") if name in node.properties]
        if sum(len(node.properties[name]) for name in told) > 1:
            raise node.error("several actions stand in one node")
        if told:
            self._read_action(game, _SEATS[told[0]], node.first(told[0]), comment)
        elif self._is_edited(game, node):
            raise node.error("the position is edited in the middle of a game")
        if "PL" in node.properties:
            self.on_roll = _seat(node, node.first("PL"))
        if "DI" in node.properties and not told:
            self._read_dice(game, node, comment)
        self._read_resignations(game, node)

    def _is_edited(self, game: OpenGame, node: Node) -> bool:
        """Whether a set-up node changes the board of a game that has begun."""
        is_setup = any(name in node.properties for name in _STONES)
        return is_setup and game.has_begun and _setup(node, self.checkers) != game.position(0)

    def _read_action(self, game: OpenGame, seat: int, value: str, comment: str) -> None:
        word = value.strip().lower()
        if word == "double":
            game.offer(seat, comment=comment)
        elif word == "resign":
            self.resigned = seat
        elif word in ("accept", "reject") and self.resigned == 1 - seat:
            self.resigned = self.resigned if word == "accept" else None
        elif word in ("take", "accept"):
            game.take(seat, comment)
        elif word in ("drop", "reject"):
            game.drop(seat, comment)
        elif match := _ROLL.fullmatch(value.strip()):
            dice = tuple(int(die) for die in match[1])
            letters = match[2]
            pairs = [letters[index : index + 2] for index in range(0, len(letters), 2)]
            hops = [Hop(self._point(pair[0], seat), self._point(pair[1], seat)) for pair in pairs]
            game.unroll(seat)
            if not hops and game.plays(seat, dice).dice_played:
                game.turn(RecordedTurn(seat, dice, None, comment))
            else:
                game.play(seat, dice, hops, comment)
        else:
            raise FormatError(f"{COLOURS[seat]}[{value[:40]}] is no play and no word of the cube")

    def _read_dice(self, game: OpenGame, node: Node, comment: str) -> None:
        dice = node.first("DI")
        if not (dice.isascii() and dice.isdigit() and len(dice) <= 3):
            raise node.error(f"DI[{dice[:20]}] are no dice")
        if self.on_roll is None:
            raise node.error("DI says dice, but not PL who rolled them")
        game.unroll(self.on_roll)
        game.turn(RecordedTurn(self.on_roll, tuple(map(int, dice)), None, comment))

    def _read_resignations(self, game: OpenGame, node: Node) -> None:
        for value in node.properties.get("XR", []):
            match = _RESIGNATION.fullmatch(value)
            if match is None:
                raise node.error(f"XR[{value[:40]}] is no offer to resign")
            accepted = match[3] == "accepted"
            game.resign(Resignation(_SEATS[match[1]], int(match[2]), accepted, match[4]))

    def _end(self, game: OpenGame) -> None:
        text = self.root.first("RE").strip()
        ending = self.tags.ending(self.found.game_number)
        if not text or text == "?" or text == "Void":
            if game.over is not None:
                raise FormatError("the game ends, but has no result RE")
            self.found.leave_game()
        elif text in ("0", "Draw"):
            self.found.end_game(None, 0, ending)
        elif match := _RESULT.fullmatch(text):
            if ending is None and match[3] in ("T", "Time"):
                ending = Ending.TIME
            elif ending is None and match[3] in ("F", "Forfeit"):
                ending = Ending.LEFT
            if _SEATS[match[1]] == self.resigned:
                raise FormatError(f"RE[{text}]: who resigned cannot have won")
            self.found.end_game(_SEATS[match[1]], int(match[2]), ending)
        else:
            raise FormatError(f"RE[{text[:20]}] is no result")

    def _point(self, letter: str, seat: int) -> int:
        if letter == BAR_LETTER:
            return BAR
        if letter == OFF_LETTER:
            return OFF
        point = ord(letter) - ord("a") + 1
        return self.way.across(point) if seat else point


def _seat(node: Node, colour: str) -> int:
    seat = _ON_ROLL.get(colour.strip().lower())
    if seat is None:
        raise node.error(f"{colour[:20]!r} is neither White nor Black")
    return seat


def _setup(node: Node, checkers: int) -> Position:
    """The position of a node's set-up properties in White's view.

    :raises FormatError: if a point is none or both colours stand on it.
    """
    points, bar = [0] * 24, [0, 0]
    for name, seat, sign in (("AW", 0, 1), ("AB", 1, -1)):
        for letter in node.properties.get(name, []):
            place = ord(letter) - ord("a") if len(letter) == 1 else -1
            if letter == BAR_LETTER:
                bar[seat] += 1
            elif not 0 <= place < 24 or points[place] * sign < 0:
                raise node.error(f"{name}[{letter[:20]}]: no checker can stand there")
            else:
                points[place] += sign
    white = sum(count for count in points if count > 0) + bar[0]
    black = bar[1] - sum(count for count in points if count < 0)
    if max(white, black) > checkers:
        raise node.error(f"{max(white, black)} checkers of one colour instead of {checkers}")
    return Position(tuple(points), (bar[0], bar[1]), (checkers - white, checkers - black))
