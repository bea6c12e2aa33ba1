"""Runs axe-core on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

#: one line for each broken rule: sending all findings of axe takes longer than finding them
RUN = """options => axe.run(options).then(
  found => found.violations.map(each => [each.id, each.nodes[0].html]))"""


def violations(page: Any, *tags: str) -> list[str]:
    """A line for each broken rule with the first element it is about; `tags` choose the rules.

    Only violations are computed, without the selectors that lead to them: that takes half the
    time, and the rest is not used.
    """
    # Read ahead, axe copies imported style sheets into the page, which the policy forbids; only its
    # rule about a page that turns by itself needs them (tests/face/test_rules_of_the_face.py).
    options: dict[str, Any] = {
        "reporter": "no-passes",
        "resultTypes": ["violations"],
        "selectors": False,
        "preload": False,
    }
    if tags:
        options["runOnly"] = list(tags)
    page.evaluate(Axe().axe_script)
    found = page.evaluate(RUN, options)
    return [f"{page.url}: {rule}: {html[:120]}" for rule, html in found]
