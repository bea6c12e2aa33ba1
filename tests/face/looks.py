"""The looks of a page (theme, screen, language), and which of them are tested."""

import os
from dataclasses import dataclass
from typing import Any, Final

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
#: in how many of them each page and each state is tested, a divisor of six
MANY: Final = int(os.environ.get("PASCH_TEST_LOOKS", "1"))


def looks_at(number: int) -> tuple[Look, ...]:
    """Return the looks to test for item `number` of a list: neighbouring items cover all."""
    first = number * MANY % len(LOOKS)
    return LOOKS[first : first + MANY]


def is_in_depth(number: int, look: Look) -> bool:
    """Return True if axe runs on item `number` of a list in this look: on every second one."""
    return (LOOKS.index(look) + number * MANY // len(LOOKS)) % 2 == 0
