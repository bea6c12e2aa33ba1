"""The tests that docs/security.md names exist, and the settings that it promises are set."""

import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.hashing import PacedArgon2PasswordHasher
from tests.architecture.sources import ROOT, sources
from tests.platform.test_settings import deployed

PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
ROWS = {int(number): row for row, number in re.findall(r"^(\| P(\d+) \|.*)$", PAGE, re.M)}
ATTACKS = {int(number) for number in re.findall(r"\bS(\d+)(?=[, \dS]*\|)", PAGE)}
BEGINS = re.compile(r'^(?:"""|# --- )S(\d+)\b', re.M)
TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def test_every_promise_is_in_the_table() -> None:
    assert sorted(ROWS) == list(range(1, 36))


@pytest.mark.parametrize("number", range(1, 36))
def test_every_promise_names_tests_that_exist(number: int) -> None:
    named = TEST.findall(ROWS[number])
    assert named, "a promise without a test is a wish"
    for path, test in named:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not test or re.search(rf"^(?:async )?def {test}\(", text, re.M), f"{path}::{test}"


def test_every_test_of_a_promise_stands_in_its_row() -> None:
    for path in (ROOT / "tests/security").glob("test_*.py"):
        for name in re.findall(r"^def (test_p\d\d_\w+)\(", path.read_text(), re.M):
            row = ROWS[int(name[6:8])]
            assert f"tests/security/{path.name}" in row, name


def test_every_attack_has_a_row_and_every_row_its_tests() -> None:
    """An attack begins its file, or a section of one."""
    texts = [path.read_text() for path in (ROOT / "tests/attacks").glob("test_*.py")]
    tried = {int(number) for text in texts for number in BEGINS.findall(text)}
    assert sorted(tried) == sorted(ATTACKS)


# --- promises that are settings -------------------------------------------------------------------


@pytest.mark.parametrize(
    "password", ["password", "12345678", "qwertyuiop", "iloveyou", "backgammon", "Pasch2026!"]
)
def test_p01_what_everybody_tries_first_is_refused(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password)


def test_p01_eight_letters_do_and_nothing_is_asked_of_their_kind() -> None:
    validate_password("gammonxq")
    with pytest.raises(ValidationError):
        validate_password("gammonx")


@pytest.fixture(scope="module")
def house_on_the_internet() -> dict[str, Any]:
    """The settings of a house as `deploy/` starts it."""
    show = (
        "import json; from django.conf import settings as s;"
        "print(json.dumps({n: getattr(s, n) for n in dir(s) if n.isupper()}, default=str))"
    )
    told = deployed("manage.py", "shell", "-v", "0", "-c", show)
    found: dict[str, Any] = json.loads(told.stdout)
    return found


@pytest.mark.slow
def test_p02_passwords_are_hashed_with_argon2id(house_on_the_internet: dict[str, Any]) -> None:
    assert house_on_the_internet["PASSWORD_HASHERS"][0].endswith("Argon2PasswordHasher")
    hasher = PacedArgon2PasswordHasher()
    assert hasher.params().type.name == "ID"
    assert hasher.memory_cost >= 19 * 1024
    assert hasher.time_cost >= 2


@pytest.mark.slow
def test_passwords_are_hashed_beside_the_process_and_below_its_priority() -> None:
    hasher, ours = PacedArgon2PasswordHasher(), psutil.Process()
    threads, others = threading.active_count(), set(ours.children())
    stored = hasher.encode("a password 🎲", "salt" * 6)
    assert Argon2PasswordHasher().verify("a password 🎲", stored)
    assert [hasher.verify(said, stored) for said in ("a password 🎲", "another")] == [True, False]
    assert not hasher.verify("a password 🎲", "argon2$nothing")
    assert threading.active_count() == threads
    (beside,) = set(ours.children()) - others
    assert beside.nice() > ours.nice()
    beside.kill()
    assert hasher.verify("a password 🎲", stored), "another takes over"


def test_p03_second_factors_and_passkeys_are_on(house_on_the_internet: dict[str, Any]) -> None:
    assert set(house_on_the_internet["MFA_SUPPORTED_TYPES"]) == {
        "totp",
        "recovery_codes",
        "webauthn",
    }
    assert house_on_the_internet["MFA_PASSKEY_LOGIN_ENABLED"] is True
    assert house_on_the_internet["STAFF_SECOND_FACTOR"] is True


def test_p07_cookies_stay_with_this_host_and_away_from_scripts(
    house_on_the_internet: dict[str, Any],
) -> None:
    for kind in ("SESSION", "CSRF"):
        told = {name: house_on_the_internet[f"{kind}_COOKIE_{name}"] for name in FLAGS}
        assert told == FLAGS
        assert house_on_the_internet[f"{kind}_COOKIE_NAME"].startswith("__Host-")
    assert house_on_the_internet["DEVICE_COOKIE_NAME"].startswith("__Host-")


FLAGS = {"SECURE": True, "HTTPONLY": True, "SAMESITE": "Lax", "PATH": "/", "DOMAIN": None}

SECRETS = re.compile(
    r"-----BEGIN (?:\w+ )?PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b"
    r"|\bpasch_[A-Za-z0-9_-]{43}\b|\bxox[bp]-[0-9A-Za-z-]{20,}"
)


def test_p21_no_secret_lies_in_the_repository(house_on_the_internet: dict[str, Any]) -> None:
    files = [*sources(".py", ".js", ".md", ".html", ".yaml", ".toml"), *ROOT.glob("deploy/*")]
    found = [str(path) for path in files if path.is_file() and SECRETS.search(path.read_text())]
    assert found == []
    assert house_on_the_internet["DEBUG"] is False


def test_p23_every_package_is_pinned_with_its_digest() -> None:
    for lock in ROOT.glob("deploy/requirements/*.lock"):
        entries = re.split(r"\n(?=\S)", lock.read_text().strip())
        for entry in entries:
            assert re.match(r"^[a-z0-9._-]+(\[[a-z,]+\])?==\S+", entry), entry[:60]
            assert "--hash=sha256:" in entry, entry[:60]


def test_p23_the_bill_of_materials_lists_every_package() -> None:
    command = [Path(sys.executable).with_name("cyclonedx-py"), "requirements"]
    options = [
        "--output-format",
        "JSON",
        "--no-validate",
        ROOT / "deploy/requirements/production.lock",
    ]
    made = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    components = json.loads(made.stdout)["components"]
    listed = {f"{each['name']}=={each['version']}" for each in components}
    locked = re.findall(
        r"^(\S+==\S+)", (ROOT / "deploy/requirements/production.lock").read_text(), re.M
    )
    assert listed == set(locked)


def test_p25_the_checks_for_deployment_are_part_of_every_check() -> None:
    script = (ROOT / "scripts/check").read_text()
    assert "step deployment deployed check --deploy --fail-level WARNING" in script
    assert settings.ROOT == ROOT
