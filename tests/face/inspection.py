"""What can be wrong with a page that is shown: read from the page itself, one line for each."""

from pathlib import Path
from typing import Any, Final

from tests.axe import violations
from tests.face.words import foreign_words

AXE: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")

#: nothing moves any more and every font is there
SETTLED: Final = """() => document.fonts.status === 'loaded'
  && document.getAnimations().every(each => each.playState !== 'running'
       || each.effect.getComputedTiming().iterations === Infinity)"""

LAYOUT: Final = Path(__file__).with_name("layout.js").read_text(encoding="utf-8")


def settle(page: Any) -> None:
    """Wait until the page stands still and answers can be given."""
    page.wait_for_function(SETTLED)
    if page.locator("#actions[data-mode=decision]").count():
        page.wait_for_selector("#actions .slot-b button:visible:enabled")


def findings(page: Any, language: str) -> list[str]:
    """All that is wrong with the words and the layout, and for readers of all kinds."""
    return [*glance(page, language), *violations(page, *AXE)]


def glance(page: Any, language: str) -> list[str]:
    """What is wrong with the words and the layout: a twentieth of the time of all findings."""
    return [*page.evaluate(LAYOUT), *foreign_words(page, language)]
