"""A stranger's way from the front door to a match of their own, and on to its exercises."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from analysis.models import DecisionRow
from analysis.training.tasks import source_of
from games.lessons.answer import right_choice, solution
from games.lessons.registry import ALL
from games.models import Match, Table
from games.selectors import table_state
from games.services.figures import figures_make
from games.services.tables import table_join, table_open
from games.tasks import bot_move
from harness.processes import Processes
from tests.e2e.hands import PHONE, Hands
from tests.e2e.test_match import FIRST, SECOND, play_on, step
from tests.face.inspection import glance, settle

pytestmark = pytest.mark.django_db(transaction=True)


SECRET = "ein-langes-passwort"
STEPS_MAX = 60
#: the game against the bot
OPENING = [(3, 1), (6, 4), (5, 2)]
#: the roll-off, then a short game; the opener wins it
DICE = [(6, 4), *[roll for both in zip(FIRST, SECOND, strict=True) for roll in both]]

Look = Callable[[str], None]


@pytest.fixture
def stranger(player) -> Hands:
    """A phone without an account or a session."""
    return Hands(player(None, **PHONE), taps=True)


@pytest.fixture
def look(stranger: Hands, shots) -> Look:
    """`look("end")` fails for foreign words and a bad layout; keeps pictures, dark and light."""

    def at(name: str) -> None:
        page = stranger.page
        settle(page)
        assert glance(page, "de") == []
        root = page.locator("html")
        usual = root.get_attribute("data-theme")
        for theme in ("nussbaum", "ahorn"):
            root.evaluate("(root, theme) => (root.dataset.theme = theme)", theme)
            settle(page)
            shots(page, f"{name}-{theme}")
        root.evaluate("(root, theme) => (root.dataset.theme = theme)", usual)

    return at


@pytest.mark.slow
def test_from_the_front_door_to_a_match_on_ones_own_page(
    player, dice, stranger: Hands, look: Look
) -> None:
    dice(*OPENING)
    solve_the_first_lesson(stranger, look)
    play_the_bot(stranger, look)
    register(stranger, look)
    dice(*DICE)
    other = Hands(player("hilde"))
    match = play_a_person(stranger, other, look)
    look_at_it_again(stranger, match, look)
    assert stranger.page.problems == other.page.problems == []


def solve_the_first_lesson(stranger: Hands, look: Look) -> None:
    page = stranger.page
    page.goto("/")
    page.locator("#first-board.drawn").wait_for()
    look("01-front-door")
    page.get_by_role("link", name="Lernen").first.tap()
    look("02-learn")
    page.locator(".learn-go").tap()
    for number, each in enumerate(ALL[0].steps):
        mood(page, "ask")
        look(f"03-lesson-{number}")
        if each.is_question:
            page.locator(f'[name=choice][value="{right_choice(each)}"]').tap()
        else:
            for move in solution(each):
                page.locator(f'[data-point="{move.source}"]').tap()
        mood(page, "right")
        look(f"03-lesson-{number}-right")
        if number < len(ALL[0].steps) - 1:
            page.locator("#lesson-next").tap()


def mood(page: Page, expected: str) -> None:
    expect(page.locator("#lesson")).to_have_attribute("data-mood", expected)


def play_the_bot(stranger: Hands, look: Look) -> None:
    page = stranger.page
    page.goto("/")
    stranger.press(page.get_by_role("button", name="Jetzt spielen"))
    page.wait_for_selector("body[data-my-turn=true]")
    table = Table.objects.get(mode="practice")
    look("05-bot-roll")
    stranger.do("roll")
    stranger.sees_phase("play")
    look("06-bot-play")
    stranger.play()
    the_bot_answers(stranger, table)
    page.wait_for_selector("body[data-my-turn=true][data-phase=play][data-free=true]")  # no cube
    stranger.resign()
    the_bot_answers(stranger, table)
    stranger.sees_phase("over")
    expect(page.locator("#result-keep")).to_be_visible()
    look("07-bot-end")


def the_bot_answers(stranger: Hands, table: Table) -> None:
    """The work of the task, once the page has seen that the bot must decide."""
    stranger.page.wait_for_selector("body[data-my-turn=false][data-free=true]")
    assert bot_move(str(table.pk)) > 0


def register(stranger: Hands, look: Look) -> None:
    page = stranger.page
    stranger.press(page.locator("#result-keep a"))
    expect(page.get_by_test_id("kept")).to_contain_text("1 Spiel als Gast")
    look("08-register")
    page.locator("[name=username]").fill("walter")
    page.locator("[name=password1]").fill(SECRET)
    stranger.press(page.get_by_role("button", name="Registrieren"))
    expect(page.get_by_role("status").first).to_contain_text("1 Spiel als Gast")
    look("09-welcome")


def address_of_match() -> str:
    """The page of the table at which two people sit; none until both have said yes."""
    table = Table.objects.filter(mode="normal", guest__isnull=False).first()
    return f"/table/{table.pk}/" if table else "/nowhere/"


def play_a_person(stranger: Hands, other: Hands, look: Look) -> Match:
    """Both press the button of the page and meet from their games with the bot, by two yes."""
    other.page.goto("/")
    hands = (other, stranger)
    for each in hands:
        each.press(each.page.get_by_role("button", name="Jetzt spielen"))
        expect(each.page.locator("#seat-offer")).to_be_visible()
    for each in hands:
        each.press(each.page.locator("#seat-offer [name=accept]"))
    for each in hands:
        each.page.wait_for_url(lambda url: url.endswith(address_of_match()))
        each.sees(3)
    look("10-match-begins")
    table = Table.objects.get(mode="normal", guest__isnull=False)
    for number in range(STEPS_MAX):
        table.refresh_from_db()
        for each in hands:
            each.sees(table.seq)
        state = table_state(table)
        if state.phase == "over":
            break
        if number == 8:
            look("11-match")
        hands[state.decider or 0].do("roll") if state.phase == "roll_off" else step(hands, state)
        for each in hands:
            each.sees(table.seq + 1)
    stranger.sees_phase("over")
    expect(stranger.page.locator("#result")).to_be_visible()
    look("12-match-end")
    return Match.objects.exclude(mode="practice").get()


def look_at_it_again(stranger: Hands, match: Match, look: Look) -> None:
    """The replay, from the card at the end; then the player's page, by the menu."""
    page = stranger.page
    stranger.press(page.locator('#result-links a[data-path=""]'))
    page.wait_for_url(f"**/match/{match.pk}/")
    stranger.press(page.locator('[data-replay-go="next"]'))
    look("13-replay")
    figures_make()
    walter = User.objects.get(username="walter")
    assert (match.rated, walter.pk in match.players) == (True, True)
    stranger.press(page.get_by_role("link", name="walter", exact=True))
    expect(page.get_by_role("heading", name="walter")).to_be_visible()
    expect(page.locator("main")).to_contain_text("hilde")
    look("14-profile")
    stranger.press(page.locator("summary.menu-button"))
    look("15-menu")
    stranger.press(page.get_by_role("link", name="Meine Matches"))
    expect(page.locator("#matches tbody tr")).to_have_count(2)
    look("16-matches")


# --- from a match to an exercise ------------------------------------------------------------------
ROLLS = [(6, 3), (3, 1), (5, 5), (6, 4), (4, 2), (6, 6), (2, 1), (4, 4), (5, 3), (3, 2)]
TURNS = 4
#: until a page shows what a worker has found, on a machine that does other work
ANALYSED_MS = 120_000
SCREENS = {"desktop": {"viewport": {"width": 1280, "height": 800}}, "phone": PHONE}


@pytest.fixture
def analyse(transactional_db: None, tmp_path: Path) -> Callable[[], None]:
    """Analyse all that waits, in a process of its own, as a house does."""
    house = Processes(tmp_path, [(3, 1)])

    def run() -> None:
        house.start("analyst")
        assert house.running.pop("analyst").wait() == 0

    return run


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_a_match_becomes_a_report_and_an_error_an_exercise(
    screen: str, player: Callable[..., Any], dice: Callable[..., None], analyse: Callable[[], None]
) -> None:
    dice(*ROLLS)
    hands = Hands(player("hilde", **SCREENS[screen]), taps=screen == "phone")
    other = Hands(player("magriel"))
    _play_a_game(hands, other)
    page = hands.page

    hands.press(page.locator("#result-analysis a"))
    page.wait_for_url("**/match/*/analysis/*")
    analyse()
    shown = page.locator("#decision [data-key]").first
    expect(shown).to_be_visible(timeout=ANALYSED_MS)
    expect(page.locator("#report")).to_have_attribute(
        "data-standing", "", timeout=ANALYSED_MS
    )  # nothing deeper is awaited
    keys = _errors()
    assert len(keys) > 1
    page.goto(f"{page.url.split('?')[0]}?d={keys[0]}")
    page.keyboard.press("n")
    expect(shown).to_have_attribute("data-key", keys[1])
    page.keyboard.press("p")
    expect(shown).to_have_attribute("data-key", keys[0])

    page.keyboard.press("a")
    page.wait_for_url("**/analysis/?xgid=*")
    with page.expect_response("**/analysis/ask/"):
        hands.press(page.locator('[data-depth="quick"]'))
    analyse()
    expect(page.locator(".analysis-plays tbody tr").first).to_be_visible(timeout=ANALYSED_MS)

    page.goto("/exercises/next/?theme=own")
    _solve(hands)
    assert page.problems == []
    assert other.page.problems == []


def _play_a_game(hands: Hands, other: Hands) -> None:
    """A free game of a few turns, which the player of this test resigns."""
    users = [User.objects.get(username=name) for name in ("magriel", "hilde")]
    table = table_open(user=users[0], mode="normal", start_rule="opener_alternates")
    table_join(user=users[1], table_id=table.pk)
    for each in (other, hands):
        each.page.goto(f"/table/{table.pk}/")
        each.sees_phase("roll")
    for _ in range(TURNS):
        seq = play_on((other, hands), table, "play", seat=1).seq
        hands.play()
        for each in (other, hands):
            each.sees(seq + 1)
    play_on((other, hands), table, "play", seat=1)
    hands.resign()
    other.sees_phase("resignation_offered")
    other.do("accept_resignation")
    hands.sees_phase("over")


def _errors() -> list[str]:
    """The keys of the errors in the deepest report."""
    rows = DecisionRow.objects.filter(
        report__match=Match.objects.get(), report__depth="deep", loss__gte=0.02
    )
    return [f"{row.game}.{row.number}" for row in rows.order_by("game", "number")]


def _solve(hands: Hands) -> None:
    """Type the best play where an own error is asked again."""
    page: Page = hands.page
    source = source_of(page.url.split("?")[0].rstrip("/").rsplit("/", 1)[-1])
    assert source is not None
    row = DecisionRow.objects.get(pk=source[1])
    page.locator("#exercise-play").fill(row.line["best"])
    hands.press(page.locator("#exercise-confirm"))
    expect(page.locator("#exercise-title")).to_contain_text("Gefunden")
