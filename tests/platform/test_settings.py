"""The settings that a house on the internet requires, and those that stop its web server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from harness.home import ROOT
from harness.processes import Processes
from harness.waiting import PROGRAM_SECONDS
from pasch import checks, environment

KEY = "only-a-test-signs-with-this-key-0123456789-abcdefghijklm"
DEPLOYED = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1",
    "SECRET_KEY": KEY,
    "DICE_KEY": KEY[::-1],
    "ALLOWED_HOSTS": "pasch.example",
    "EMAIL_HOST": "mail.pasch.example",
    "LEDGER_SEAL_FILE": "/srv/seals/seals.log",
}
SHOW = """
import json
from django.conf import settings as s
kinds = ("SECURE", "SESSION", "CSRF", "LANGUAGE_", "DEBUG", "STAFF", "ALLOWED", "LEDGER")
kinds += ("SECRET_KEY", "DICE_KEY", "ACCOUNT_EMAIL", "EMAIL", "DEFAULT_FROM", "WEB")
names = [n for n in dir(s) if n.startswith(kinds)]
print(json.dumps({n: getattr(s, n) for n in names}, default=str))
"""


def deployed(*command: str, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Run Python with the environment of a house on the internet; None removes a variable."""
    of_the_tests = dict.fromkeys(("DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE"))
    told: dict[str, str | None] = {**os.environ, **of_the_tests, **DEPLOYED, **environment}
    return subprocess.run(
        [sys.executable, *command],
        env={name: value for name, value in told.items() if value is not None},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PROGRAM_SECONDS,
        check=False,
    )


def settings_of(**environment: str | None) -> dict[str, Any]:
    """The tested settings, from a process that loads only the settings."""
    result = deployed("-c", SHOW, DJANGO_SETTINGS_MODULE="pasch.settings", **environment)
    assert result.returncode == 0, result.stderr
    return dict(json.loads(result.stdout))


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    return settings_of()


@pytest.mark.parametrize("cookie", ["SESSION", "CSRF", "LANGUAGE"])
def test_cookies_never_leave_https(shown: dict[str, Any], cookie: str) -> None:
    assert shown[f"{cookie}_COOKIE_SECURE"] is True
    assert shown[f"{cookie}_COOKIE_HTTPONLY"] is True
    assert shown[f"{cookie}_COOKIE_SAMESITE"] == "Lax"


def test_a_house_on_the_internet_speaks_https_only(shown: dict[str, Any]) -> None:
    assert shown["SESSION_COOKIE_NAME"] == "__Host-session"
    assert shown["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
    assert shown["SECURE_SSL_REDIRECT"] is True
    assert shown["DEBUG"] is False
    assert shown["STAFF_SECOND_FACTOR"] is True


def hsts(found: dict[str, Any]) -> tuple[int, bool, bool]:
    """Seconds, whether for subdomains, whether for the lists of browsers."""
    names = ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")
    seconds, subdomains, preload = (found[f"SECURE_HSTS_{name}"] for name in names)
    return seconds, subdomains, preload


def test_hsts_begins_small_and_binds_no_other_host(shown: dict[str, Any]) -> None:
    assert hsts(shown) == (3600, False, False)


@pytest.mark.slow
def test_hsts_is_what_the_operator_says_and_nothing_without_https() -> None:
    told = {"HSTS_SECONDS": "31536000", "HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"}
    assert hsts(settings_of(**told)) == (31_536_000, True, True)
    assert hsts(settings_of(HSTS_SECONDS="0")) == (0, False, False)
    assert hsts(settings_of(**told, HTTPS="0")) == (0, False, False)
    for name, text in {"HSTS_SECONDS": "63072001", "HSTS_SUBDOMAINS": "yes"}.items():
        refused = deployed("-m", "pasch.serve", **{name: text})
        assert f"The web server does not start: {name} must be" in refused.stderr


def test_the_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == ["'self'"]
    for directive in ("frame-ancestors", "base-uri", "object-src"):
        assert policy[directive] == ["'none'"]
    assert policy["manifest-src"] == policy["worker-src"] == ["'self'"]
    assert policy["report-uri"] == settings.CSP_REPORT_PATH
    sources = [given for name, given in policy.items() if not name.startswith("report-")]
    allowed = {source for given in sources for source in given}
    assert allowed == {"'none'", "'self'", "data:"}


SOUND = {
    "SECRET_KEY": KEY,
    "DICE_KEY": KEY[::-1],
    "ALLOWED_HOSTS": ["pasch.example"],
    "HTTPS": True,
    "DEBUG": False,
    "DICE_SOURCE": checks.FAIR_DICE,
    "EMBEDDED": False,
    "LEDGER_SEAL_FILE": "/srv/seals/seals.log",
    "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "SECURE_HSTS_SECONDS": 31_536_000,
    "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
    "SECURE_HSTS_PRELOAD": True,
}


@pytest.mark.parametrize(
    ("unsafe", "found"),
    [
        ({}, []),
        ({"SECRET_KEY": "short"}, ["pasch.E001"]),
        ({"DICE_KEY": "short"}, ["pasch.E007"]),
        ({"DICE_KEY": KEY}, ["pasch.E007"]),
        ({"ALLOWED_HOSTS": ["pasch.example", "*"]}, ["pasch.E002"]),
        ({"ALLOWED_HOSTS": ["127.0.0.1", "localhost", "[::1]"]}, ["pasch.E003"]),
        ({"DEBUG": True}, ["pasch.E004"]),
        ({"DICE_SOURCE": "harness.dice.Fixed"}, ["pasch.E005"]),
        ({"LEDGER_SEAL_FILE": ""}, ["pasch.E012"]),
        ({"LEDGER_SEAL_COMMAND": "cat"}, ["pasch.E013"]),
        ({"LEDGER_SEAL_FILE": "", "LEDGER_SEAL_PLACE": "no.such.Place"}, ["pasch.E013"]),
        ({"EMAIL_BACKEND": checks.NO_MAIL}, ["pasch.E011"]),
        ({"SECURE_HSTS_SECONDS": 3600}, ["pasch.E009"]),
        ({"SECURE_HSTS_INCLUDE_SUBDOMAINS": False}, ["pasch.E009"]),
    ],
    ids=[
        "sound",
        "short key",
        "short key of the dice",
        "one key for both",
        "any host",
        "no host",
        "debug",
        "dice of a test",
        "no place for seals",
        "half a command for seals",
        "no class for seals",
        "no mail server",
        "preload for an hour",
        "preload without subdomains",
    ],
)
def test_each_unsafe_setting_is_an_error(
    settings: Any, unsafe: dict[str, Any], found: list[str]
) -> None:
    for name, value in {**SOUND, **unsafe}.items():
        setattr(settings, name, value)
    messages = run_checks(tags=["security"], include_deployment_checks=True)
    ours = [message for message in messages if str(message.id).startswith("pasch.")]
    assert [message.id for message in ours] == found
    assert all(message.is_serious() for message in ours), "a start refuses what is serious"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "sentences"),
    [
        ({"SECRET_KEY": None}, ["SECRET_KEY"]),
        (
            {"SECRET_KEY": "short", "DICE_KEY": "short", "ALLOWED_HOSTS": "*", "DEBUG": "1"},
            ["pasch.E001", "pasch.E002", "pasch.E004", "pasch.E007"],
        ),
        ({}, ["database"]),
    ],
    ids=["no key", "everything unsafe", "no database"],
)
def test_the_web_server_refuses_an_unsafe_start(
    told: dict[str, str | None], sentences: list[str]
) -> None:
    result = deployed("-m", "pasch.serve", **told)
    assert result.returncode == 1
    assert "The web server does not start: " in result.stderr
    for sentence in sentences:
        assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_web_processes_start_after_the_checks_of_a_house_on_the_internet(
    tmp_path: Path,
) -> None:
    """The checks read the interface's schema, and so settings of the house, in a thread."""
    with Processes(tmp_path, []) as house:
        addresses = {name: house.environment[name] for name in ("DATABASE_URL", "REDIS_URL")}
        house.environment |= (
            DEPLOYED
            | addresses
            | {
                "DJANGO_SETTINGS_MODULE": "pasch.settings",
                "ALLOWED_HOSTS": "127.0.0.1",
                "LEDGER_SEAL_FILE": str(tmp_path / "seals.log"),
                "EMBEDDED": "0",
                "HTTPS": "0",
                "WEB_WORKERS": "2",
            }
        )
        house.ready_at = "/health/live/"
        house.start("web")


LIMITS = {
    "LEDGER_WELCOME_CENTS": "0",
    "LEDGER_PAYOUT_MINIMUM_CENTS": "500",
    "LEDGER_PAYOUT_LARGE_CENTS": "20000",
    "LEDGER_PAYOUT_WAIT_HOURS": "48",
    "LEDGER_SECOND_FACTOR_SECONDS": "300",
    "LEDGER_ALONE_CENTS": "1",
    "LEDGER_VOUCHER_DAY_CENTS": "7",
}


def test_the_limits_of_the_books_come_from_the_environment() -> None:
    found = settings_of(**LIMITS, LEDGER_SINGLE_ADMINISTRATOR="1", ALLOWED_HOSTS=None)
    assert {name: str(found[name]) for name in LIMITS} == LIMITS
    assert found["LEDGER_SINGLE_ADMINISTRATOR"] is True
    assert found["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"], "a check refuses these"


@pytest.mark.parametrize("text", ["-1", "1.5", "1,5", "1_000", "ten", "\u0661", "1e3", "1" * 16])
def test_what_is_no_whole_number_is_named(monkeypatch: Any, text: str) -> None:
    monkeypatch.setenv("LEDGER_WELCOME_CENTS", text)
    with pytest.raises(ImproperlyConfigured, match=r"^LEDGER_WELCOME_CENTS must be a whole number"):
        environment.whole("LEDGER_WELCOME_CENTS", 10_000)


def test_numbers_keep_within_their_bounds_and_empty_ones_are_the_default(monkeypatch: Any) -> None:
    monkeypatch.setenv("SECONDS", "59")
    with pytest.raises(ImproperlyConfigured, match=r"of 60 to 100, in digits only, not '59'"):
        environment.whole("SECONDS", 70, least=60, most=100)
    for text, found in {"60": 60, " 100 ": 100, "": 70, "  ": 70}.items():
        monkeypatch.setenv("SECONDS", text)
        assert environment.whole("SECONDS", 70, least=60, most=100) == found


@pytest.mark.parametrize("text", ["yes", "true", "on", "2", "01"])
def test_a_yes_that_is_not_one_is_named(monkeypatch: Any, text: str) -> None:
    monkeypatch.setenv("LEDGER_SINGLE_ADMINISTRATOR", text)
    with pytest.raises(ImproperlyConfigured, match=r"must be 1 \(yes\) or 0 \(no\)"):
        environment.flag("LEDGER_SINGLE_ADMINISTRATOR", False)


@pytest.mark.django_db
def test_a_database_that_may_forget_a_commit_is_refused() -> None:
    found = run_checks(tags=["database"], databases=["default"])
    assert [message for message in found if message.id == "pasch.E006"] == []
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = off")
    found = run_checks(tags=["database"], databases=["default"])
    assert [message.id for message in found] == ["pasch.E006"]


@pytest.mark.django_db
def test_web_processes_that_may_want_more_connections_than_there_are_are_refused(
    settings: Any,
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        most = int(cursor.fetchone()[0])
    settings.WEB_WORKERS, each = 2, (most - 3 - checks.OTHER_CONNECTIONS) // 2
    settings.DATABASE_POOL = {"max_size": each - checks.OWN_CONNECTIONS}
    found = run_checks(tags=["database"], databases=["default"])
    assert [message for message in found if message.id == "pasch.E010"] == []
    settings.DATABASE_POOL = {"max_size": each - checks.OWN_CONNECTIONS + 1}
    (refused,) = run_checks(tags=["database"], databases=["default"])
    assert refused.id == "pasch.E010"
    wanted = 2 * (each + 1) + checks.OTHER_CONNECTIONS
    assert f"2 web processes (WEB_WORKERS) with {each + 1} connections each" in refused.msg
    assert f"make {wanted}, and PostgreSQL has {most - 3}" in refused.msg


def test_an_empty_variable_is_a_missing_one(shown: dict[str, Any]) -> None:
    """Compose passes every variable that is not set as an empty one."""
    text = (ROOT / "platform/pasch/settings.py").read_text()
    names = set(re.findall(r'(?:environ\.get|choice|flag|names|whole)\(\s*"([A-Z_]+)"', text))
    empty = dict.fromkeys(names - set(DEPLOYED), "")
    assert len(empty) > 20
    assert settings_of(**empty) == shown


def test_a_second_terminal_knows_the_keys_of_the_house(tmp_path: Path) -> None:
    """Else the audit would reject the house's signatures."""
    (tmp_path / "dice-key").write_text(KEY)
    (tmp_path / "secret-key").write_text(KEY[::-1])
    embedded = dict.fromkeys(DEPLOYED) | {"PASCH_VAR": str(tmp_path)}
    found = settings_of(**embedded)
    assert (found["DICE_KEY"], found["SECRET_KEY"]) == (KEY, KEY[::-1])


@pytest.mark.parametrize(
    ("port", "begins"), [("465", "True False"), ("587", "False True"), ("25", "False True")]
)
def test_a_mail_server_on_port_465_speaks_tls_from_the_start(port: str, begins: str) -> None:
    shown = "from django.conf import settings as s; print(s.EMAIL_USE_SSL, s.EMAIL_USE_TLS)"
    result = deployed("-c", shown, DJANGO_SETTINGS_MODULE="pasch.settings", EMAIL_PORT=port)
    assert result.stdout.strip() == begins, result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("verification", "required"), [("mandatory", True), ("optional", False)])
def test_a_house_that_confirms_every_address_asks_for_it(verification: str, required: bool) -> None:
    shown = "from django.conf import settings as s; print('email*' in s.ACCOUNT_SIGNUP_FIELDS)"
    result = deployed(
        "-c", shown, DJANGO_SETTINGS_MODULE="pasch.settings", EMAIL_VERIFICATION=verification
    )
    assert result.stdout.strip() == str(required)
