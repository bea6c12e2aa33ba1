"""The archive's pages: the list of one's own matches, one match, and the files of both."""

import io
import re
import zipfile

import pytest
from django.test import Client
from playwright.sync_api import expect

from backgammon.formats.record import Ending
from backgammon.formats.registry import WRITTEN, read_match
from games.services.archive import ARCHIVE, halves_of, match_events, match_record
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.logins import logged_in
from harness.sitting import Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def reader(magriel) -> Client:
    return logged_in(Client(headers={"accept-language": "en"}), magriel)


def test_anyone_may_read_a_match_move_by_move(played) -> None:
    page = Client(headers={"accept-language": "en"}).get(f"/match/{played.pk}/").content.decode()
    assert "magriel has won" in page
    assert "Table left" in page
    assert page.count('class="roll"') == 3
    for text in ("+2.00", "−2.50"):
        assert text in page


def test_moves_are_numbered_as_in_the_file_and_a_roll_off_has_no_number(magriel, hilde, dice):
    dice((6, 4), (3, 1), (5, 2), (6, 3))
    table = table_open(user=magriel, mode="normal", start_rule="roll_off_reroll")
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(table, (magriel, hilde))
    for _ in range(3):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    match = table.matches.get()
    page = Client().get(f"/match/{match.pk}/").content.decode()
    file = Client().get(f"/match/{match.pk}/mat/").content.decode()
    told = re.findall(r"<tr><td>(\d*)</td>", page)
    assert told[0] == "", "the roll-off"
    assert told[1:] == re.findall(r"^ *(\d+)\) ", file, re.M)


def test_the_page_gives_the_board_after_every_step(played, reader) -> None:
    replay = reader.get(f"/match/{played.pk}/").context["replay"]
    kinds = [step["type"] for step in replay["steps"]]
    assert kinds == ["game_started", *["dice_rolled", "play_made"] * 3]
    assert replay["near"] == 0
    pips = [step["view"]["pips"] for step in replay["steps"] if step["type"] == "play_made"]
    assert pips == [[163, 167], [163, 156], [157, 156]]


def test_a_match_being_played_leads_to_its_table(sitting, reader) -> None:
    sitting.turn()
    match = sitting.table.matches.get()
    page = reader.get(f"/match/{match.pk}/").content.decode()
    assert f"/table/{sitting.pk}/" in page
    assert "still being played" in page


def test_unknown_matches_and_formats_are_not_found(played, reader) -> None:
    assert reader.get("/match/00000000-0000-4000-8000-000000000000/").status_code == 404
    assert reader.get(f"/match/{played.pk}/gif/").status_code == 404
    assert reader.get("/matches/files/gif/").status_code == 404


@pytest.mark.parametrize("file_format", WRITTEN, ids=lambda file_format: file_format.key)
def test_a_match_can_be_taken_along(played, file_format) -> None:
    answer = Client().get(f"/match/{played.pk}/{file_format.key}/")
    assert answer["Content-Type"] == file_format.media_type
    assert f"magriel-hilde-{str(played.pk)[:8]}.{file_format.key}" in answer["Content-Disposition"]
    record = read_match(answer.content)
    assert record.players == ("magriel", "hilde")
    assert record.games[0].result.ending is Ending.LEFT
    assert record.score == (5, 0)
    assert record.stakes == match_record(played).stakes


def test_one_takes_along_all_of_ones_own(played, reader, tilo) -> None:
    answer = reader.get("/matches/files/sgf/")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert [name[-4:] for name in archive.namelist()] == [".sgf"]
    stranger = Client()
    stranger.force_login(tilo)
    assert zipfile.ZipFile(io.BytesIO(stranger.get("/matches/files/sgf/").content)).namelist() == []
    assert Client().get("/matches/files/sgf/").status_code == 302


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 1),
        ("mode=prize5", 1),
        ("mode=normal", 0),
        ("opponent=HIL", 1),
        ("opponent=magriel", 0),
        ("result=won", 1),
        ("result=lost", 0),
        ("result=drawn", 0),
        ("result=void", 0),
        ("result=nonsense&mode=nonsense", 1),
        ("page=99", 1),
    ],
)
def test_ones_matches_are_filtered(played, reader, query, found) -> None:
    assert len(reader.get(f"/matches/?{query}").context["rows"]) == found


def test_a_row_speaks_from_ones_own_side(played, reader, hilde) -> None:
    won = reader.get("/matches/").context["rows"][0]
    assert (won.listed.result, won.change_cents) == ("won", 200)
    other = Client()
    other.force_login(hilde)
    lost = other.get("/matches/").context["rows"][0]
    assert (lost.listed.result, lost.change_cents) == ("lost", -250)


def test_a_match_without_a_roll_has_no_result(sitting, magriel) -> None:
    sitting.give(0, cmd.StandUp())
    void = ARCHIVE.following("", 5, *halves_of(magriel.pk, result="void"))
    assert [match.ending for match in void] == ["stood_up"]
    match = sitting.table.matches.get()
    assert Client().get(f"/match/{match.pk}/").status_code == 200
    for file_format in WRITTEN:
        assert Client().get(f"/match/{match.pk}/{file_format.key}/").status_code == 200


def test_a_rematch_is_a_match_of_its_own(sitting, dice) -> None:
    dice((3, 1), (6, 5))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    for seat in (0, 1):
        sitting.give(seat, cmd.Rematch())
    first, second = sitting.table.matches.order_by("number")
    assert len(match_record(first).games[0].actions) == 1
    assert match_record(second).games[0].actions == ()
    assert match_record(second).heading.match_id == str(second.pk)


def test_what_was_taken_back_is_in_no_record(magriel, dice) -> None:
    dice((3, 1), (6, 5))
    table = practice_open(user=magriel)
    sitting = Sitting(table, (magriel, magriel))
    sitting.turn()
    before = [type(event).__name__ for event in match_events(sitting.table.matches.get())]
    sitting.give(0, cmd.TakeBack())
    after = [type(event).__name__ for event in match_events(sitting.table.matches.get())]
    assert before[: len(after)] == after
    assert after[-1] == "DiceRolled"


# --- in a browser ---------------------------------------------------------------------------------
def test_a_match_is_replayed_step_by_step(played, player) -> None:
    page = player("hilde")
    page.goto(f"/match/{played.pk}/")
    body = page.locator("body")
    expect(body).to_have_attribute("data-step", "0")
    page.locator('[data-replay-go="next"]').click()
    expect(body).to_have_attribute("data-step", "1")
    page.keyboard.press("End")
    expect(body).to_have_attribute("data-step", "6")
    expect(page.locator('[data-replay="me"]')).to_contain_text("156")
    page.keyboard.press("ArrowLeft")
    expect(body).to_have_attribute("data-step", "5")
    page.locator("#moves [data-step]").first.click()
    expect(body).to_have_attribute("data-step", "2")
    expect(page.locator('#moves [aria-current="step"]')).to_contain_text("31")
    page.locator("#replay-slider").fill("4")
    expect(body).to_have_attribute("data-step", "4")
    page.locator('[data-replay-go="flip"]').click()
    expect(page.locator('[data-replay="me"]')).to_contain_text("magriel")
    assert page.problems == []


def test_a_replay_shows_no_points_beyond_the_length_of_the_match(magriel, hilde, dice, player):
    dice((3, 1), (6, 5))
    wishes = {"mode": "match", "target_points": 3, "start_rule": "opener_alternates"}
    table = table_open(user=magriel, **wishes)
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(table, (magriel, hilde))
    sitting.turn()
    sitting.give(1, cmd.Double())
    sitting.give(0, cmd.Take())
    sitting.give(1, cmd.OfferResignation(level=2))
    match = table.matches.get()
    assert match.score == [4, 0]
    page = player("magriel")
    page.goto(f"/match/{match.pk}/")
    page.keyboard.press("End")
    expect(page.locator('[data-replay="score"]')).to_have_text("3 : 0")


def test_a_replay_runs_by_itself_and_its_positions_can_be_shared(played, player) -> None:
    page = player("hilde")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/match/{played.pk}/#step-1")
    body = page.locator("body")
    expect(body).to_have_attribute("data-step", "1")
    expect(page.locator(".bg-arrows > *")).not_to_have_count(0)
    page.locator('[data-replay-go="link"]').click()
    expect(page.locator('[data-replay="copied"]')).to_have_text("Kopiert")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/match/{played.pk}/#step-1")
    page.locator('[data-replay-go="position"]').click()
    page.wait_for_function(
        "navigator.clipboard.readText().then((text) => text === '4HPwATDgc/ABMA')"
    )
    page.locator('[data-replay-go="xgid"]').click()
    page.wait_for_function(
        "navigator.clipboard.readText().then((text) => /^XGID=-b----E-C/.test(text))"
    )
    page.locator("#replay-speed").select_option("600")
    page.locator('[data-replay-go="run"]').click()
    expect(page.locator('[data-replay-go="run"]')).to_have_attribute("aria-pressed", "true")
    expect(body).to_have_attribute("data-step", "6")
    expect(page.locator('[data-replay-go="run"]')).to_have_attribute("aria-pressed", "false")
    assert page.problems == []


def test_the_moves_are_readable_without_scripts(played, player) -> None:
    page = player("hilde", java_script_enabled=False)
    page.goto(f"/match/{played.pk}/")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#moves .roll")).to_have_count(3)


def test_the_replay_fits_a_phone(played, player) -> None:
    page = player("hilde", viewport={"width": 375, "height": 667})
    page.goto(f"/match/{played.pk}/")
    expect(page.locator("body")).to_have_attribute("data-step", "0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.goto("/matches/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
