"""How a page may look: a theme, a screen and a language; and which of them are tried."""

from dataclasses import dataclass
from typing import Any, Final

from tests.amounts import LONG

DESKTOP: Final = {"viewport": {"width": 1280, "height": 800}}
#: the smallest phone the pages promise to fit
PHONE: Final = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}


@dataclass(frozen=True, slots=True)
class Look:
    """One way to look at a page."""

    theme: str
    screen: str
    language: str

    @property
    def context(self) -> dict[str, Any]:
        """The options of the browser's context."""
        screen = PHONE if self.screen == "phone" else DESKTOP
        return {**screen, "locale": {"de": "de-DE", "en": "en-GB"}[self.language]}

    def __str__(self) -> str:
        return f"{self.theme}-{self.screen}-{self.language}"


#: every theme on every screen; each screen and each theme in both languages
LOOKS: Final = (
    Look("nussbaum", "phone", "de"),
    Look("ahorn", "desktop", "de"),
    Look("kontrast", "phone", "de"),
    Look("nussbaum", "desktop", "en"),
    Look("ahorn", "phone", "en"),
    Look("kontrast", "desktop", "en"),
)


def looks_at(number: int) -> tuple[Look, ...]:
    """The looks in which the `number`th thing of a list is looked at: all in the long run, else
    one, in turn, so that neighbours in the list share all of them."""
    return LOOKS if LONG else (LOOKS[number % len(LOOKS)],)


def is_in_depth(number: int) -> bool:
    """Whether axe is asked about the `number`th thing of a list: about each in the long run, else
    about each third, such that every look has its turn."""
    return LONG or _shifted(number) % 3 == 0


def is_looked_at(number: int) -> bool:
    """Whether the `number`th of many things that are much alike is looked at: each in the long run,
    else each second, such that every look has its turn."""
    return LONG or _shifted(number) % 2 == 0


def _shifted(number: int) -> int:
    """Counts on, and by one more after each round of all looks."""
    return number + number // len(LOOKS)
