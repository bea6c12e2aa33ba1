"""The offline file, run as a user runs it: a process, a file, an exit status and plain words."""

import ast
import functools
import json
import re
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

from backgammon.dice.opening import LOG_START, log_hash
from backgammon.dice.record import record_of_json
from backgammon.dice.signed_match import signed_match, signed_ogxm
from backgammon.dice.verify import verify
from backgammon.formats.ogxm import format_ogxm
from backgammon.formats.ogxm_bytes import OURS, file_bytes, sections_of
from backgammon.tests.dice.alterations import absences, altered
from backgammon.tests.dice.games import PUBLIC_KEY, SIGNING_KEY, game, secret
from backgammon.tests.dice.test_signed_match import a_document
from backgammon.tests.dice.test_vectors import CASES
from backgammon.tests.formats.matches import random_match
from games.services.dice.keys import envelope_password, envelope_seal
from harness.waiting import PROGRAM_SECONDS

FILE = Path(__file__).parents[2] / "static" / "fairness" / "verify.py"


def run(*arguments, text=None):
    """The process: isolated from this project's packages and environment."""
    command = [sys.executable, "-I", str(FILE), *map(str, arguments)]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=PROGRAM_SECONDS
    )


@functools.cache
def module():
    """The file's functions, for the many records that need no process of their own."""
    names = {"__name__": "verify_file"}
    exec(compile(FILE.read_text(), str(FILE), "exec"), names)
    return names


def reasons(record):
    return [name for name, _ in module()["check_game"](module()["read_game"](record), None)]


def test_it_stands_alone():
    tree = ast.parse(FILE.read_text(), feature_version=(3, 9))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {alias.name for node in nodes for alias in node.names}
    assert imported == {"argparse", "hashlib", "hmac", "json", "sys", "zlib"}


def test_an_honest_record_exits_with_0(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(absences()))
    done = run(path, "--key", PUBLIC_KEY.hex())
    assert (done.returncode, done.stderr) == (0, "")
    assert "Every roll is the one that was fixed before the game" in done.stdout
    assert f"signed by   {PUBLIC_KEY.hex()}" in done.stdout
    assert "no answer   white 3 times, black 1 times" in done.stdout


def test_an_altered_record_exits_with_1_and_names_the_roll(tmp_path):
    record = game().to_json()
    record["rolls"][7]["eW"] = "00" * 32
    done = run("-", text=json.dumps({"games": [game("first").to_json(), record]}))
    assert done.returncode == 1
    assert "REFUSED [chain_W] game 2, roll 7: White's element" in done.stdout
    assert "NOT the ones" in done.stdout


def test_another_key_is_refused(tmp_path):
    done = run("-", "--key", "ab" * 32, text=json.dumps(game().to_json()))
    assert done.returncode == 1
    assert "[public_key]" in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Expecting property name"),
        ("[]", "a record is a JSON object"),
        ('{"games": []}', "games is not a list with records"),
        (json.dumps({**game().to_json(), "w": 5}), "w is not 64 hexadecimal digits"),
        ("[" * 100_000, "recursion"),
    ],
)
def test_what_cannot_be_read_exits_with_2(text, message):
    done = run("-", text=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("This cannot be checked: ")
    assert message in done.stderr


def test_a_file_that_is_not_there_exits_with_2(tmp_path):
    assert run(tmp_path / "nothing.json").returncode == 2
    assert run().returncode == 2


def test_it_says_what_a_record_does_not_have():
    bare = {k: v for k, v in game().to_json().items() if k not in ("log", "moves")}
    done = run("-", text=json.dumps(bare))
    assert done.returncode == 0
    assert re.findall("NOT CHECKED.*: (.*)", done.stdout) == ["a log entry", "plays"]


@pytest.mark.slow
def test_it_refuses_every_alteration_for_the_same_reasons():
    for name, reason, record in altered():
        found = reasons(record)
        assert reason in found, name
        assert found == [failure.name for failure in verify(record_of_json(record))], name


def test_it_believes_the_examples_that_are_whole_games():
    whole = [case for case in CASES if not case.get("gap_ok") and not case.get("unit_only")]
    assert len(whole) > 8
    for case in whole:
        found = reasons(case)
        assert (found == []) == (case["expect"] == "accept"), case["name"]
        assert case.get("reason", None) in [*found, None]


def test_single_rolls_far_into_a_game_are_refused_for_the_gap_alone():
    for case in (case for case in CASES if case.get("gap_ok")):
        assert reasons(case) == ["n_order"], case["name"]


def enveloped(tmp_path, sealed="a game S"):
    """A record with the password, and the file of its envelope, which holds `sealed`."""
    record = game().to_json()
    game_id = UUID(record["game_id"])
    record["envelope_password"] = envelope_password(game_id)
    path = tmp_path / "envelope.json"
    path.write_text(json.dumps({"game": str(game_id), **envelope_seal(game_id, secret(sealed))}))
    return record, path


def test_the_sealed_envelope_opens_with_the_record(tmp_path):
    record, envelope = enveloped(tmp_path)
    done = run("-", "--envelope", envelope, text=json.dumps(record))
    assert (done.returncode, done.stderr) == (0, "")
    assert "The sealed envelope holds the house's secret of its game." in done.stdout


def test_an_envelope_with_another_secret_is_refused(tmp_path):
    record, envelope = enveloped(tmp_path, sealed="another S")
    done = run("-", "--envelope", envelope, text=json.dumps(record))
    assert done.returncode == 1
    assert "REFUSED [envelope] game 1" in done.stdout


def test_an_envelope_without_its_word_or_its_game_cannot_be_opened(tmp_path):
    record, envelope = enveloped(tmp_path)
    del record["envelope_password"]
    done = run("-", "--envelope", envelope, text=json.dumps(record))
    assert (done.returncode, "not over" in done.stderr) == (2, True)
    done = run("-", "--envelope", envelope, text=json.dumps(game("other").to_json()))
    assert (done.returncode, "not in this record" in done.stderr) == (2, True)


def test_its_cipher_is_aes():
    """FIPS 197, appendix C.3."""
    box = module()["aes_box"]()
    keys = module()["aes_keys"](bytes(range(32)), box)
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    expected = "8ea2b7ca516745bfeafc49904b496089"
    assert module()["aes_block"](keys, block, box).hex() == expected


def log_lines(*openings):
    """The house's public log with these openings."""
    previous, lines = LOG_START, []
    for number, opened in enumerate(openings, start=1):
        previous = log_hash(number, previous, opened)
        lines.append(f"{number} {opened.hex()} {previous.hex()} 2026-11-21T12:00:00Z")
    return lines


def test_the_public_log_holds_the_game_and_every_line_follows(tmp_path):
    record, log = game(), tmp_path / "log.txt"
    lines = log_lines(record.open_hash, *(secret(str(n)) for n in range(5)))
    log.write_text("\n".join(lines))
    done = run("-", "--log", log, text=json.dumps(record.to_json()))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Every game stands in the public log" in done.stdout
    log.write_text("\n".join([*lines[:3], *lines[4:]]))
    done = run("-", "--log", log, text=json.dumps(record.to_json()))
    assert done.returncode == 1
    assert "REFUSED [log] line 5 of the log does not follow from the one before" in done.stdout
    log.write_text("\n".join(lines[1:]))  # a part of the log, without the game
    done = run("-", "--log", log, text=json.dumps(record.to_json()))
    assert done.returncode == 1
    assert "game 1, this game does not stand in this part of the log" in done.stdout
    log.write_text("no line of a log")
    assert run("-", "--log", log, text=json.dumps(record.to_json())).returncode == 2


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda match: None, None),
        (lambda match: match.update(players=["eve", "bob"]), "match"),
        (lambda match: match["games"][0]["actions"].pop(), "plays"),
        (lambda match: match["dice"]["games"][0]["rolls"][7].update(eW="00" * 32), "chain_W"),
    ],
)
def test_a_signed_match_is_checked_with_its_dice(change, name):
    document = a_document()
    change(document)
    done = run("-", "--key", PUBLIC_KEY.hex(), text=json.dumps(document))
    assert (done.returncode, done.stderr) == (int(name is not None), "")
    if name is None:
        assert f"The house signed this match. Its key: {PUBLIC_KEY.hex()}" in done.stdout
    else:
        assert f"REFUSED [{name}]" in done.stdout
        assert "REFUSED [match]" in done.stdout


def test_a_match_without_such_dice_is_checked_by_its_signature():
    match = {"format": "pasch-match", "games": []}
    document = signed_match(match, None, public_key=PUBLIC_KEY, sign=SIGNING_KEY.sign)
    done = run("-", text=json.dumps(document))
    assert (done.returncode, done.stderr) == (0, "")
    assert "NOT CHECKED" in done.stdout
    del document["proof"]
    assert run("-", text=json.dumps(document)).returncode == 2


def test_an_ogxm_file_is_checked_like_the_match_in_it(tmp_path):
    record = random_match(3, length=1, games_max=1)
    data = signed_ogxm(record, None, public_key=PUBLIC_KEY, sign=SIGNING_KEY.sign)
    path = tmp_path / "match.ogxm"
    path.write_bytes(data)
    done = run(path, "--key", PUBLIC_KEY.hex())
    assert (done.returncode, done.stderr) == (0, "")
    assert "The house signed this match." in done.stdout
    other = [each for each in sections_of(format_ogxm(random_match(4))) if each[0] != OURS]
    path.write_bytes(file_bytes([*other, *sections_of(data)[-2:]]))
    done = run(path)
    assert done.returncode == 1
    assert "another match than the signed one" in done.stdout
    path.write_bytes(file_bytes(other))
    assert run(path).returncode == 2
