"""The looks of a page (theme, screen, language), and which of them are tested."""

import os
from dataclasses import dataclass
from typing import Any, Final

from tests.amounts import LONG

DESKTOP: Final = {"viewport": {"width": 1280, "height": 800}}
#: the smallest phone the pages promise to fit
PHONE: Final = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True}


@dataclass(frozen=True, slots=True)
class Look:
    """A theme, a screen and a language in which a page is shown."""

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


#: every theme on every screen; each screen and each theme in both languages. In each pair of the
#: list are both screens and both languages, in each half every theme, too.
LOOKS: Final = (
    Look("nussbaum", "phone", "de"),
    Look("kontrast", "desktop", "en"),
    Look("ahorn", "phone", "en"),
    Look("ahorn", "desktop", "de"),
    Look("kontrast", "phone", "de"),
    Look("nussbaum", "desktop", "en"),
)
#: in how many of them the long run tests each item, a divisor of six: PASCH_TEST_LOOKS=6 is all
LONG_LOOKS: Final = int(os.environ.get("PASCH_TEST_LOOKS", "2"))


def looks_at(number: int) -> tuple[Look, ...]:
    """The looks to test for item `number` of a list.

    The long run tests some of all in turn, the daily run one: neighbouring items cover all."""
    many = LONG_LOOKS if LONG else 1
    first = number * many % len(LOOKS)
    return LOOKS[first : first + many]


def is_in_depth(number: int, look: Look) -> bool:
    """Whether to run axe on item `number` of a list in this look.

    The long run does for every item in every second look, in turn; the daily run for every third
    item, and each look in turn."""
    if LONG:
        return (LOOKS.index(look) + number // 3) % 2 == 0
    return _shifted(number) % 3 == 0


def is_looked_at(number: int) -> bool:
    """Whether to test item `number` of many similar ones.

    The long run tests every item, the daily run every second one, and each look in turn."""
    return LONG or _shifted(number) % 2 == 0


def _shifted(number: int) -> int:
    """The number, plus one for each full round of all looks."""
    return number + number // len(LOOKS)
