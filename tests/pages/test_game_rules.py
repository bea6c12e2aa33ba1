"""The rules of every game: drawn, in both languages, and as the engine has them."""

import re
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from analysis.pages.board import START
from backgammon.counting.positions import roll_of, situation_of
from backgammon.engines.sage import house_engine
from backgammon.rules.match import SERIES
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL, by_key
from backgammon.rules.xgid import Xgid
from pasch.pages.game_rules import played, variant_context
from pasch.pages.openings import OPENINGS, POINTS
from pasch.pages.rulebook import chapter_of
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db

GAMES = [*(variant.key for variant in ALL), *SERIES]
LANGUAGES = ("en", "de")


@pytest.fixture(params=ALL, ids=lambda variant: variant.key)
def variant(request: pytest.FixtureRequest) -> Variant:
    found: Variant = request.param
    return found


def page_of(game: str, language: str = "en") -> str:
    response = Client(headers={"accept-language": language}).get(reverse("rules_game", args=[game]))
    assert response.status_code == 200
    return response.content.decode()


def test_every_variant_has_a_chapter(variant: Variant) -> None:
    assert chapter_of(variant.key), f"platform/pasch/pages/rulebook has no chapter {variant.key}"


def test_the_worked_turn_is_a_play_of_the_engine(variant: Variant) -> None:
    chapter = chapter_of(variant.key)
    assert chapter is not None
    turn = chapter.turn
    done = played(variant, turn)
    plays = variant.legal_plays(done.before, turn.dice, first_turn=turn.first_turn)
    assert done.moves in plays
    assert done.after in plays.results
    assert done.text == turn.play, "a page shows plays as the house writes them"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_every_game_is_drawn_and_translated(db: None, game: str, language: str) -> None:
    page = page_of(game, language)
    assert f'<html lang="{language}"' in page
    assert page.count('<svg class="bg bg-drawing"') >= 3
    assert "style=" not in page
    if game in SERIES:
        return
    with translation.override(language):
        context = variant_context(by_key(game))
        words = [context["lead"], *context["own_rules"], *context["turn_words"]]
    assert all(text in page.replace("&#x27;", "'") for text in words)
    if language == "de":
        chapter = chapter_of(game)
        assert chapter is not None
        english = (chapter.lead, *chapter.own_rules, *chapter.turn.words)
        assert not [text for text in english if text in page.replace("&#x27;", "'")]


def test_the_diagram_is_the_start_of_the_engine(variant: Variant) -> None:
    context = variant_context(variant)
    assert context["start"] == variant.start
    assert context["key"] == variant.key


def test_the_scores_are_the_levels_of_the_engine(variant: Variant) -> None:
    with translation.override("en"):
        shown = [row.points for row in variant_context(variant)["scores"]]
    if len(variant.levels) > 3:
        assert shown == [f"{variant.levels[0]} to {variant.levels[-1]}"]
    else:
        assert [int(points) for points in shown[: len(variant.levels)]] == list(variant.levels)


@pytest.mark.parametrize("key", ["plakoto", "tapa"])
def test_pinned_mothers_score_what_the_page_says(key: str) -> None:
    variant = by_key(key)
    chapter = chapter_of(key)
    assert chapter is not None
    caught = Position.parse(
        "1p 5 0 0 0 9 0 0 0 0 0 0 0 0 0 0 0 0 -9 0 0 0 -5 0 | bar 0 0 | off 0 0"
    )
    both = Position.parse(
        "1p 4 0 0 0 9 0 0 0 0 0 0 0 0 0 0 0 0 -9 0 0 0 -4 -1p | bar 0 0 | off 0 0"
    )
    found = [variant.outcome(position) for position in (caught, both)]
    levels = [outcome.level for outcome in found if outcome is not None]
    assert [score.points for score in chapter.scores] == levels


def test_names_in_other_languages_carry_their_language(db: None) -> None:
    page = page_of("long_nardi")
    assert '<dt lang="de">Langbackgammon</dt>' in page
    assert '<dt lang="ru-Latn">Narde</dt>' in page


def test_what_follows_the_worked_turn_comes_from_the_engine(db: None) -> None:
    assert "Then 6-6 is played." in page_of("gul_bara")
    assert "Then you name any double and play it." in page_of("acey_deucey")
    assert "Then 5-5 is played. If all of that can be played in full, you roll again." in page_of(
        "russian"
    )


def test_open_tables_of_the_game_are_counted_and_hidden_when_there_are_none(house) -> None:
    assert "1 open table<" in page_of("backgammon")
    assert "open table" not in page_of("plakoto")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_play_now_leads_to_a_form_that_has_the_game(house, visitor, game: str) -> None:
    from harness.logins import logged_in

    page = page_of(game)
    links = re.findall(r'class="button[^"]*" href="(/play/[^"]+)"', page)
    assert len(links) == 2
    reader = logged_in(visitor, house.magriel)
    for link in links:
        shown = reader.get(link.replace("&amp;", "&"))
        assert shown.status_code == 200
        assert f'value="{link.rpartition("=")[2]}" selected' in shown.content.decode(), link


def test_an_unknown_game_is_not_found(db: None) -> None:
    assert Client().get("/rules/chess/").status_code == 404


# --- openings -------------------------------------------------------------------------------------
def test_every_first_roll_has_its_plays() -> None:
    rolls = sorted(tuple(sorted(dice)) for dice, _plays, _idea in OPENINGS)
    assert rolls == list(combinations(range(1, 7), 2))


@pytest.mark.parametrize(("dice", "plays", "idea"), OPENINGS)
def test_the_engine_finds_every_named_play_about_as_good_as_the_best(
    dice: tuple[int, int], plays: tuple[str, ...], idea: str
) -> None:
    situation = situation_of(Xgid.parse(START))
    asked = [roll_of(situation, dice, play) for play in plays]
    values = {value.result: value.equity for value in house_engine().plays(asked[0], 2)}
    best = max(values.values())
    for play, made in zip(plays, asked, strict=True):
        assert made.played is not None
        assert best - values[made.played.result] < 0.03, play


def test_the_page_names_points_and_rolls_in_both_languages() -> None:
    english = text_of(Client(headers={"accept-language": "en"}).get(reverse("rules_openings")))
    german = text_of(Client(headers={"accept-language": "de"}).get(reverse("rules_openings")))
    assert "20 golden point" in english
    assert "20 goldener Punkt" in german
    assert "3-1 8/5 6/5" in english
    assert all(number in english for number, _name, _words in POINTS)


@pytest.mark.parametrize("name", ["rules", "ranking", "table_open"])
def test_german_pages_say_elo(name: str, django_user_model: type) -> None:
    client = Client(headers={"accept-language": "de"})
    client.force_login(django_user_model.objects.create_user("leser"))
    assert "Elo" in text_of(client.get(reverse(name)))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_tell_where_the_ratings_come_from(language: str) -> None:
    told = text_of(Client(headers={"accept-language": language}).get(reverse("rules")))
    assert [word for word in ("Arpad Elo", "1960", "FIBS", "1992") if word not in told] == []


# --- the rules of the house -----------------------------------------------------------------------
SECTIONS = ["options", "modes", "endings", "clock", "rating"]


def folds(page: str) -> list[tuple[str, bool]]:
    """The sections that can be folded, and whether each is open."""
    found = re.findall(
        r'<section class="prose" id="(\w+)"[^>]*>\s*<details class="fold"( open)?>', page
    )
    return [(name, bool(opened)) for name, opened in found]


def test_sections_are_folded_until_all_are_wanted() -> None:
    page = Client().get("/rules/").content.decode()
    assert folds(page) == [(name, False) for name in SECTIONS]
    assert '<a href="?all">Everything on one page, for printing</a>' in page
    whole = Client().get("/rules/?all").content.decode()
    assert folds(whole) == [(name, True) for name in SECTIONS]
    assert "for printing" not in whole


def test_the_section_of_the_address_opens_and_all_open_before_printing(
    live: str, page: Any
) -> None:
    page.goto(f"{live}/rules/#rating")
    assert page.locator("#rating .formula").is_visible()
    assert not page.locator("#endings .data").first.is_visible()
    page.locator("nav a[href='#endings']").first.click()
    page.locator("#endings .data").first.wait_for(state="visible")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.fold:not([open])").count() == 0


def test_the_page_is_not_wider_than_a_phone(live: str, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{live}/rules/?all")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
