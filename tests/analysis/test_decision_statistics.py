"""Statistics of decisions: sums against a plain look, cells that lead to them, and two players."""

import re
from collections import defaultdict
from html import unescape
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from analysis.comparing import player_compared
from analysis.decisions.filling import imports_list
from analysis.decisions.filters import filter_of, periods_of
from analysis.decisions.search import DecisionSearch
from analysis.decisions.statistics import BYS, By, DecisionRate, Over, statistics_of
from analysis.models import MyDecision
from analysis.reports import report_make
from backgammon.counting.figures import PR_SCALE
from games.models import Match, PlayerMatch
from harness.logins import logged_in
from tests.analysis.test_decisions import brought, listed
from tests.analysis.test_queue import ENGINE, Bare
from tests.api.conftest import Program

__all__ = ["listed"]

pytestmark = pytest.mark.django_db


def keys_of(row: MyDecision, by: By, over: Over) -> tuple[str, str]:
    if by == "away":
        return str(row.own_away), str(row.opponent_away)
    year, quarter, *_rest = periods_of(row.match.played_at, timezone.now())
    return getattr(row, by), {"": "", "year": year, "quarter": quarter}[over]


@pytest.mark.parametrize("by", BYS)
@pytest.mark.parametrize("over", ["", "year", "quarter"])
def test_the_sums_are_those_of_a_plain_look_at_every_decision(
    listed: User, by: By, over: Over
) -> None:
    plain: dict[tuple[str, str], list[MyDecision]] = defaultdict(list)
    for row in MyDecision.objects.filter(person=listed).select_related("match"):
        plain[keys_of(row, by, over)].append(row)
    found = statistics_of(MyDecision.objects.filter(person=listed), by, over)
    cells = {
        (row.value, column): rate
        for row in found.rows
        for column, rate in (row.parts or {"": row.total}).items()
    }
    assert set(cells) == set(plain)
    for key, rows in plain.items():
        check(cells[key], rows)
    check(found.total, [row for rows in plain.values() for row in rows])


def check(rate: DecisionRate, rows: list[MyDecision]) -> None:
    assert rate.decisions == len(rows)
    assert rate.errors == sum(row.size > 0 for row in rows)
    assert rate.blunders == sum(row.size == 3 for row in rows)
    counted = sum(row.counted for row in rows)
    assert rate.rate.counted == counted
    assert rate.rate.pr == pytest.approx(PR_SCALE * sum(row.loss for row in rows) / counted)


def page(client: Client, name: str, ask: str = "") -> str:
    answer = client.get(f"{reverse(name)}{ask}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def english(person: User) -> Client:
    return logged_in(Client(headers={"accept-language": "en"}), person)


@pytest.mark.parametrize(
    "ask",
    [
        "",
        "?by=phase&over=quarter&figure=decisions",
        "?by=away&figure=decisions",
        "?by=score&order=-pr",
        "?theme=race&over=year&figure=blunders",
    ],
)
def test_each_cell_leads_to_as_many_decisions_as_it_has(listed: User, ask: str) -> None:
    client = english(listed)
    shown = client.get(f"{reverse('decisions_statistics')}{ask}").context
    figures = ["pr", "errors", "blunders", "decisions"]
    for row in shown["rows"]:
        for place, cell in enumerate(row["cells"]):
            figure = shown["asked"].figure if shown["split"] else figures[place]
            if cell is None or figure not in ("blunders", "decisions"):
                continue
            wanted = filter_of(dict(QueryDict(cell.href.partition("?")[2]).lists()))
            search = DecisionSearch(listed, wanted, timezone.now())
            assert search.decisions == int(cell.text), (row["name"], cell.href)


def test_tables_are_sorted_by_a_column_in_both_directions(listed: User) -> None:
    client = english(listed)

    def prs(order: str) -> list[float]:
        rows = client.get(f"{reverse('decisions_statistics')}?order={order}").context["rows"]
        return [float(row["cells"][0].text) for row in rows]

    assert prs("pr") == sorted(prs(""), reverse=True)
    assert prs("-pr") == sorted(prs(""))
    assert 'aria-sort="ascending"' in page(client, "decisions_statistics", "?order=-pr")


def test_variants_are_not_mixed_and_few_decisions_are_grey(listed: User) -> None:
    client = english(listed)
    counts = {
        variant: MyDecision.objects.filter(person=listed, match__variant=variant).count()
        for variant in ("backgammon", "nackgammon")
    }
    for variant, count in counts.items():
        shown = client.get(f"{reverse('decisions_statistics')}?variant={variant}").context
        assert shown["total"]["cells"][3].text == str(count)
    assert 'data-look="few"' in page(client, "decisions_statistics", "?over=quarter")


def test_a_reader_without_decisions_is_told_where_they_come_from(magriel: User) -> None:
    assert "No decisions yet" in page(english(magriel), "decisions_statistics")
    assert "No decisions yet" in page(english(magriel), "decisions_compare", "?two=hilde")


# --- two players ----------------------------------------------------------------------------------


def test_an_opponent_is_compared_over_matches_that_the_reader_may_open(
    played: Match, magriel: User, hilde: User, tilo: User
) -> None:
    report_make(played, Bare(), "full")
    me = player_compared(magriel, "", "backgammon")
    other = player_compared(magriel, "hilde", "backgammon")
    assert me is not None
    assert other is not None
    theirs = MyDecision.objects.filter(person=hilde, counted=True)
    assert other.rate.counted == theirs.count() == sum(r.counted for r in other.phases.values())
    assert [each.decision.pk for each in other.errors] == list(
        theirs.filter(loss__gte=0.04).order_by("-loss", "pk").values_list("decision", flat=True)[:6]
    )
    PlayerMatch.objects.filter(match=played).update(is_open=False)
    hidden = player_compared(tilo, "hilde", "backgammon")
    assert hidden is not None
    assert (hidden.matches, hidden.rate.counted, hidden.errors) == (0, 0, ())


def test_a_name_in_the_files_has_the_other_seat_of_the_readers_matches(
    played: Match, tilo: User, magriel: User
) -> None:
    row = brought(tilo, played, seat=0)
    report = report_make(row.transcript, ENGINE, "full")
    imports_list()
    found = player_compared(tilo, "Falafel", "backgammon")
    assert found is not None
    rows = report.rows.filter(seat=1, counted=True)
    assert found.rate.counted == rows.count()
    assert sum(rate.counted for rate in found.phases.values()) == rows.count()
    assert found.rate.lost == pytest.approx(
        sum(each.loss or 0 for each in report.rows.filter(seat=1))
    )
    assert player_compared(magriel, "Falafel", "backgammon") is None


def test_the_page_compares_and_links_errors_that_can_be_opened(
    played: Match, magriel: User
) -> None:
    report_make(played, Bare(), "full")
    client = english(magriel)
    shown = page(client, "decisions_compare", "?two=hilde")
    assert "Costliest errors of hilde" in shown
    links = set(re.findall(r'href="(/match/[^"]+\?d=[^"]+)"', shown))
    assert links
    assert {client.get(link).status_code for link in links} == {200}
    assert "no account has this name" in page(client, "decisions_compare", "?two=nobody-here")
    assert 'value="hilde"' in page(client, "decisions_compare")


# --- for programs ---------------------------------------------------------------------------------


def test_a_program_reads_the_statistics_of_its_owner(listed: User) -> None:
    ask = "decisions/statistics/?by=phase&over=year&variant=backgammon&kind=play,take"
    told: dict[str, Any] = Program(listed).get(ask).json()
    mine = MyDecision.objects.filter(
        person=listed, match__variant="backgammon", kind__in=("play", "take")
    )
    assert told["total"]["decisions"] == mine.count()
    for row in told["rows"]:
        of_phase = mine.filter(phase=row["value"])
        assert row["total"]["blunder_count"] == of_phase.filter(size=3).count()
        for part in row["parts"]:
            year = of_phase.filter(match__played_at__year=part["column"])
            assert part["rate"]["decisions"] == year.count()
    other = Program(User.objects.create_user("newcomer"))
    assert other.get("decisions/statistics/").json()["rows"] == []
    assert other.get("decisions/statistics/?by=luck").status_code == 400
