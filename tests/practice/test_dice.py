"""The dice of practice: the house bot gives its part, so no roll waits and every roll has all."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from backgammon.dice.chain import HOUSE, chain_tip
from backgammon.dice.record import records_of_json
from backgammon.dice.verify import verify_match
from games.models import DiceRoll, GameDice, Match, Table
from games.selectors import table_state
from games.services.dice.keys import public_key, secret_show
from games.services.dice.parts import ROLL_WAIT_MS
from games.services.dice.records import match_record
from games.services.practice import bot_answer, practice_open
from games.table import commands as cmd
from games.table.turn import legal_plays
from harness.chains import Client
from tests.practice.conftest import give

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

OFFLINE = Path(__file__).resolve().parents[2] / "static" / "fairness" / "verify.py"
ALL_PARTS_MODE_K = 4
WHITE_ABSENT = 1


@pytest.fixture(params=["beginner", "alone"])
def table(request: pytest.FixtureRequest, hilde: User) -> Table:
    """hilde before the first roll of practice, against the house bot or alone; the real dice."""
    return practice_open(user=hilde, strength=request.param)


def play_a_little(table: Table, user: User, plays: int = 4) -> None:
    """Several turns of both sides, without the cube."""
    for _ in range(plays):
        state = table_state(table)
        if state.phase == "roll":
            give(table, user, cmd.Roll())
            state = table_state(table)
        if state.phase == "play":
            moves = next(iter(legal_plays(state, state.game, state.game.dice)))
            wire = tuple((move.source, move.target, move.die) for move in moves)
            give(table, user, cmd.Play(moves=wire))
        bot_answer(table_id=table.pk)
        table.refresh_from_db()


def events(table: Table) -> list[str]:
    return list(table.events.order_by("seq").values_list("type", flat=True))


def test_t9_the_first_roll_of_practice_waits_for_nobody_and_has_every_part(
    table: Table, hilde: User
) -> None:
    client = Client(hilde, 0)
    client.begin(table)
    table.refresh_from_db()
    assert table.fair["open"] is not None, "both are bound, so the dice are open"
    client.reveal(table)
    give(table, hilde, cmd.Roll())
    assert "dice_asked_for" not in events(table)
    assert [roll.flags for roll in DiceRoll.objects.all()] == [ALL_PARTS_MODE_K]


def test_t9_the_record_of_practice_is_believed_here_and_offline(
    table: Table, hilde: User, tmp_path: Path
) -> None:
    client = Client(hilde, 0)
    client.begin(table)
    client.reveal(table)
    give(table, hilde, cmd.Roll())
    record = match_record(Match.objects.get())
    assert verify_match(records_of_json(record), public_key=public_key()) == []
    path = tmp_path / "record.json"
    path.write_text(json.dumps(record))
    assert subprocess.run([sys.executable, OFFLINE, path], capture_output=True).returncode == 0


def test_t9_the_bot_is_bound_before_the_player_and_by_a_seed_that_nobody_reads(
    table: Table, hilde: User
) -> None:
    game = GameDice.objects.get()
    bound = table.fair["given"]
    assert bound[0] is None
    assert bound[1] is not None
    assert game.sides[1]["seed"] is None
    client = Client(hilde, 0)
    client.begin(table)
    game.refresh_from_db()
    seed = game.sides[1]["seed"]
    assert game.sides[1]["value"] == bound[1]
    assert seed not in json.dumps(table.fair)
    house = secret_show(game.id, bytes(game.house_secret))
    assert chain_tip(game.id.bytes, HOUSE, house) == bytes(game.house_tip)
    assert bytes.fromhex(seed) != house, "the seed is none of the house's secrets of the game"


def test_t9_a_player_without_a_client_does_not_wait_for_themselves(
    table: Table, hilde: User
) -> None:
    give(table, hilde, cmd.Roll())
    assert "dice_asked_for" not in events(table)
    assert DiceRoll.objects.get().flags == ALL_PARTS_MODE_K | WHITE_ABSENT


def test_t9_a_player_whose_seed_is_on_its_way_is_waited_for(table: Table, hilde: User) -> None:
    client = Client(hilde, 0)
    client.begin(table)
    give(table, hilde, cmd.Roll())
    assert table_state(table).phase == "rolling"
    client.reveal(table)
    assert [roll.flags for roll in DiceRoll.objects.all()] == [ALL_PARTS_MODE_K]


# --- in the browser ------------------------------------------------------------------------------


def first_roll_ms(page: Page) -> float:
    """Milliseconds between the press of the button and the dice on the board."""
    return page.evaluate(
        """() => new Promise((resolve) => {
          const began = performance.now();
          new MutationObserver((_, watch) => {
            if (document.body.dataset.phase !== "play") return;
            watch.disconnect();
            resolve(performance.now() - began);
          }).observe(document.body, { attributes: true });
          document.querySelector('[data-action="roll"]').click();
        })"""
    )


def seal(page: Page, text: str) -> None:
    """The seal is whole; a page that was slower than a roll waits says so behind the text."""
    expect(page.locator("#seal-text")).to_have_text(re.compile(f"^{text}( · |$)"))
    expect(page.locator("#seal")).to_have_attribute("data-seal", "good")


def test_t9_a_guests_first_roll_has_all_parts_at_once(player: Callable[..., Any], db: None) -> None:
    page = player(None, locale="en-GB")
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector("body[data-my-turn=true][data-free=true]")
    took_ms = first_roll_ms(page)
    assert DiceRoll.objects.get().flags == ALL_PARTS_MODE_K
    assert took_ms < ROLL_WAIT_MS, "it waited for no part"
    seal(page, "1 roll of this match checked")
    assert page.problems == []


def test_t11_seal_counts_on_after_a_reload(player: Callable[..., Any], hilde: User) -> None:
    page = player("hilde", locale="en-GB")
    table = practice_open(user=hilde, strength="alone")
    page.goto(f"/table/{table.pk}/")
    page.wait_for_selector("body[data-my-turn=true][data-free=true]")
    play_in(page, table, hilde, plays=3)
    rolls = DiceRoll.objects.count()
    assert rolls > 1
    seal(page, f"{rolls} rolls of this match checked")
    page.reload()
    seal(page, f"{rolls} rolls of this match checked")
    play_in(page, table, hilde, plays=1)
    seal(page, f"{DiceRoll.objects.count()} rolls of this match checked")
    assert page.problems == []


def play_in(page: Page, table: Table, user: User, plays: int) -> None:
    """Turns given behind the page's back; the page follows them and gives its part of each roll."""
    for _ in range(plays):
        rolls = DiceRoll.objects.count()
        while DiceRoll.objects.count() == rolls:
            play_a_little(table, user, plays=1)
            page.wait_for_function(
                "seq => Number(document.body.dataset.seq) >= seq "
                "&& document.body.dataset.phase !== 'rolling'",
                arg=table.seq,
            )
            table.refresh_from_db()


def test_t11_seal_breaks_if_the_record_of_earlier_rolls_does_not_fit(
    player: Callable[..., Any], hilde: User
) -> None:
    table = practice_open(user=hilde, strength="alone")
    play_a_little(table, hilde, plays=2)
    page = player("hilde", locale="en-GB")

    def forged(route: Any) -> None:
        record = route.fetch().json()
        record["games"][0]["rolls"][0]["dice"][0] ^= 7
        route.fulfill(json=record)

    page.route("**/dice.json", forged)
    page.goto(f"/table/{table.pk}/")
    expect(page.locator("#seal")).to_have_attribute("data-seal", "broken")
