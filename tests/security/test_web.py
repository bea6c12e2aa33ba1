"""The promises of every page: P4, P8, P9, P18, P19, P20, P22, P24, P27 of docs/security.md."""

import re
import time
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.signals import user_login_failed
from django.core import mail
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.login_limits import NETWORK
from accounts.middleware import PERSONAL
from accounts.models import User
from accounts.roles import Role
from games import settlement
from games.models import Match
from games.services import tables
from games.services.tables import table_join, table_open
from harness.servers import NO_VALKEY
from ledger.models import Entry
from ledger.services import books
from ledger.services.payouts import payout_request
from tests.architecture.sources import ROOT
from tests.desk.conftest import PASSWORD, at_desk
from tests.security.addresses import path_of, walk

pytestmark = pytest.mark.django_db

APPROVED = Path(__file__).with_name("addresses.txt")


def admin_pages() -> list[str]:
    return [route for route, _name in walk() if route.startswith("admin/")]


# --- P4: Django's administration has no login of its own ------------------------------------------


def test_p04_who_has_no_second_factor_sees_no_page_of_the_administration(
    magriel: User, staff: Any
) -> None:
    bare = staff("bert", Role.ADMINISTRATOR, second_factor=False)
    for person in (magriel, bare):
        client = at_desk(person)
        for route in admin_pages():
            answer = client.get(path_of(route, {}))
            assert answer.status_code in (302, 403, 404), route


def test_p04_no_password_reaches_the_hasher_through_the_administration(anna: User) -> None:
    tried: list[object] = []
    user_login_failed.connect(tried.append, weak=False, dispatch_uid="s04")
    client = Client()
    for number in range(100):
        form = {"username": "anna", "password": f"guess {number}", "next": "/admin/"}
        assert client.post("/admin/login/", form).status_code == 302
    user_login_failed.disconnect(dispatch_uid="s04")
    assert tried == []


def test_p04_rights_and_passwords_are_not_set_in_the_administration(
    anna: User, magriel: User
) -> None:
    anna.is_superuser = True
    anna.save()
    client = at_desk(anna)
    page = reverse("admin:accounts_user_change", args=[magriel.pk])
    form = {"username": "magriel", "email": "", "language": "", "theme": "", "is_active": "on"}
    client.post(page, {**form, "is_staff": "on", "is_superuser": "on", "groups": ["1"]})
    magriel.refresh_from_db()
    assert (magriel.is_staff, magriel.is_superuser) == (False, False)
    assert not magriel.groups.exists()
    assert client.get(f"/admin/accounts/user/{magriel.pk}/password/").status_code == 403
    assert client.get("/admin/auth/group/").status_code == 404


# --- P8: headers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/accounts/login/", "/play/", "/api/v1/wallet/", "/nowhere/"]
)
def test_p08_every_answer_carries_the_headers(client: Client, settings: Any, path: str) -> None:
    settings.SECURE_HSTS_SECONDS = 3600
    headers = Client().get(path, secure=True).headers
    assert headers["Strict-Transport-Security"] == "max-age=3600"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    policy = dict(
        each.strip().partition(" ")[::2] for each in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert "unsafe" not in headers["Content-Security-Policy"]


# --- P9: reading changes nothing ------------------------------------------------------------------


@pytest.fixture
def furnished(magriel: User, anna: User, payout: Any) -> dict[str, str]:
    """A house with rows for most addresses; the values of their paths."""
    hilde = User.objects.create_user("hilde", "hilde@example.org", PASSWORD)
    for person in (magriel, anna):  # as registering does
        EmailAddress.objects.get_or_create(
            user=person, email=person.email, defaults={"primary": True}
        )
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    return {
        "uuid:table_id": str(table.pk),
        "uuid:match_id": str(table.matches.get().pk),
        "int:payout_id": str(payout.pk),
        "int:user_id": str(magriel.pk),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["magriel", "anna"])
def test_p09_no_address_changes_anything_when_it_is_read(
    furnished: dict[str, str], tables_digest: Any, name: str
) -> None:
    person = User.objects.get(username=name)
    if name == "anna":
        User.objects.filter(pk=person.pk).update(is_superuser=True)
    client = at_desk(person)
    client.raise_request_exception = False
    before, answered, kept = tables_digest(), [], {}
    for route, _name in walk():
        if route.startswith(("admin/", "desk/")) != (name == "anna"):
            continue  # the staff's client reads their pages, the player's all others
        answer = client.get(path_of(route, furnished))
        b"".join(answer) if answer.streaming else answer.content
        assert answer.status_code in (200, 301, 302, 401, 403, 404, 405, 503), route
        answered.append(answer.status_code)
        if answer.status_code == 200 and "Cookie" in answer.get("Vary", ""):
            kept["/" + route] = answer.get("Cache-Control", "")
    assert tables_digest() == before
    assert answered.count(200) > 30, "most addresses answer with a page"
    assert [path for path, how in kept.items() if not how or "public" in how] == []
    own = [path for path in kept if path.startswith(PERSONAL)]
    assert len(own) > 15, "of these no browser keeps a copy, nor does anything between"
    assert [path for path in own if "no-store" not in kept[path]] == []


# --- P19: the client's address --------------------------------------------------------------------


def test_p19_another_address_in_a_header_frees_nobody_from_a_limit(magriel: User) -> None:
    client = Client(raise_request_exception=False)
    right = {"login": "magriel", "password": PASSWORD}
    while True:  # the tries are counted within a minute of the clock: none may fall into the next
        minute = int(time.time()) // NETWORK.seconds
        for number in range(NETWORK.count):
            header = {"x-forwarded-for": f"203.0.113.{number}", "x-real-ip": f"203.0.113.{number}"}
            form = {"login": f"somebody{number}", "password": "wrong"}
            client.post(reverse("account_login"), form, headers=header)
        answer = client.post(
            reverse("account_login"), right, headers={"x-forwarded-for": "203.0.113.99"}
        )
        if int(time.time()) // NETWORK.seconds == minute:
            break
        client.logout()
    assert answer.status_code in (200, 429)
    assert "_auth_user_id" not in client.session


# --- P20: accounts cannot be enumerated -----------------------------------------------------------


def test_p20_a_reset_answers_alike_whether_there_is_an_account(magriel: User) -> None:
    answers = []
    for address in ("magriel@example.org", "nobody@example.org"):
        client = Client(headers={"accept-language": "en"})
        answer = client.post(reverse("account_reset_password"), {"email": address}, follow=True)
        text = re.sub(r'(csrfmiddlewaretoken" value="|nonce=")[^"]*', "", answer.content.decode())
        answers.append((answer.status_code, answer.redirect_chain, text.replace(address, "")))
    assert answers[0] == answers[1]
    assert len(mail.outbox) == 2, "one with a link, one that says there is no account"


def test_p20_an_address_that_is_taken_is_not_told_to_who_registers(
    magriel: User, settings: Any
) -> None:
    """With verified addresses: without, two accounts cannot share one, and the page says so."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    form = {"password1": PASSWORD}
    taken, free = (
        Client().post(reverse("account_signup"), form | {"username": name, "email": address})
        for name, address in (("tilo", "magriel@example.org"), ("nuria", "free@example.org"))
    )
    assert (taken.status_code, taken["location"]) == (free.status_code, free["location"])


# --- P24: the list of addresses -------------------------------------------------------------------


def test_p24_the_site_has_the_approved_addresses_and_no_other() -> None:
    """A new address is approved by adding it to the list, where reviewers see it."""
    found = sorted({f"{route or '/'} {name}".strip() for route, name in walk()})
    approved = APPROVED.read_text(encoding="utf-8").splitlines()
    assert found == approved


# --- P27: user input is shown as text -------------------------------------------------------------

CORPUS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "<svg/onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7*7 }}{% now 'Y' %}",
    "<a href=javascript:alert(1)>x</a>",
    "\u202etxt.exe",
)


@pytest.mark.parametrize("text", CORPUS)
def test_p27_no_name_carries_markup(text: str) -> None:
    form = {"username": text, "password1": PASSWORD, "email": ""}
    Client().post(reverse("account_signup"), form)
    assert not User.objects.exists()


@pytest.mark.parametrize("text", CORPUS[:7])
def test_p27_what_a_player_writes_is_text_at_the_desk_and_in_his_wallet(
    magriel: User, anna: User, text: str
) -> None:
    asked = payout_request(
        user=magriel,
        amount_cents=100,
        destination=text,
        note=text,
        client_key="k",
        verified_at=timezone.now(),
    )
    pages = (
        at_desk(anna).get(reverse("desk:payout", args=[asked.pk])),
        at_desk(magriel).get(reverse("wallet_payouts")),
    )
    for page in pages:
        said = page.content.decode()
        assert page.status_code == 200
        assert "7*7" in said or "49" not in text
        if set(text) & set("<>\"'"):
            assert text not in said, "it is escaped"


def test_p27_no_template_and_no_code_lets_markup_through_by_itself() -> None:
    files = [
        *ROOT.glob("templates/**/*"),
        *(
            path
            for app in (
                "accounts",
                "analysis",
                "backgammon",
                "games",
                "house",
                "kit",
                "ledger",
                "ratings",
                "platform",
            )
            for path in ROOT.glob(f"{app}/**/*.py")
        ),
    ]
    loud = re.compile(r"\|\s*safe\b|\bmark_safe\b|autoescape\s+off|\|\s*safeseq\b")
    found = [str(path) for path in files if path.is_file() and loud.search(path.read_text())]
    assert found == []
    scripts = ROOT.glob("static/js/**/*.js")
    raw = re.compile(r"\.innerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function")
    assert [str(path) for path in scripts if raw.search(path.read_text())] == []


# --- stakes ---------------------------------------------------------------------------------------
#: each check between sitting down and the escrow, in Python: (module, name)
CHECKS = [
    (tables, "guest_check"),
    (settlement, "stakes_escrow"),
    (settlement, "_scopes"),
    (books, "_refuse_negative"),
    (books, "lines_of"),
    (books, "transfer_post"),
]
#: and in the database: (name, arguments, what it returns)
FUNCTIONS = [
    ("ledger_play_used", "p_wallet bigint, p_measure text, p_since timestamptz", "bigint"),
    ("ledger_stake_allowed", "p_owner bigint, p_wallet bigint, p_cents bigint", None),
    ("ledger_kind_allows", "p_kind text, p_account text, p_amount bigint", None),
]


class Broken(Exception):
    """A broken check."""


@pytest.fixture
def asked(magriel: User) -> Any:
    """A table of magriel, and hilde, who wants to sit down."""
    hilde = User.objects.create_user("hilde")
    return table_open(user=magriel, mode="prize5", stake_cents=250), hilde


def refused(asked: Any, tables_digest: Any, error: type[Exception]) -> None:
    """Check that sitting down fails with this error and changes nothing."""
    table, hilde = asked
    before = tables_digest()
    with pytest.raises(error):
        table_join(user=hilde, table_id=table.pk)
    assert tables_digest() == before
    assert not Match.objects.exists()
    assert not Entry.objects.filter(transfer__kind="stake").exists()


@pytest.mark.parametrize(("module", "name"), CHECKS, ids=[name for _, name in CHECKS])
def test_p22_a_broken_check_lets_no_stake_through(
    asked: Any, tables_digest: Any, monkeypatch: Any, module: Any, name: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise Broken(name)

    monkeypatch.setattr(module, name, broken)
    refused(asked, tables_digest, Broken)


@pytest.mark.parametrize("name", [name for name, *_ in FUNCTIONS])
def test_p22_a_broken_check_of_the_database_lets_no_stake_through(
    asked: Any, magriel: User, tables_digest: Any, name: str
) -> None:
    from ledger.services.limits import limit_set

    limit_set(user=magriel, measure="stake", period="day", amount_cents=10_000)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = %s", [name])
        (source,) = cursor.fetchone()
        head = source[: source.index("AS $")].replace("LANGUAGE sql", "LANGUAGE plpgsql")
        cursor.execute(f"{head} AS $b$ BEGIN RAISE 'broken on purpose'; END $b$")
    refused(asked, tables_digest, DatabaseError)


def test_p18_without_valkey_nobody_logs_in_and_no_limit_is_forgotten(
    magriel: User, settings: Any
) -> None:
    redis = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": redis, "LOCATION": NO_VALKEY}}
    client = Client()
    form = {"login": "magriel", "password": PASSWORD}
    with pytest.raises(RedisError):
        client.post(reverse("account_login"), form)
    assert "_auth_user_id" not in client.session


def test_p18_limits_are_counted_where_every_process_sees_them(settings: Any) -> None:
    assert settings.CACHES["default"]["BACKEND"].endswith("RedisCache")
