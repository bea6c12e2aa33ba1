"""A board drawn in plain text, and read back.

The mover plays X and sees their own numbering; the opponent is O. A point shows up to five
checkers; with more, the place nearest the middle holds their number. A pinned checker is a small
letter next to the rim. The last line lists the checkers that are on no point.
"""

from __future__ import annotations

from backgammon.rules.errors import NotationError
from backgammon.rules.position import Position

ROWS = 5
CELL = 3
TOP = "+13-14-15-16-17-18-+---+19-20-21-22-23-24-+"
BOTTOM = "+12-11-10--9--8--7-+---+-6--5--4--3--2--1-+"
MIDDLE = "|                  |BAR|                  |"
LINES = 2 * ROWS + 4
# Where each point's cell begins in a line of the board.
_COLUMNS = {
    **{12 + n: (1 if n <= 6 else 6) + CELL * (n - 1) for n in range(1, 13)},
    **{13 - n: (1 if n <= 6 else 6) + CELL * (n - 1) for n in range(1, 13)},
}
_TRAYS = ("bar", "off", "hand")


def draw(position: Position) -> str:
    """The board as fourteen lines of text, without a line break at the end."""
    upper = [_row(position, range(13, 25), depth) for depth in range(ROWS)]
    lower = [_row(position, range(12, 0, -1), depth) for depth in reversed(range(ROWS))]
    trays = zip(_TRAYS, (position.bar, position.off, position.hand), strict=True)
    last = "   ".join(f"{name} X{mine} O{his}" for name, (mine, his) in trays)
    return "\n".join([TOP, *upper, MIDDLE, *lower, BOTTOM, last])


def _row(position: Position, points: range, depth: int) -> str:
    cells = [f"{_cell(position, point, depth):^{CELL}}" for point in points]
    return f"|{''.join(cells[:6])}|   |{''.join(cells[6:])}|"


def _cell(position: Position, point: int, depth: int) -> str:
    """The character at a place of a point, counted in checkers from the rim."""
    count = position.points[point - 1]
    letter, below = ("X", "o") if count > 0 else ("O", "x")
    if point in position.pinned:
        if depth == 0:
            return below
        depth, rows = depth - 1, ROWS - 1
    else:
        rows = ROWS
    if abs(count) > rows and depth == rows - 1:
        return str(abs(count))
    return letter if depth < abs(count) else ""


def parse_drawing(text: str) -> Position:
    """The position of a board that ``draw`` drew; blank lines around it and indents are ignored.

    :raises NotationError: naming the line, and the point if one is at fault.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) != LINES:
        raise NotationError(f"a drawn board has {LINES} lines, this one has {len(lines)}")
    for number, frame in ((1, TOP), (ROWS + 2, MIDDLE), (LINES - 1, BOTTOM)):
        if lines[number - 1] != frame:
            raise NotationError(f"line {number} of a drawn board is {frame!r}")
    upper, lower = lines[1 : ROWS + 1], lines[2 * ROWS + 1 : ROWS + 1 : -1]
    for row in (*upper, *lower):
        if len(row) != len(TOP):
            raise NotationError(f"line {lines.index(row) + 1} is not {len(TOP)} characters long")
    points, pinned = [], []
    for point in range(1, 25):
        column = _COLUMNS[point]
        rows = lower if point <= 12 else upper
        count, pins = _parse_point(point, [row[column : column + CELL].strip() for row in rows])
        points.append(count)
        if pins:
            pinned.append(point)
    bar, off, hand = _parse_last(lines[-1])
    position = Position(tuple(points), bar, off, hand, tuple(pinned))
    for number, pair in enumerate(zip(draw(position).splitlines(), lines, strict=True), start=1):
        if pair[0] != pair[1]:
            raise NotationError(f"line {number} of a drawn board would be {pair[0]!r}")
    return position


def _parse_point(point: int, cells: list[str]) -> tuple[int, bool]:
    pinned = cells[0] in ("x", "o")
    stack = cells[1:] if pinned else cells
    letters = [cell for cell in stack if cell]
    if not letters and not pinned:
        return 0, False
    top = letters[0] if letters else ""
    count = len(letters)
    if letters and letters[-1].isascii() and letters[-1].isdigit():
        full = len(letters) == len(stack)
        count = int(letters.pop()[:2]) if full else 0
        if count <= len(stack):
            raise NotationError(f"point {point}: the number does not fit its checkers")
    fits = top in ("X", "O") and set(letters) == {top} and stack[: len(letters)] == letters
    if not fits or (pinned and cells[0] == top.lower()):
        raise NotationError(f"point {point}: these are no checkers: {' '.join(cells).strip()!r}")
    return (count if top == "X" else -count), pinned


def _parse_last(line: str) -> list[tuple[int, int]]:
    words = line.split()
    trays = []
    for index, name in enumerate(_TRAYS):
        part = words[3 * index : 3 * index + 3]
        numbers = [word[1:] for word in part[1:]]
        letters = [word[:1] for word in part[1:]]
        if part[:1] != [name] or letters != ["X", "O"] or len(words) != 3 * len(_TRAYS):
            raise NotationError(f"the last line of a drawn board is not {line!r}")
        if not all(n.isascii() and n.isdigit() and len(n) <= 2 for n in numbers):
            raise NotationError(f"{name} in the last line of a drawn board: {' '.join(part[1:])!r}")
        trays.append((int(numbers[0]), int(numbers[1])))
    return trays
