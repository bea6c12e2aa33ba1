"""The accent of the pages in a colour of the house's own, and whether everybody can read it.

Pure. A colour is written `#rrggbb`. Contrast is that of WCAG 2: from 1 to 21, and at least
`LEAST` between text and what it stands on (level AA).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Scheme = Literal["light", "dark"]

LEAST: Final = 4.5

GROUNDS: Final[dict[Scheme, tuple[str, ...]]] = {
    "light": ("#f3ede2", "#fbf7ef", "#fffdf8", "#f6efe2"),
    "dark": ("#15110e", "#1c1713", "#211b16", "#2a221c"),
}
"""`--bg`, `--bg-2`, `--panel` and `--panel-2` of static/css/tokens.css: text in the accent stands
on each of them."""

INKS: Final = ("#fff8ec", "#231705")
"""The texts of buttons in the accent: `--accent-ink`, light and dark."""

ACCENTS: Final[dict[Scheme, str]] = {"light": "#8a4b12", "dark": "#e6b450"}
"""`--accent` of a house that has chosen none."""

_SOFT: Final[dict[Scheme, str]] = {"light": "1c", "dark": "26"}
_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class Pale:
    """A colour that not everybody can read: its lowest contrast, and one near it that is enough."""

    ratio: float
    instead: str


def contrast(one: str, other: str) -> float:
    """The contrast of two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, end: str, share: float) -> str:
    """A colour with this share of another one in it, from 0 to 1."""
    pairs = zip(_parts(colour), _parts(end), strict=True)
    return "#" + "".join(f"{round(one + (other - one) * share):02x}" for one, other in pairs)


def ink_on(accent: str) -> str:
    """The text on a button of this colour: the one of `INKS` that is easier to read."""
    return max(INKS, key=lambda ink: contrast(ink, accent))


def lowest(accent: str, scheme: Scheme) -> float:
    """The lowest contrast of this accent on the pages of a scheme, and under its buttons' text."""
    return min(
        *(contrast(accent, ground) for ground in GROUNDS[scheme]), contrast(ink_on(accent), accent)
    )


def pale(accent: str, scheme: Scheme) -> Pale | None:
    """Why this accent cannot be read by everybody; None where it can."""
    ratio = lowest(accent, scheme)
    if ratio >= LEAST:
        return None
    readable = (each for each in _stronger(accent, scheme) if lowest(each, scheme) >= LEAST)
    return Pale(int(ratio * 100) / 100, next(readable, ACCENTS[scheme]))


def style(light: str, dark: str) -> str:
    """The style sheet of these accents; the theme of high contrast keeps its own."""
    soft = f"light-dark({light}{_SOFT['light']}, {dark}{_SOFT['dark']})"
    return (
        '@layer tokens {\n  :root:not([data-theme="kontrast"]) {\n'
        f"    --accent: light-dark({light}, {dark});\n"
        f"    --accent-ink: light-dark({ink_on(light)}, {ink_on(dark)});\n"
        f"    --accent-soft: {soft};\n"
        f"    --brand-a: light-dark({light}, {dark});\n"
        "  }\n}\n"
    )


def _stronger(accent: str, scheme: Scheme) -> Iterator[str]:
    """The colour step by step nearer to black on light pages, to white on dark ones."""
    end = "#000000" if scheme == "light" else "#ffffff"
    for step in range(1, _STEPS + 1):
        yield mixed(accent, end, step / _STEPS)


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def luminance(colour: str) -> float:
    """The relative luminance of a colour, from 0 to 1."""
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
