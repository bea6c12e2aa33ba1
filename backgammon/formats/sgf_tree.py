"""Smart Game Format, the text layer: trees of nodes of properties, with their places.

Only the main line of each tree is kept; variations are comments in this field. The grammar is
https://www.red-bean.com/sgf/sgf4.html (FF[4]); the backgammon properties are in ``sgf``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from backgammon.formats.errors import FormatError

DEPTH_MAX = 1000
#: the root of a game, which stands neither in a variation nor, unescaped, in a value
_ROOT = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|PW)\[[^\[\]\\]*\]")
_SPECIAL = str.maketrans({"\\": "\\\\", "]": "\\]"})


@dataclass(slots=True)
class Node:
    """One node: its properties with their values, as written, and where it begins."""

    line: int
    column: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str, default: str = "") -> str:
        """The first value of a property."""
        return self.properties.get(name, [default])[0]

    def error(self, message: str) -> FormatError:
        """An error at this node."""
        return FormatError(message, line=self.line, column=self.column)


@dataclass(slots=True)
class Tree:
    """The main line of a game tree; `fault` says where it is torn.

    Without nodes it is text that is no tree.
    """

    nodes: list[Node]
    fault: FormatError | None = None


def parse_trees(text: str) -> list[list[Node]]:
    """The main lines of all game trees of a collection.

    :raises FormatError: naming line and column of what is no SGF.
    """
    trees = read_trees(text)
    for tree in trees:
        if tree.fault is not None:
            raise tree.fault
    return [tree.nodes for tree in trees]


def read_trees(text: str) -> list[Tree]:
    """The trees as far as the text is SGF; after a fault it goes on with the next root."""
    scanner = _Scanner(text.removeprefix("\ufeff").rstrip("\x1a\x00"))
    while scanner.skip_space():
        begins = scanner.place
        tree = Tree([])
        scanner.trees.append(tree)
        try:
            scanner.tree(tree.nodes)
        except FormatError as error:
            tree.fault = error
            scanner.go_to_root(begins + 1)
    return scanner.trees


class _Scanner:
    """Walks over the text once, counting lines only when an error or a node needs its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.trees: list[Tree] = []
        self._counted = 0
        self._line = 1
        self._line_start = 0

    def go_to_root(self, begins: int) -> None:
        """Go to the next root of a game at this place or behind it, or to the end."""
        root = _ROOT.search(self.text, begins)
        self.place = root.start() if root else len(self.text)

    def skip_space(self) -> bool:
        """Go on to the next character that is not white; False at the end."""
        text = self.text
        while self.place < len(text) and text[self.place].isspace():
            self.place += 1
        return self.place < len(text)

    def where(self) -> tuple[int, int]:
        """Line and column of the present place, from 1."""
        newlines = self.text.count("\n", self._counted, self.place)
        if newlines:
            self._line += newlines
            self._line_start = self.text.rindex("\n", self._counted, self.place) + 1
        self._counted = self.place
        return self._line, self.place - self._line_start + 1

    def fail(self, message: str) -> FormatError:
        """An error at the present place."""
        line, column = self.where()
        return FormatError(message, line=line, column=column)

    def tree(self, nodes: list[Node]) -> None:
        """Add the main line of the tree that begins here, node by node."""
        self._expect("(")
        depth, skipped = 1, 0  # open brackets; the depth at which a variation began, or 0
        while depth:
            if not self.skip_space():
                raise self.fail("a game tree is not closed")
            character = self.text[self.place]
            if character == ";":
                node = self._node()
                if not skipped:
                    nodes.append(node)
            elif character == "(":
                if _ROOT.match(self.text, self.place):
                    raise self.fail("a game tree is not closed")
                self.place += 1
                depth += 1
                if depth > DEPTH_MAX:
                    raise self.fail("variations are nested too deeply")
            elif character == ")":
                self.place += 1
                depth -= 1
                # A closed bracket inside the tree is followed by another variation.
                skipped = skipped or depth
            else:
                raise self.fail(f"{character!r} where a node ';' or a bracket should stand")
        if not nodes:
            raise self.fail("a game tree without nodes")

    def _expect(self, character: str) -> None:
        found = self.text[self.place : self.place + 1]
        if found != character:
            raise self.fail(f"{found!r} where {character!r} should stand")
        self.place += 1

    def _node(self) -> Node:
        node = Node(*self.where())
        self._expect(";")
        while self.skip_space() and self.text[self.place].isalpha():
            name = self._name()
            values = node.properties.setdefault(name, [])
            if not self.skip_space() or self.text[self.place] != "[":
                raise self.fail(f"property {name} has no value")
            while self.skip_space() and self.text[self.place] == "[":
                values.append(self._value())
        return node

    def _name(self) -> str:
        start = self.place
        while self.place < len(self.text) and self.text[self.place].isalpha():
            self.place += 1
        # FF[3] allowed small letters in between: only the capitals count.
        name = "".join(c for c in self.text[start : self.place] if c.isupper())
        if not name:
            raise self.fail(f"{self.text[start : self.place]!r} is no property")
        return name

    def _value(self) -> str:
        opened = self.where()
        self.place += 1
        parts: list[str] = []
        while True:
            if self.place >= len(self.text):
                raise FormatError("a value is not closed", line=opened[0], column=opened[1])
            character = self.text[self.place]
            if character == "(" and _ROOT.match(self.text, self.place):
                raise FormatError("a value is not closed", line=opened[0], column=opened[1])
            self.place += 1
            if character == "]":
                return "".join(parts)
            if character == "\\":
                character = self.text[self.place : self.place + 1]
                self.place += 1
                if character == "\n":
                    continue
            parts.append(character)


def format_value(text: str) -> str:
    """A property value in its brackets."""
    return f"[{text.translate(_SPECIAL)}]"
