"""Finds faults of a page as it is displayed: one line for each fault."""

from pathlib import Path
from typing import Any, Final

from tests.axe import violations
from tests.face.words import foreign_words

AXE: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

#: no animation runs and every font is loaded
SETTLED: Final = """() => document.fonts.status === 'loaded'
  && document.getAnimations().every(each => each.playState !== 'running'
       || each.effect.getComputedTiming().iterations === Infinity)"""

LAYOUT: Final = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


#: the screens on which each look is also measured; the look's own is the narrowest of its kind
SIZES: Final = {
    "phone": ((390, 844), (844, 390)),
    "desktop": ((768, 1024), (1366, 768), (1920, 1080)),
}
#: two frames later everything has been laid out for the new size
DRAWN: Final = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def settle(page: Any) -> None:
    """Wait until the page is at rest and its buttons are enabled."""
    page.wait_for_function(SETTLED)
    if page.locator("#actions[data-mode=decision]").count():
        page.wait_for_selector("#actions .slot-b button:visible:enabled")


def findings(page: Any, language: str) -> list[str]:
    """All faults of the words, the layout and the accessibility."""
    return [*glance(page, language), *violations(page, *AXE)]


def glance(page: Any, language: str) -> list[str]:
    """The faults of the words and the layout, in a twentieth of the time of all findings."""
    return [*page.evaluate(LAYOUT), *foreign_words(page, language)]


def at_every_size(page: Any, screen: str) -> list[str]:
    """The faults of the layout on every other screen of this kind."""
    former, found = page.viewport_size, []
    for width, height in SIZES[screen]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        settle(page)
        found += [f"{width}×{height}: {line}" for line in page.evaluate(LAYOUT)]
    page.set_viewport_size(former)
    return found
