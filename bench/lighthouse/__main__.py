"""Lighthouse's scores of the pages on a phone: `python -m bench.lighthouse [--short]`.

A house of its own is furnished as the tests furnish theirs and served as on the internet: minified
files, compressed with Brotli, and compressed pages from the real web server. Each page is opened
three times by a browser that keeps nothing, on a simulated slow phone. The performance shown is the
median, everything else the worst of the runs. The exit status is 1 if a page breaks a limit.

`--short` opens two pages once each. It does not judge the performance: one run on a busy machine
says nothing about it.
"""

import argparse
import sys
from statistics import median
from typing import Final

from bench.lighthouse.house import Page, opened
from bench.lighthouse.program import CATEGORIES, Browser, Report, Unavailable, browser, install

SCORES_MIN: Final = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
#: how far things may move by themselves (the measure of web.dev/articles/cls)
SHIFT_MAX: Final = 0.02
#: what a first visit may transfer, fonts not counted
BYTES_MAX: Final = 150_000
RUNS: Final = 3
SHORT: Final = ("welcome", "table")
HEAD: Final = (
    "page      perf. access. pract. SEO   shift  requests  kB sent  without fonts  script ms"
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each page is opened")
    parser.add_argument("--page", help="only this page, by the name in the table")
    parser.add_argument("--short", action="store_true", help="two pages, once each")
    chosen = parser.parse_args()
    try:
        program = install()
    except Unavailable as why:
        print(f"Nothing was measured. {why}")
        return 1
    judged = {**SCORES_MIN, "performance": 0} if chosen.short else SCORES_MIN
    broken = []
    with opened() as (address, pages, cookie), browser(program, address) as reader:
        print(HEAD, flush=True)
        for page in wanted(pages, chosen.page, short=chosen.short):
            reports = measured(reader, page, cookie, 1 if chosen.short else chosen.runs)
            print(line(page, reports), flush=True)
            broken += [f"{page.name}: {what}" for what in limits_broken(reports, judged)]
    print("\n".join(broken) if broken else "All limits are kept.")
    return 1 if broken else 0


def wanted(pages: list[Page], name: str | None, *, short: bool) -> list[Page]:
    """The pages to open."""
    names = SHORT if short else [page.name for page in pages]
    return [page for page in pages if page.name in names and name in (None, page.name)]


def measured(reader: Browser, page: Page, cookie: dict[str, str], runs: int) -> list[Report]:
    """The reports of a page. It is opened once before, so that its templates are compiled."""
    reader.log_in(cookie if page.logged_in else None)
    reader.warm(page.path)
    return [reader.measure(page.path) for _ in range(runs)]


def line(page: Page, reports: list[Report]) -> str:
    """A page's line of the table."""
    told = scores(reports)
    return (
        f"{page.name:<10}{told['performance']:5}{told['accessibility']:8}{told['best-practices']:7}"
        f"{told['seo']:4}{max(each.shift for each in reports):8.3f}"
        f"{max(each.requests for each in reports):10}"
        f"{max(each.sent_bytes for each in reports) / 1000:9.1f}"
        f"{max(each.sent_bytes - each.font_bytes for each in reports) / 1000:15.1f}"
        f"{median(each.script_ms for each in reports):11.0f}"
    )


def scores(reports: list[Report]) -> dict[str, int]:
    """The median of the performance, the lowest of every other score."""
    told = {key: min(each.scores[key] for each in reports) for key in CATEGORIES}
    return {**told, "performance": round(median(each.scores["performance"] for each in reports))}


def limits_broken(reports: list[Report], least: dict[str, int]) -> list[str]:
    """A sentence for each limit that these runs break, and what Lighthouse found."""
    told = scores(reports)
    broken = [
        f"{key} {told[key]} is below {limit}: {found(reports, key)}"
        for key, limit in least.items()
        if told[key] < limit
    ]
    shift = max(each.shift for each in reports)
    if shift > SHIFT_MAX:
        broken.append(f"the layout shifts by {shift:.3f}, more than {SHIFT_MAX}")
    sent = max(each.sent_bytes - each.font_bytes for each in reports)
    if sent > BYTES_MAX:
        broken.append(f"{sent} bytes without the fonts are more than {BYTES_MAX}")
    return broken


def found(reports: list[Report], category: str) -> str:
    """The findings of a category in any run."""
    return "; ".join(sorted({what for each in reports for what in each.found[category]}))


if __name__ == "__main__":
    sys.exit(main())
