"""What axe-core finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe


def violations(page: Any, *tags: str) -> list[str]:
    """A line for each broken rule with the first element it is about; `tags` choose the rules.

    Only violations are worked out in full: that halves the time, and nobody reads the rest.
    """
    # Read ahead, axe copies imported style sheets into the page, which the policy forbids; only its
    # rule about a page that turns by itself wants them (tests/face/test_rules_of_the_face.py).
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if tags:
        options["runOnly"] = list(tags)
    found = Axe().run(page, options=options).response["violations"]
    return [f"{page.url}: {each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]
