"""The pages of a report: who reads it, what it shows, and what it says while there is none."""

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import msgspec
import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role
from accounts.services import preferences_save
from analysis.models import DecisionRow, Job
from analysis.pages.reported import played as played_match
from analysis.questions import worker_here
from analysis.queue import REQUESTS_MOST, enqueue_ended, waiting, work_once
from analysis.reports import report_make
from backgammon.formats.digest import match_digest
from backgammon.formats.mat import format_mat
from backgammon.formats.registry import parse_match, read_match
from games.models import Match
from games.modes.prices import Prices
from games.modes.terms import Wishes
from games.services.archive import match_record
from games.table.setup import terms_of
from harness.logins import logged_in
from harness.sitting import Sitting
from tests.analysis.test_queue import ENGINE, Bare, broken
from tests.desk.conftest import at_desk, staff
from tests.racing import racers

__all__ = ["staff"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def address(match: Match, ask: str = "") -> str:
    return f"/match/{match.pk}/analysis/{ask}"


def reader(person: User | None = None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    return logged_in(client, person) if person else client


@pytest.fixture
def report(played: Match) -> Match:
    """The match, analysed with luck."""
    report_make(played, ENGINE, "full")
    return played


def page(match: Match, person: User | None = None, ask: str = "", language: str = "en") -> str:
    answer = reader(person, language).get(address(match, ask))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("points", [5, 8])
def test_the_heading_shows_no_points_beyond_the_length_of_the_match(points: int) -> None:
    terms = terms_of(Wishes(mode="match", target_points=5), Prices())
    told = msgspec.to_builtins(terms)
    shown = {
        "match": played_match(
            Match(
                id=uuid4(),
                score=[points, 0],
                terms=told,
                ended_at=timezone.now(),
                player_0=User(username="anna"),
                player_1=User(username="bert"),
            ),
            None,
        )
    }
    assert "5 : 0" in render_to_string("analysis/report_head.html", shown)


# --- what it shows --------------------------------------------------------------------------------


def test_the_report_has_figures_chart_lists_and_a_decision(report: Match) -> None:
    shown = page(report, report.player_0)
    for text in ("magriel", "too few decisions", "How we calculate", "Without luck", "Snowie"):
        assert text in shown
    assert 'id="report-chart"' in shown
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10" in shown
    assert "bg-arrow bg-best" in shown


def test_a_decision_has_an_address_and_the_script_gets_the_piece_alone(report: Match) -> None:
    rows = DecisionRow.objects.filter(kind="play").order_by("game", "number")
    last = rows[len(rows) - 1]
    key = f"{last.game}.{last.number}"
    piece = page(report, ask=f"?d={key}&part=decision")
    assert f'data-key="{key}"' in piece
    assert "<html" not in piece
    assert f"decision {last.number}" in piece
    first = page(report, ask="?d=99.99&part=decision")
    assert 'data-key="1.1"' in first or "Error 1 of" in first


def test_every_row_of_the_plays_says_how_deep_it_was_searched(report: Match) -> None:
    rows = DecisionRow.objects.filter(kind="play").order_by("game", "number")
    mixed = next(row for row in rows if len({each["ply"] for each in row.line["options"]}) > 1)
    piece = page(report, ask=f"?d={mixed.game}.{mixed.number}&part=decision")
    table = piece.partition("report-choices")[2].partition("</table>")[0]
    depths = re.findall(r'<td class="number num muted">(\d)</td></tr>', table)
    assert [int(depth) for depth in depths] == [each["ply"] for each in mixed.line["options"]]
    assert "an equity compares only with others of the same ply" in piece


def test_the_board_stands_as_its_reader_sat_and_can_be_flipped(report: Match) -> None:
    own = page(report, report.player_0, "?d=1.1&part=decision")
    assert own.index("hilde") < own.index("magriel")
    other = page(report, report.player_1, "?d=1.1&part=decision")
    assert other.index("magriel") < other.index("hilde")
    flipped = page(report, report.player_1, "?d=1.1&part=decision&flip=1")
    assert flipped.index("hilde") < flipped.index("magriel")


def test_german_pages_are_german(report: Match) -> None:
    shown = page(report, report.player_0, language="de")
    for text in ("Ohne Glück", "zu wenige Entscheidungen", "Wie wir rechnen"):
        assert text in shown


def test_the_file_has_a_comment_beside_every_decision(report: Match) -> None:
    answer = reader().get(f"/match/{report.pk}/analysis.sgf")
    text = answer.content.decode()
    record = parse_match(text)
    comments = [action.comment for game in record.games for action in game.actions]
    assert sum("bgsage" in comment for comment in comments) == 3


def test_the_mat_file_has_them_too_and_is_read_back_as_the_match(report: Match) -> None:
    answer = reader().get(f"/match/{report.pk}/analysis.mat")
    assert '.mat"' in answer.headers["Content-Disposition"]
    text = answer.content.decode()
    assert text.count("bgsage") == DecisionRow.objects.exclude(loss=None).count() > 3
    assert parse_match(text) == parse_match(format_mat(match_record(report)))
    shown = page(report)
    for key in ("mat", "sgf", "ogxm", "post"):
        assert f"/match/{report.pk}/analysis.{key}" in shown
    assert reader().get(f"/match/{report.pk}/analysis.json").status_code == 404


def test_it_is_there_as_ogxm_and_as_text_for_a_post_with_its_errors(report: Match) -> None:
    kept = read_match(reader().get(f"/match/{report.pk}/analysis.ogxm").content)
    assert match_digest(kept) == match_digest(match_record(report))
    assert any("bgsage" in action.comment for game in kept.games for action in game.actions)
    answer = reader().get(f"/match/{report.pk}/analysis.post")
    assert answer["Content-Type"].startswith("text/plain")
    text = answer.content.decode()
    assert "Game 1, 0 – 0" in text
    errors = sum(bool(row.line["mark"]) for row in DecisionRow.objects.all())
    assert text.count("best: ") == text.count("XGID=") == errors > 0


# --- who reads it ---------------------------------------------------------------------------------


def test_a_report_is_as_public_as_its_match(report: Match, tilo: User) -> None:
    for person in (None, tilo, report.player_0, report.player_1):
        assert reader(person).get(address(report)).status_code == 200


@pytest.mark.parametrize("refuses", [0, 1])
def test_each_player_can_keep_it_to_the_players(
    report: Match, tilo: User, staff: Callable[..., User], refuses: int
) -> None:
    players = (report.player_0, report.player_1)
    preferences_save(players[refuses], reports="players")
    for person in (None, tilo):
        answer = reader(person).get(address(report))
        assert (answer.status_code, b"private" in answer.content) == (403, True)
        assert reader(person).get(address(report, "?part=decision")).status_code == 403
        assert reader(person).get(address(report, "?part=standing")).status_code == 403
        assert reader(person).get(f"/match/{report.pk}/analysis.sgf").status_code == 404
        assert reader(person).get(f"/match/{report.pk}/analysis.mat").status_code == 404
        assert reader(person).get(f"/match/{report.pk}/").status_code == 200
    for person in players:
        assert reader(person).get(address(report)).status_code == 200
    assert at_desk(staff("anna", Role.ADMINISTRATOR)).get(address(report)).status_code == 200
    assert at_desk(staff("mona", Role.MODERATOR)).get(address(report)).status_code in (200, 403)


def test_a_private_match_has_a_private_report(report: Match, tilo: User) -> None:
    Match.objects.filter(pk=report.pk).update(terms={**report.terms, "watchers": False})
    for person in (None, tilo):
        assert reader(person).get(address(report)).status_code == 403
    assert reader(report.player_1).get(address(report)).status_code == 200


def test_the_setting_stands_on_the_settings_page(report: Match) -> None:
    client = reader(report.player_0)
    assert 'name="reports"' in client.get("/settings/").content.decode()
    client.post("/settings/", {"keys": "reports", "reports": "players", "section": "privacy"})
    report.player_0.refresh_from_db()
    assert report.player_0.preferences["reports"] == "players"
    assert 'name="reports"' not in reader().get("/settings/").content.decode()


# --- while there is none --------------------------------------------------------------------------


def test_a_queued_match_says_its_place_and_that_nobody_works(played: Match) -> None:
    assert "No worker is running" in page(played)
    enqueue_ended()
    shown = page(played)
    assert "The analysis is queued" in shown
    assert "Place in the queue: 1." in shown  # that of the quick look, which comes first
    worker_here()
    assert "No worker is running" not in page(played)


@pytest.mark.django_db(transaction=True)
def test_while_it_is_analysed_page_and_script_are_told_how_far_it_is(played: Match) -> None:
    enqueue_ended()
    seen: list[tuple[str, int]] = []

    def look() -> tuple[str, int]:
        shown = page(played)
        assert "The match is being analysed." in shown
        bar = re.search(r"<progress[^>]*>", shown)
        told = reader().get(address(played, "?part=standing")).json()
        return bar[0] if bar else "no bar", told["percent"]

    with racers(1) as on_its_own:
        work_once(Bare(), lambda: seen.extend(on_its_own([look])))
    assert [bar for bar, percent in seen if f'value="{percent}"' not in bar] == []
    assert seen[-1][1] == 100


def test_the_quick_look_is_shown_until_the_full_one_is_there(played: Match) -> None:
    enqueue_ended()
    assert work_once(ENGINE)
    assert list(waiting().values_list("depth", flat=True)) == ["full", "deep"]
    shown = page(played)
    assert "first estimates" in shown
    assert "A deeper analysis is queued" not in shown
    assert work_once(ENGINE)
    shown = page(played)
    assert "first estimates" not in shown
    assert "full: 2-ply" in shown
    assert "A deeper analysis is queued" in shown
    assert 'data-standing="full"' in shown
    assert "Eine tiefere Analyse folgt" in page(played, language="de")
    told = reader().get(address(played, "?part=standing")).json()
    assert (told["depth"], told["states"][0][0]) == ("full", "done")


def test_the_report_of_every_match_ends_as_a_deep_one(played: Match) -> None:
    enqueue_ended()
    while work_once(ENGINE):
        pass
    shown = page(played, played.player_0)
    assert "deep: 2-ply, errors again at 3-ply" in shown
    assert 'data-standing=""' in shown  # nothing more is awaited
    assert "A deeper analysis is queued" not in shown
    assert "Look deeper" not in shown


def test_a_failed_analysis_is_named(played: Match) -> None:
    enqueue_ended()
    for _ in range(9):
        work_once(Bare(before=broken))
    assert "The analysis has failed" in page(played)


def test_a_match_without_an_engine_has_no_analysis(played: Match) -> None:
    Match.objects.filter(pk=played.pk).update(variant="misere")
    assert "not analysed" in page(played)


# --- asking for more ------------------------------------------------------------------------------


def test_a_player_asks_for_a_deep_look_at_an_old_match_once(report: Match, tilo: User) -> None:
    long_ago = timezone.now() - timedelta(days=200)
    Match.objects.filter(pk=report.pk).update(ended_at=long_ago)
    Job.objects.create(match=report, depth="full", done_at=timezone.now())
    client = reader(report.player_0)
    assert "Look deeper" in client.get(address(report)).content.decode()
    for _ in range(2):
        assert client.post(address(report, "ask/"), {"depth": "deep"}).status_code == 302
    job = Job.objects.get(depth="deep")
    assert job.asked_by == report.player_0
    assert "A deeper analysis is queued" in client.get(address(report)).content.decode()
    assert "Look deeper" not in reader(tilo).get(address(report)).content.decode()
    assert reader(tilo).post(address(report, "ask/"), {"depth": "deep"}).status_code == 404
    assert reader().post(address(report, "ask/"), {"depth": "deep"}).status_code == 302
    assert Job.objects.filter(depth="deep").count() == 1


def test_so_many_a_day_and_no_more(played: Match) -> None:
    player = played.player_0
    for number in range(REQUESTS_MOST):
        copy = Match.objects.get(pk=played.pk)
        copy.pk, copy.number = None, number + 2
        copy.save(force_insert=True)
        Job.objects.create(match=copy, depth="deep", asked_by=player)
    client = reader(player)
    answer = client.post(address(played, "ask/"), {"depth": "deep"}, follow=True)
    assert "ten analyses today" in answer.content.decode()
    assert not Job.objects.filter(match=played).exists()
    Job.objects.update(queued_at=timezone.now() - timedelta(days=2))
    client.post(address(played, "ask/"), {"depth": "deep"})
    assert Job.objects.filter(match=played, depth="deep").exists()


def test_an_old_match_is_analysed_for_a_player_who_asks(played: Match) -> None:
    long_ago = timezone.now() - timedelta(days=200)
    Match.objects.filter(pk=played.pk).update(ended_at=long_ago)
    assert enqueue_ended() == 0
    assert "Analyse this match" in page(played, played.player_1)
    assert "One of its players can ask" in page(played)
    reader(played.player_1).post(address(played, "ask/"), {"depth": "full"})
    assert work_once(ENGINE)
    assert 'id="report-chart"' in page(played)


def test_a_match_that_is_played_is_analysed_later(sitting: Sitting, dice: object) -> None:
    sitting.turn()
    match = Match.objects.get(table=sitting.pk)
    assert "still being played" in page(match)


def test_the_pages_of_a_match_lead_to_its_report(played: Match) -> None:
    client = reader(played.player_0)
    for path in (f"/match/{played.pk}/", "/matches/"):
        assert address(played) in client.get(path).content.decode()
