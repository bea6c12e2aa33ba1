"""The board in colours of the house's own, and whether everybody can see what lies on it.

Pure. A house chooses five colours, each written `#rrggbb`; shades, rims and the scheme follow from
them. A checker is seen where its face or its rim has a contrast of `LEAST` to what it lies on, as
on the boards of static/css/boards.css.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from house.colours import Scheme, contrast, luminance, mixed

LEAST: Final = 3.0
"""What is needed to understand a picture (WCAG 2.2, 1.4.11)."""

RIM_LEAST: Final = 9.0
"""The contrast of a checker's face and its rim. On any ground one of the two then has 3 or more,
and light and dark checkers differ by more than 4."""

POINTS_LEAST: Final = 2.0
"""The contrast of light and dark points, which also differ by their places."""

COLOURS: Final = ("ground", "points_light", "points_dark", "checkers_light", "checkers_dark")
EXAMPLE: Final = dict(
    zip(COLOURS, ("#24443b", "#cdb58a", "#50796b", "#f0e1c4", "#33221d"), strict=True)
)
"""The board `walnut` with the checkers `ivory`."""

LINES: Final[dict[Scheme, tuple[str, str]]] = {
    "light": ("#005a48", "#084e73"),
    "dark": ("#f2c14e", "#8fd2f2"),
}
"""`--mark` and `--last-from`: marks on the field, and arrows over everything."""

UNDER: Final[dict[Scheme, str]] = {"light": "#fffdf8", "dark": "#16110c"}
"""`--arrow-under`, the wider stroke beneath an arrow."""

_SETS: Final = (
    *(("#efe9e2", "#4a3d2f"), ("#7f181e", "#f2c9b0")),
    *(("#ecdcb6", "#4b3a15"), ("#154f3e", "#d9efe0")),
    *(("#ecc76f", "#3a2905"), ("#38424c", "#cdd6de")),
    *(("#ffffff", "#000000"), ("#111111", "#ffffff")),
)
SETS: Final[dict[Scheme, tuple[tuple[str, str], ...]]] = {
    "light": (("#f8efdd", "#4a3314"), ("#2b201d", "#e9cf9f"), *_SETS),
    "dark": (("#f0e1c4", "#523d1c"), ("#33221d", "#e2c08f"), *_SETS),
}
"""Face and rim of every checker that players can choose: they lie on the house's board, too."""

_SHADES: Final[dict[Scheme, tuple[float, float, float]]] = {
    "light": (0.07, 0.13, 0.2),
    "dark": (0.25, 0.38, 0.52),
}
"""How much darker than the ground the edge of the field and the two ends of the trays are."""

_POINT_SHADE: Final = 0.08
_BLACK, _WHITE = "#000000", "#ffffff"
_STEPS: Final = 50
_RIMS: Final = (0.72, 0.8, 0.88, 0.94, 1.0)


@dataclass(frozen=True, slots=True)
class HouseBoard:
    """The five colours, each `#rrggbb`."""

    ground: str
    points_light: str
    points_dark: str
    checkers_light: str
    checkers_dark: str

    @property
    def scheme(self) -> Scheme:
        """Whether it is a light or a dark board: marks are seen better on it as such a one."""
        return scheme_on(self.ground)


@dataclass(frozen=True, slots=True)
class Unseen:
    """A colour of a board on which something is not seen: which rule it breaks, its contrast, and
    a colour near it that is enough, empty where that depends on another colour."""

    colour: str
    code: str
    ratio: float
    instead: str = ""


def board_faults(board: HouseBoard) -> Iterator[Unseen]:
    """All that could not be seen on this board; nothing where it is a good one."""
    scheme = board.scheme
    rules: dict[str, tuple[str, float, Callable[[str], float]]] = {
        "ground": ("board_ground", LEAST, lambda colour: _on_ground(colour, scheme_on(colour))),
        "points_light": ("board_point", LEAST, lambda colour: _on_point(colour, scheme)),
        "points_dark": ("board_point", LEAST, lambda colour: _on_point(colour, scheme)),
        "checkers_light": (
            "board_light",
            RIM_LEAST,
            lambda face: contrast(face, rim(face, _BLACK)),
        ),
        "checkers_dark": ("board_dark", RIM_LEAST, lambda face: contrast(face, rim(face, _WHITE))),
    }
    for name, (code, least, ratio) in rules.items():
        colour = getattr(board, name)
        if ratio(colour) < least:
            yield Unseen(name, code, _floored(ratio(colour)), _nearest(colour, ratio, least))
    lighter = (luminance(board.points_light) + 0.05) / (luminance(board.points_dark) + 0.05)
    if lighter < POINTS_LEAST:
        yield Unseen("points_dark", "board_points", _floored(lighter))
    clear = max(contrast(board.ground, each) for each in (board.points_light, board.points_dark))
    if clear < LEAST:
        yield Unseen("ground", "board_flat", _floored(clear))


def board_style(board: HouseBoard) -> str:
    """The style sheet of this board, as the board `house` and the checkers `house`.

    The theme of high contrast keeps its own.
    """
    scheme = board.scheme
    field, tray, tray_end = (mixed(board.ground, _BLACK, share) for share in _SHADES[scheme])
    on_board = {
        "board-scheme": scheme,
        "field-1": board.ground,
        "field-2": field,
        "pt-a": board.points_light,
        "pt-a2": _point_end(board.points_light),
        "pt-b": board.points_dark,
        "pt-b2": _point_end(board.points_dark),
        "pt-edge": mixed(board.ground, _BLACK, 0.55),
        "tray-1": tray,
        "tray-2": tray_end,
    }
    light, dark = board.checkers_light, board.checkers_dark
    checkers = {
        "me-1": mixed(light, _WHITE, 0.6),
        "me-2": light,
        "me-3": mixed(light, _BLACK, 0.15),
        "me-rim": rim(light, _BLACK),
        "me-ink": "#2a1c0c",
        "op-1": mixed(dark, _WHITE, 0.16),
        "op-2": dark,
        "op-3": mixed(dark, _BLACK, 0.35),
        "op-rim": rim(dark, _WHITE),
        "op-ink": "#fff0e6",
    }
    rules = _rule("board", on_board) + _rule("checkers", checkers)
    return f"@layer tokens {{\n{rules}}}\n"


def board_of(content: Mapping[str, object]) -> HouseBoard | None:
    """The board of a content that has all five colours; None of another one."""
    colours = [str(content[name]) for name in COLOURS if name in content]
    return HouseBoard(*colours) if len(colours) == len(COLOURS) else None


def board_key(board: HouseBoard) -> str:
    """The colours as a part of an address."""
    return "-".join(each.removeprefix("#") for each in asdict(board).values())


def scheme_on(ground: str) -> Scheme:
    """The scheme whose marks and arrows are seen better on this ground."""
    return "light" if _on_ground(ground, "light") >= _on_ground(ground, "dark") else "dark"


def rim(face: str, end: str) -> str:
    """The rim of a checker: its own colour, as near to black or white as `RIM_LEAST` needs."""
    rims = [mixed(face, end, share) for share in _RIMS]
    return next((each for each in rims if contrast(each, face) >= RIM_LEAST), end)


def _on_ground(ground: str, scheme: Scheme) -> float:
    """The lowest contrast on the field and in the trays."""
    shades = [ground, *(mixed(ground, _BLACK, share) for share in _SHADES[scheme])]
    marks = min(contrast(line, shade) for line in LINES[scheme] for shade in shades[:2])
    return min(marks, *(_seen(shade, scheme) for shade in shades))


def _on_point(colour: str, scheme: Scheme) -> float:
    return min(_seen(colour, scheme), _seen(_point_end(colour), scheme))


def _seen(ground: str, scheme: Scheme) -> float:
    """The lowest contrast of the checkers of any set, and of arrows, on this colour."""
    arrows = [(line, UNDER[scheme]) for line in LINES[scheme]]
    pairs = [*SETS[scheme], *arrows]
    return min(max(contrast(one, ground), contrast(other, ground)) for one, other in pairs)


def _point_end(colour: str) -> str:
    return mixed(colour, _BLACK, _POINT_SHADE)


def _nearest(colour: str, ratio: Callable[[str], float], least: float) -> str:
    """The colour that is lighter or darker by the fewest steps and is enough."""
    for step in range(1, _STEPS + 1):
        for end in (_BLACK, _WHITE):
            near = mixed(colour, end, step / _STEPS)
            if ratio(near) >= least:
                return near
    return ""


def _floored(ratio: float) -> float:
    return int(ratio * 100) / 100


def _rule(attribute: str, tokens: dict[str, str]) -> str:
    lines = "".join(f"    --{name}: {value};\n" for name, value in tokens.items())
    return f'  [data-{attribute}="house"]:not([data-theme="kontrast"]) {{\n{lines}  }}\n'
