"""Filtering the decisions of one person: `python -m bench.decisions [--decisions 100000]`.

So many decisions are stored at random in a house of its own, in matches of about a hundred. For
each filter the page's whole search is timed: the counts of all facets, the sums, and the first 24
decisions in their order; then statistics, and PR over the years. Printed are the median and the
fastest of some tries (other programs make none of them faster), the milliseconds of the process's
own work in it, and the limit, which holds for the median. --short stores 2,000 decisions and has no
limit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

from harness.servers import house_opened

LIMIT_MS: Final = 100
A_MATCH: Final = 100
SHOWN: Final = 24

FILTERS: Final[dict[str, dict[str, list[str]]]] = {
    "all": {},
    "errors": {"size": ["blunder", "error"]},
    "errors of a theme": {"size": ["blunder", "error"], "theme": ["hitting", "priming"]},
    "newest": {"sort": ["newest"]},
    "by theme": {"sort": ["theme"]},
    "a year": {"when": ["2025"]},
    "2-away, 5-1": {"away": ["2-4"], "roll": ["51"]},
    "an opponent": {"opponent": ["opponent 7"], "sort": ["newest"]},
}

#: rows and columns of the statistics, of all decisions and of some.
STATISTICS: Final[dict[str, tuple[str, str, dict[str, list[str]]]]] = {
    "statistics": ("theme", "", {}),
    "themes by quarter": ("theme", "quarter", {}),
    "points needed": ("away", "", {}),
    "of plays, a source": ("phase", "year", {"kind": ["play"], "source": ["xg"]}),
}

_FILL: Final = """
INSERT INTO analysis_decisionrow
    (report_id, game, number, seat, kind, counted, loss, ply, line)
SELECT %(report)s, 1 + n / 30000, n %% 30000, 0, 'play', true, 0, 2, '{}'
FROM generate_series(1, %(decisions)s) AS n
"""

_DECIDED: Final = """
INSERT INTO analysis_mydecision
    (person_id, match_id, decision_id, theme, kind, phase, score, size, loss, counted, own_away,
     opponent_away, crawford, roll, seconds, agrees, in_set, askable, position, cell)
SELECT %(person)s, m.pk, d.id, d.theme,
    CASE d.theme WHEN 'double' THEN 'double' WHEN 'take' THEN 'take' ELSE 'play' END,
    CASE WHEN d.theme IN ('opening', 'race', 'off') THEN d.theme
         WHEN d.theme = 'double' THEN (ARRAY['opening','contact','race','off'])[1 + d.dice %% 4]
         ELSE 'contact' END,
    (ARRAY['money','behind','level','ahead','two','dmp','crawford','post'])[1 + d.at],
    CASE WHEN d.loss < 0.02 THEN 0 WHEN d.loss < 0.04 THEN 1 WHEN d.loss < 0.08 THEN 2 ELSE 3 END,
    d.loss, d.loss > 0.001 OR d.dice < 18, (ARRAY[0,5,4,2,2,1,3,3])[1 + d.at],
    (ARRAY[0,3,4,4,2,1,1,1])[1 + d.at], d.at = 6,
    CASE WHEN d.theme IN ('double', 'take') THEN NULL ELSE 11 + 10 * (d.dice %% 6) END,
    CASE WHEN d.theme IN ('double', 'take') THEN NULL ELSE d.dice END,
    d.loss < 0.02 OR d.dice > 2, d.loss > 0.04 AND d.dice < 5, true, floor(1e15 * random()), 0
FROM (
    SELECT id, row_number() OVER (ORDER BY id) AS n, floor(30 * random())::int AS dice,
        (ARRAY['middle','middle','hitting','holding','priming','opening','bar','race','off','off',
               'double','double','double','take'])[1 + floor(14 * random())] AS theme,
        0.4 * power(random(), 6) AS loss, floor(8 * random() * random())::int AS at
    FROM analysis_decisionrow
) AS d
JOIN (SELECT id AS pk, row_number() OVER (ORDER BY id) AS n FROM analysis_decidedmatch) AS m
    ON m.n = 1 + (d.n - 1) / %(a_match)s
"""

#: the number of each combination of values, from the code that the house stores them with.
_CELLS: Final = """
UPDATE analysis_mydecision d SET cell = (c.v->>1)::int
FROM jsonb_array_elements(%s) AS c (v)
WHERE c.v->>0 = concat_ws(' ', kind, size, theme, phase, score, CASE
    WHEN seconds IS NULL THEN '-' WHEN seconds <= 5 THEN 'quick' WHEN seconds <= 15 THEN 'medium'
    ELSE 'slow' END, agrees, in_set)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 if a median is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--tries", type=int, default=15)
    parser.add_argument("--short", action="store_true", help="few decisions, no limit")
    parser.add_argument("--json", action="store_true", help="one object, milliseconds a filter")
    chosen = parser.parse_args(arguments)
    if chosen.short:
        chosen.decisions, chosen.tries = 2_000, 3
    with house_opened():
        filled_in = filled(chosen.decisions)
        found = {
            name: timed(partial(searched, filled_in, asked), chosen.tries)
            for name, asked in FILTERS.items()
        }
        found |= {
            name: timed(partial(summed, filled_in, *asked), chosen.tries)
            for name, asked in STATISTICS.items()
        }
        found["PR over the years"] = timed(partial(drawn, filled_in), chosen.tries)
    if chosen.json:
        print(json.dumps(found))
    else:
        print(f"{chosen.decisions} decisions of one person, {chosen.tries} tries each")
        for name, (middle, fastest, own) in found.items():
            print(f"  {name:20} {middle:6.1f} ms, fastest {fastest:6.1f}, own work {own:5.1f}")
        print(f"limit: {LIMIT_MS} ms")
    slowest = max(middle for middle, _fastest, _own in found.values())
    return int(slowest > LIMIT_MS and not chosen.short)


def filled(decisions: int) -> Any:
    """Store so many decisions of a person, at random but the same each time."""
    from datetime import UTC, datetime, timedelta

    from django.db import connection

    from accounts.models import User
    from analysis.models import DecidedMatch, ImportedMatch, Report, Transcript

    person = User.objects.create_user("reader")
    matches = -(-decisions // A_MATCH)
    transcripts = Transcript.objects.bulk_create(
        Transcript(
            digest=f"{n:064x}", variant="backgammon", length=5, score_0=5, score_1=0, record={}
        )
        for n in range(matches)
    )
    brought = ImportedMatch.objects.bulk_create(
        ImportedMatch(person=person, transcript=each, name_0="reader", name_1="x", seat=0)
        for each in transcripts
    )
    report = Report.objects.create(
        transcript=transcripts[0], engine="bench", version="1", depth="deep", figures=[{}, {}]
    )
    first = datetime(2026, 11, 28, tzinfo=UTC)
    DecidedMatch.objects.bulk_create(
        DecidedMatch(
            person=person,
            imported=each,
            report=report,
            seat=0,
            opponent=f"opponent {n % 60}",
            source=("galaxy", "heroes", "xg", "fibs")[n % 4],
            variant="backgammon",
            played_at=first - timedelta(days=3 * n),
            counted=70,
            lost=2.1,
        )
        for n, each in enumerate(brought)
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT setseed(0.5)")
        cursor.execute(_FILL, {"report": report.pk, "decisions": decisions})
        cursor.execute(_DECIDED, {"person": person.pk, "a_match": A_MATCH})
        cursor.execute(_CELLS, [cell_codes()])
        cursor.execute("VACUUM ANALYZE analysis_mydecision")
    return person


def cell_codes() -> Any:
    """Every combination of values as the database writes it, with its number."""
    from itertools import product

    from django.db.backends.postgresql.psycopg_any import Jsonb

    from analysis.decisions.filters import OF_DECISION, SIZE_VALUES, cell_of

    codes = {"agree": "t", "not": "f", "differ": "f", "made": "t", "": "-"}
    codes |= {value: str(place) for place, value in enumerate(SIZE_VALUES)}
    facets = [("", *each) if name == "pace" else each for name, each in OF_DECISION.items()]
    return Jsonb(
        [
            [" ".join(codes.get(value, value) for value in values), cell_of(values)]
            for values in product(*facets)
        ]
    )


def timed(ask: Callable[[], None], tries: int) -> tuple[float, ...]:
    """The median and the fastest of some tries, and the process's own work, in milliseconds."""
    found, work = [], []
    for _ in range(tries):
        began = process_time()
        begun = perf_counter()
        ask()
        found.append(1000 * (perf_counter() - begun))
        work.append(1000 * (process_time() - began))
    return round(median(found), 1), round(min(found), 1), round(median(work), 1)


def searched(person: Any, asked: dict[str, list[str]]) -> None:
    """Find what the page of decisions shows."""
    from django.utils import timezone

    from analysis.decisions.filters import FACETS, filter_of
    from analysis.decisions.search import DecisionSearch

    search = DecisionSearch(person, filter_of(asked), timezone.now())
    _ = [search.counts(facet) for facet in FACETS]
    _ = (search.decisions, search.lost, search.pr)
    _ = search.rows(0, SHOWN)


def summed(person: Any, by: Any, over: Any, asked: dict[str, list[str]]) -> None:
    """Sum up what the page of statistics shows."""
    from django.utils import timezone

    from analysis.decisions.curve import curve_variants
    from analysis.decisions.filters import filter_of
    from analysis.decisions.search import DecisionSearch
    from analysis.decisions.statistics import statistics_of

    curve_variants(person)
    search = DecisionSearch(person, filter_of(asked), timezone.now())
    statistics_of(search.queryset(), by, over)


def drawn(person: Any) -> None:
    """Draw PR over the years, of all matches."""
    from analysis.pages.decision_curve import curve_shown

    curve_shown(person, {}, None)


if __name__ == "__main__":
    sys.exit(main())
