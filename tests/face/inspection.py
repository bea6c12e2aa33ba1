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


#: how far things moved without anybody's doing (the measure of web.dev/articles/cls)
SHIFTS: Final = """() => new Promise(done => {
  let sum = 0;
  const seen = new PerformanceObserver(list => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value;
  });
  seen.observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum));
})"""
SHIFT_MAX: Final = 0.02


def settle(page: Any) -> None:
    """Wait until the page stands still and answers can be given."""
    page.wait_for_function(SETTLED)
    if page.locator("#actions[data-mode=decision]").count():
        page.wait_for_selector("#actions .slot-b button:visible:enabled")


def findings(page: Any, language: str) -> list[str]:
    """All that is wrong with the words and the layout, and for readers of all kinds."""
    moved = page.evaluate(SHIFTS)
    jumps = [f"jumped by {moved:.3f} while it loaded"] if moved > SHIFT_MAX else []
    found = [*jumps, *page.evaluate(LAYOUT), *foreign_words(page, language)]
    return [*found, *violations(page, *AXE)]
