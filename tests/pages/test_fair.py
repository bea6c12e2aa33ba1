"""The pages about the dice: their content, and that the browser checks a record by itself."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from django.test import Client
from django.urls import reverse

from accounts.models import User
from backgammon.dice import verify as verify_module
from backgammon.dice.chain import HOUSE, chain_tip, roll_element
from backgammon.dice.opening import LOG_START, log_hash
from backgammon.tests.dice.alterations import altered
from backgammon.tests.dice.games import HouseSide, game, secret
from games.models import DiceLogEntry, DiceRoll, DiceStatistics, GameDice, Match, Table
from games.services.dice.keys import envelope_password, envelope_seal, public_key
from games.services.dice.statistics import statistics_make
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from tests.pages.test_pages import INLINE, text_of
from tests.pages.texts import ROOT

NIGHT = datetime(2026, 11, 20, 2, 37, tzinfo=UTC)
PAGES = ("fair", "fair_check", "fair_dice", "fair_log")


def counted(**changes: Any) -> DiceStatistics:
    """A count of 36,000 rolls that are perfectly even."""
    findings = {
        "cells": {"statistic": 31.4, "degrees": 35, "p": 0.6421},
        "faces": {"statistic": 2.0, "degrees": 5, "p": 0.8491},
        "doubles": {"statistic": 0.0, "degrees": 1, "p": 1.0},
        "pairs": None,
    }
    lucky = [{"user": 1, "name": "magriel", "rolls": 400, "pips": 3500, "z": 2.717}]
    values = {
        "until": NIGHT, "rolls": 36_000, "faces": [12_000] * 6, "cells": [1000] * 36,
        "pairs": [0] * 1296, "findings": findings,
        "players": {"counted": 1, "lucky": lucky, "unlucky": []},
    }  # fmt: skip
    return DiceStatistics.objects.create(**{**values, **changes})


def test_the_public_log_is_a_page_and_a_file_that_the_offline_check_reads(db):
    openings = [secret(str(number)) for number in range(3)]
    previous = LOG_START
    for number, opened in enumerate(openings, start=1):
        entry = log_hash(number, previous, opened)
        DiceLogEntry.objects.create(
            number=number, game=unplayed_dice(), open_hash=opened, previous=previous, hash=entry,
            logged_at=NIGHT,
        )  # fmt: skip
        previous = entry
    visitor = Client(headers={"accept-language": "en"})
    page = visitor.get(reverse("fair_log"))
    assert "20 Nov 2026 3 3" in text_of(page)
    assert previous.hex() in page.content.decode()
    lines = visitor.get(reverse("fair_log_file")).content.decode().splitlines()
    expected = [f"{n} {opened.hex()}" for n, opened in enumerate(openings, start=1)]
    assert [" ".join(line.split()[:2]) for line in lines] == expected
    assert lines[-1] == f"3 {openings[2].hex()} {previous.hex()} 2026-11-20T02:37:00Z"
    assert visitor.get(reverse("fair_log_file"), {"after": "2"}).content.decode() == lines[2] + "\n"
    assert visitor.get(reverse("fair_log_file"), {"after": "x"}).status_code == 200
    assert list(verify_file("check_log")(lines, [])) == []


def verify_file(name: str) -> Any:
    """A function of the offline check."""
    path = Path(__file__).parents[2] / "static" / "fairness" / "verify.py"
    names = {"__name__": "verify_file"}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return names[name]


def unplayed_dice() -> GameDice:
    """The dice of a game before its first roll."""
    opener = User.objects.create_user(f"player{User.objects.count()}")
    guest = User.objects.create_user(f"player{User.objects.count()}")
    told = {"mode": "prize5", "variant": "backgammon", "stake_cents": 250}
    table = Table.objects.create(opener=opener, guest=guest, phase="roll", seq=0, state={}, **told)
    match = Match.objects.create(
        table=table, number=1, player_0=opener, player_1=guest, started_at=NIGHT, **told
    )
    return GameDice.objects.create(
        table=table, match=match, number=1, mode="L", terms="{}", house_tip=bytes(32),
        house_secret=b"", sides=[], open_hash=b"", signature=b"", opened_at=NIGHT,
    )  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("language", "word"), [("en", "Dice"), ("de", "Würfel")])
def test_every_page_is_there_for_everybody_in_both_languages(db, name, language, word):
    counted()
    page = Client(headers={"accept-language": language}).get(reverse(name)).content.decode()
    assert f'aria-label="{word}"' in page
    assert INLINE.findall(page) == []
    assert all(f'href="{reverse(other)}"' in page for other in PAGES)


def test_the_house_tells_its_key_and_how_to_check_without_it(db):
    page = Client().get(reverse("fair")).content.decode()
    assert public_key().hex() in page
    assert 'download="verify.py"' in page


def test_t10_every_page_says_the_same_of_tables_without_a_stake(db):
    """Mode K: nobody chooses the dice; the house could calculate them once the seeds are shown."""
    visitor = Client(headers={"accept-language": "en"})
    fair, home, rules = (text_of(visitor.get(reverse(name))) for name in ("fair", "home", "rules"))
    assert "the house could calculate the rolls to come" in fair
    assert "the house bot’s number comes from the house" in fair
    for words in (fair, rules):
        assert "anything of value can be won, no one can know a roll in advance either" in words
    for words in (fair, home, rules):
        assert "as fair as at every table" not in words
        assert "choose a roll or know it" not in words


def test_the_dice_page_shows_counts_tests_and_players(db):
    counted()
    words = text_of(Client(headers={"accept-language": "en"}).get(reverse("fair_dice")))
    assert "36,000" in words
    assert "16.67%" in words
    assert "1 1,000 2.78% 2,000 5.56%" in words
    assert "Are all 36 rolls equally frequent? 31.4 (35) 0.6421 consistent with chance" in words
    assert "Does a roll depend on the one before it? – – too few rolls yet" in words
    assert "magriel 400 8.75 2.72" in words
    assert "raises an alarm" in words
    assert "less probable than one in a million" not in words


def test_an_alarm_is_told_to_everybody(db):
    odd = {"cells": {"statistic": 200.0, "degrees": 35, "p": 1e-9}}
    counted(findings=dict.fromkeys(("faces", "doubles", "pairs")) | odd, alarm=True)
    visitor = Client(headers={"accept-language": "en"})
    words = text_of(visitor.get(reverse("fair_dice")))
    assert "less probable than one in a million" in words
    assert "< 0.0001 improbable" in words.replace("&lt;", "<")


def test_the_first_days_have_no_count_and_then_an_empty_one(db):
    visitor = Client(headers={"accept-language": "en"})
    assert "Nothing has been counted yet" in text_of(visitor.get(reverse("fair_dice")))
    statistics_make()
    assert "too few rolls yet" in text_of(visitor.get(reverse("fair_dice")))


def test_every_reason_has_words(db):
    listed = verify_module.__doc__.split("\n\n", 1)[1]
    names = set(listed.split("`")[1::2])
    page = (ROOT / "static/fairness/check.js").read_text("utf-8")
    said = re.search(r"const WHY = \{(.*?)\};", page, re.DOTALL)
    assert said
    assert names == set(re.findall(r"^  (\w+): ", said[1], re.MULTILINE))
    assert {reason for _, reason, _ in altered()} < names


def shown_with_envelope(path: Path) -> dict[str, Any]:
    """The record of a game that is over, and its sealed envelope in that file."""
    record = game("sealed").to_json()
    game_id = UUID(record["game_id"])
    sealed = envelope_seal(game_id, secret("sealed S"))
    path.write_text(json.dumps({"game": str(game_id), **sealed}))
    return {**record, "envelope_password": envelope_password(game_id)}


@pytest.mark.slow
def test_the_browser_checks_a_record_and_names_the_roll(player: Callable[..., Any], tmp_path: Path):
    house = HouseSide("shown")
    for n in range(9):
        house.roll(absent="B" * (n == 4))
    match = {"games": [house.record().to_json(), game("second", rolls=3).to_json()]}
    for number, record in enumerate(match["games"], start=1):
        if number > 1:
            del record["log"]
    path = tmp_path / "record.json"
    path.write_text(json.dumps(match))
    page = player(None, locale="en-GB")
    sent = []
    page.goto("/fair/check/")
    page.on("request", lambda request: "/static/" in request.url or sent.append(request.url))
    page.set_input_files("#check-file", path)
    page.get_by_text("Every roll is the one that was fixed before the game.").wait_for()
    assert page.get_by_text("Black had no part in 1 rolls.").is_visible()
    assert page.get_by_text("Signed with another key than that of this house").count() == 2
    assert page.get_by_text("Without an entry of the public log.").count() == 1
    match["games"][0]["rolls"][6]["dice"][0] ^= 7
    page.fill("#check-text", json.dumps(match))
    page.get_by_role("button", name="Check").click()
    page.get_by_text("These dice are not the ones").wait_for()
    told = page.locator(".fair-reasons li").all_inner_texts()
    assert told[0] == "Game 1, roll 6: the dice are not the ones that the three parts give."
    page.fill("#check-text", json.dumps(shown := shown_with_envelope(tmp_path / "envelope.json")))
    page.set_input_files("#check-envelope", tmp_path / "envelope.json")
    page.get_by_text("The sealed envelope holds the house's numbers of this game").wait_for()
    page.fill("#check-text", json.dumps({**shown, "envelope_password": "WRONG"}))
    page.get_by_role("button", name="Check").click()
    page.get_by_text("The sealed envelope does not hold the house's numbers").wait_for()
    page.fill("#check-text", "no record")
    page.get_by_role("button", name="Check").click()
    page.get_by_text("This is not a record that can be checked").wait_for()
    assert sent == []
    assert page.problems == []


# --- files about the dice -------------------------------------------------------------------------
@pytest.fixture
def table(magriel, hilde) -> Sitting:
    """A match for a prize, with the house's own dice."""
    opened = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=opened.pk)
    return Sitting(opened, (magriel, hilde))


def envelope_of(table: Sitting, user: object):
    """The response that this person gets."""
    client = Client()
    client.force_login(user)
    return client.get(reverse("dice_envelope", args=[table.pk]))


def test_the_record_is_there_for_everybody(table):
    table.turn()
    match = Match.objects.get()
    answer = Client().get(reverse("match_dice", args=[match.pk]))
    assert answer["Content-Disposition"].startswith("attachment")
    told = answer.json()
    assert [roll["n"] for roll in told["games"][0]["rolls"]] == [0, 1][: DiceRoll.objects.count()]
    assert "envelope_password" not in told["games"][0]
    page = Client().get(reverse("match", args=[match.pk])).content.decode()
    assert reverse("match_dice", args=[match.pk]) in page


def test_no_record_of_a_match_that_is_not(table):
    assert Client().get(reverse("match_dice", args=[table.pk])).status_code == 404


def test_the_envelope_opens_with_the_password_told_afterwards(table, magriel):
    sealed = envelope_of(table, magriel).json()
    secret = GameDice.objects.get().id
    table.turn()
    table.give(0, cmd.Leave())
    record = Client().get(reverse("match_dice", args=[Match.objects.get().pk])).json()["games"][0]
    derived = PBKDF2HMAC(
        SHA256(), 32, salt=bytes.fromhex(sealed["salt"]), iterations=sealed["iterations"]
    )
    key = derived.derive(record["envelope_password"].encode())
    nonce, hidden = bytes.fromhex(sealed["nonce"]), bytes.fromhex(sealed["sealed"])
    end = AESGCM(key).decrypt(nonce, hidden, None)
    assert chain_tip(secret.bytes, HOUSE, end).hex() == sealed["s0"] == record["s0"]
    assert roll_element(secret.bytes, HOUSE, end, 0).hex() == record["rolls"][0]["s"]


def test_the_envelope_is_for_players_before_the_first_roll(table, magriel, tilo):
    assert envelope_of(table, tilo).status_code == 404
    assert Client().get(reverse("dice_envelope", args=[table.pk])).status_code == 302
    table.turn()
    assert envelope_of(table, magriel).status_code == 404
