"""The list of a person's decisions: what enters it, and what a filter finds in it."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from analysis.decisions.filling import decisions_list, imports_list, opinions_list, reports_list
from analysis.decisions.filters import (
    FACETS,
    OF_DECISION,
    SIZE_VALUES,
    cell_of,
    cell_values,
    filter_of,
    pace_of,
    periods_of,
)
from analysis.decisions.search import DecisionSearch
from analysis.models import (
    DecidedMatch,
    DecisionRow,
    ImportedMatch,
    MyDecision,
    Opinion,
    Transcript,
)
from analysis.reports import report_make
from backgammon.formats.record import MatchRecord
from backgammon.formats.record_json import record_to_json
from games.models import Match
from games.services.archive import match_record
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db


def brought(person: User, match: Match, *, seat: int | None) -> ImportedMatch:
    """The match as one from elsewhere, as this person brought it."""
    record: MatchRecord = match_record(match)
    transcript = Transcript.objects.create(
        digest="a" * 64,
        variant="backgammon",
        length=record.length,
        score_0=0,
        score_1=0,
        record=record_to_json(record),
    )
    return ImportedMatch.objects.create(
        person=person,
        transcript=transcript,
        name_0="Mochy",
        name_1="Falafel",
        seat=seat,
        source="galaxy",
        ended_at=datetime(2024, 5, 1, tzinfo=UTC),
    )


# --- what enters the list -------------------------------------------------------------------------


def test_a_report_lists_the_decisions_of_both_players_and_a_deeper_one_replaces_them(
    played: Match,
) -> None:
    quick = report_make(played, Bare(), "quick")
    for seat, person in enumerate((played.player_0, played.player_1)):
        listed = MyDecision.objects.filter(person=person)
        rows = DecisionRow.objects.filter(report=quick, seat=seat, loss__isnull=False)
        assert set(listed.values_list("decision", flat=True)) == set(
            rows.values_list("pk", flat=True)
        )
        match = DecidedMatch.objects.get(person=person)
        assert match.counted == rows.filter(counted=True).count()
        assert match.lost == pytest.approx(sum(row.loss or 0 for row in rows))
    first = MyDecision.objects.filter(person=played.player_0, kind="play").earliest("pk")
    assert (first.theme, first.phase, first.own_away, first.roll) == ("opening", "opening", 5, 31)
    assert first.seconds is not None
    deep = report_make(played, Bare(), "deep")
    assert set(MyDecision.objects.values_list("decision__report", flat=True)) == {deep.pk}
    report_make(played, Bare(), "full")
    assert set(MyDecision.objects.values_list("decision__report", flat=True)) == {deep.pk}


def test_what_was_reported_before_is_listed_in_portions_for_open_accounts(played: Match) -> None:
    report_make(played, Bare(), "full")
    listed = MyDecision.objects.count()
    DecidedMatch.objects.all().delete()
    assert not MyDecision.objects.exists()
    User.objects.filter(pk=played.player_1_id).update(is_active=False)
    below = reports_list(None)
    assert below is not None
    assert reports_list(below) is None
    assert set(MyDecision.objects.values_list("person", flat=True)) == {played.player_0_id}
    assert 0 < MyDecision.objects.count() < listed


def test_a_match_from_elsewhere_is_listed_for_the_seat_that_is_known(
    played: Match, tilo: User
) -> None:
    row = brought(tilo, played, seat=None)
    report = report_make(row.transcript, Bare(), "quick")
    assert not MyDecision.objects.exists()
    ImportedMatch.objects.update(seat=1)
    assert imports_list() == 1
    assert imports_list() == 0
    match = DecidedMatch.objects.get()
    assert (match.person, match.opponent, match.source) == (tilo, "Mochy", "galaxy")
    assert match.played_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert match.decisions.count() == report.rows.filter(seat=1, loss__isnull=False).count()
    ImportedMatch.objects.update(seat=0)
    imports_list()
    assert DecidedMatch.objects.get().opponent == "Falafel"
    ImportedMatch.objects.all().delete()
    assert not MyDecision.objects.exists()


def test_a_second_engine_that_sees_no_error_is_taken_over(played: Match) -> None:
    report = report_make(played, Bare(), "deep")
    listed = MyDecision.objects.filter(size__gt=0).first()
    assert listed is not None, "the players have erred"
    Opinion.objects.create(
        decision=listed.decision, engine="gnubg", version="1", ply=2, best="", loss=0.0
    )
    opinions_list(report)
    opinions_list(report)
    listed.refresh_from_db()
    assert not listed.agrees
    assert dict(zip(OF_DECISION, cell_values(listed.cell), strict=True))["engines"] == "differ"
    DecidedMatch.objects.all().delete()
    decisions_list(report)
    assert MyDecision.objects.get(decision=listed.decision).cell == listed.cell


# --- filters --------------------------------------------------------------------------------------


def values_of(row: MyDecision, now: datetime) -> dict[str, set[str]]:
    """The values of every facet of a decision, without the house's numbers for them."""
    return {
        "kind": {row.kind},
        "size": {SIZE_VALUES[row.size]},
        "theme": {row.theme},
        "phase": {row.phase},
        "score": {row.score},
        "pace": {pace_of(row.seconds)},
        "engines": {"agree" if row.agrees else "differ"},
        "exercise": {"made" if row.in_set else "not"},
        "source": {row.match.source},
        "when": set(periods_of(row.match.played_at, now)),
        "variant": {row.match.variant},
        "opponent": {row.match.opponent},
    }


@pytest.fixture
def listed(played: Match, tilo: User) -> User:
    """Four hundred decisions at random, in eight matches of tilo; and some of somebody else."""
    report = report_make(played, Bare(), "quick")
    given = Random(7)
    rows = DecisionRow.objects.bulk_create(
        DecisionRow(
            report=report,
            game=9,
            number=number,
            seat=0,
            kind="play",
            counted=True,
            loss=0,
            ply=1,
            line={},
        )
        for number in range(400)
    )
    row = brought(tilo, played, seat=0)
    matches = []
    for number in range(8):
        transcript = Transcript.objects.create(
            digest=f"{number:064}",
            variant="backgammon",
            length=5,
            score_0=0,
            score_1=0,
            record=row.transcript.record,
        )
        match = ImportedMatch.objects.create(person=tilo, transcript=transcript, seat=0)
        matches.append(
            DecidedMatch.objects.create(
                person=tilo,
                imported=match,
                report=report,
                seat=0,
                opponent=given.choice(["Ann", "Bo"]),
                source=given.choice(["galaxy", "xg"]),
                variant=given.choice(["backgammon", "nackgammon"]),
                played_at=datetime.now(UTC) - timedelta(days=60 * number),
            )
        )
    MyDecision.objects.bulk_create(_at_random(given, tilo, each, matches) for each in rows)
    return tilo


def _at_random(
    given: Random, person: User, row: DecisionRow, matches: list[DecidedMatch]
) -> MyDecision:
    def any_of(facet: str) -> str:
        return given.choice(OF_DECISION[facet])

    seconds = given.choice([None, 2, 9, 40])
    values = {each: any_of(each) for each in OF_DECISION} | {"pace": pace_of(seconds)}
    away = given.choice([(0, 0), (2, 4), (1, 1)])
    return MyDecision(
        person=person,
        match=given.choice(matches),
        decision=row,
        theme=values["theme"],
        kind=values["kind"],
        phase=values["phase"],
        score=values["score"],
        size=SIZE_VALUES.index(values["size"]),
        loss=given.randrange(300) / 1000,
        counted=True,
        own_away=away[0],
        opponent_away=away[1],
        crawford=False,
        roll=given.choice([None, 51, 66]),
        seconds=seconds,
        agrees=values["engines"] == "agree",
        in_set=values["exercise"] == "made",
        askable=True,
        cell=cell_of(values.values()),
        position=1,
    )


def asked_at_random(given: Random, rows: list[dict[str, set[str]]]) -> dict[str, list[str]]:
    """A filter with some values of some facets that there are."""
    found: dict[str, list[str]] = {"sort": [given.choice(["costliest", "newest", "theme"])]}
    for facet in given.sample(FACETS, given.randrange(4)):
        some = sorted(set().union(*(row[facet] for row in rows)) - {""})
        found[facet] = given.sample(some, min(len(some), 1 + given.randrange(3)))
    if given.random() < 0.2:
        found["roll"] = ["15"]
    if given.random() < 0.2:
        found["away"] = ["2-4"]
    return found


@pytest.mark.slow
def test_counts_sums_and_rows_are_those_of_a_plain_look_at_every_decision(listed: User) -> None:
    now, given = timezone.now(), Random(3)
    rows = list(MyDecision.objects.filter(person=listed).select_related("match", "decision"))
    facets = [values_of(row, now) for row in rows]
    for _ in range(60):
        asked = asked_at_random(given, facets)
        search = DecisionSearch(listed, filter_of(asked), now)
        base = [
            (row, values)
            for row, values in zip(rows, facets, strict=True)
            if ("roll" not in asked or row.roll == 51)
            and ("away" not in asked or (row.own_away, row.opponent_away) == (2, 4))
        ]

        def passes(values: dict[str, set[str]], besides: str, asked: Any = asked) -> bool:
            return all(
                name == besides or name not in asked or values[name] & set(asked[name])
                for name in FACETS
            )

        found = [row for row, values in base if passes(values, "")]
        assert search.decisions == len(found), asked
        assert search.lost == pytest.approx(sum(row.loss for row in found))
        for facet in FACETS:
            plain = Counter(
                value for _row, values in base if passes(values, facet) for value in values[facet]
            )
            assert search.counts(facet) == plain, (facet, asked)
        assert [row.pk for row in search.rows(0, 500)] == in_order(found, asked["sort"][0])
        assert [row.pk for row in search.rows(30, 20)] == in_order(found, asked["sort"][0])[30:50]


def in_order(rows: list[MyDecision], sort: str) -> list[int]:
    themes = OF_DECISION["theme"]
    if sort == "newest":
        keyed = sorted(rows, key=lambda row: (row.decision.game, row.decision.number))
        keyed.sort(key=lambda row: (row.match.played_at, row.match_id), reverse=True)
    elif sort == "theme":
        keyed = sorted(rows, key=lambda row: (themes.index(row.theme), -row.loss, row.pk))
    else:
        keyed = sorted(rows, key=lambda row: (-row.loss, row.pk))
    return [row.pk for row in keyed]


def test_an_address_is_read_and_written_back_and_nonsense_is_left_out() -> None:
    asked = {
        "size": ["blunder", "huge"],
        "when": ["2024", "12m", "yesterday"],
        "opponent": ["Ann", "\x00"],
        "roll": ["15"],
        "away": ["2-4"],
        "list": ["7"],
        "sort": ["newest", "oldest"],
        "noted": ["1"],
    }
    wanted = filter_of(asked)
    assert wanted.pairs() == [
        ("size", "blunder"),
        ("when", "12m"),
        ("when", "2024"),
        ("opponent", "Ann"),
        ("roll", "51"),
        ("away", "2-4"),
        ("noted", "1"),
        ("sort", "newest"),
    ]
    assert wanted.listed is None
    read = {text: filter_of({"away": [text]}).away for text in ("2-", "-04", "-", "a-1", "2")}
    assert read == {"2-": "2-", "-04": "-4", "-": "", "a-1": "", "2": ""}
    again: dict[str, list[str]] = {}
    for name, value in wanted.pairs():
        again.setdefault(name, []).append(value)
    assert filter_of(again) == wanted
    assert wanted.toggled("size", "blunder").chosen("size") == frozenset()
