"""S19: a body of 100,000 brackets was answered with 500; other odd JSON may be as well."""

import re
from collections.abc import Iterator

import pytest
import requests
from django.conf import settings as site
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from websockets.sync.client import connect

from accounts.models import User
from accounts.roles import Role, role_give
from analysis.models import Exercise
from analysis.training.house_set import set_store
from backgammon.tests.amounts import LONG
from games.services.tables import table_open
from games.wire import FRAME_BYTES_MAX
from harness.logins import logged_in, session_cookie
from harness.waiting import WAIT_SECONDS
from tests.conftest import magriel
from tests.live.conftest import voice
from tests.security.addresses import path_of, walk

__all__ = ["magriel", "voice"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BRACKETS = 100_000
API = "/api/v1/"

#: bodies that no operation accepts
BODIES: dict[str, str] = {
    "brackets": "[" * BRACKETS,
    "closed brackets": "[" * BRACKETS + "]" * BRACKETS,
    "braces": '{"a":' * BRACKETS,
    "nothing": "",
    "half a word": "nul",
    "a list": "[]",
    "a number": "1",
    "a string": '"x"',
    "not UTF-8": "\udcff",
    "too much": '{"a": "' + "x" * 2_000_000 + '"}',
}

#: values to send in place of any other value
VALUES: dict[str, str] = {
    "infinite": "1e999",
    "minus infinite": "-1e999",
    "NaN": "NaN",
    "Infinity": "Infinity",
    "5,000 digits": "9" * 5_000,
    "30 digits": "9" * 30,
    "64 bits and one": str(2**64),
    "a small number": "1e-999",
    "a lone surrogate": r'"\ud800"',
    "NUL": r'"a\u0000b"',
    "deep": "[" * 900 + "]" * 900,
    "not so deep": "[" * 100 + "]" * 100,
    "an object": '{"a": {"b": null}}',
    "a long text": '"' + "x" * 60_000 + '"',
    "direction marks": '"\u202e\u2066"',
    "true": "true",
    "null": "null",
}


def operations() -> list[tuple[str, str, tuple[str, ...]]]:
    """(verb, route, fields of the body) of every operation that takes one."""
    schema = Client().get("/api/schema/").json()
    parts = schema["components"]["schemas"]
    found = []
    for route, verbs in schema["paths"].items():
        for verb, operation in verbs.items():
            if verb == "get":
                continue
            media = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            name = media.get("schema", {}).get("$ref", "").rpartition("/")[2]
            found.append((verb, route, tuple(parts.get(name, {}).get("properties", {}))))
    return found


def bodies(fields: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The bodies to send to an operation with these fields, each with a name."""
    yield from BODIES.items()
    for field in fields or ("x",):
        for name, value in VALUES.items():
            yield f"{field}: {name}", f'{{"{field}": {value}}}'
        yield f"{field} twice", f'{{"{field}": 1, "{field}": 2}}'
    yield "a key that is a surrogate", r'{"\ud800": 1}'


def address(route: str) -> str:
    given = {"{measure}": "loss", "{period}": "day", "{payout_id}": "1", "{year}": "2026"}
    given["{key}"] = str(Exercise.objects.filter(kind="take").values_list("pk", flat=True)[0])
    for part, value in given.items():
        route = route.replace(part, value)
    route = re.sub(r"\{[a-z]+_id\}", "5b1c4b9e-7b0c-4b7a-9b1c-4b9e7b0c4b7a", route)
    assert "{" not in route, route
    return route


def _is_shaped(answer: HttpResponse) -> bool:
    """Whether a refusal has the shape of all refusals."""
    return answer.status_code < 400 or {"code", "message"} <= answer.json().keys()


def program(user: User) -> Client:
    return logged_in(Client(raise_request_exception=False), user)


def test_no_operation_answers_odd_json_with_an_error_of_ours(magriel):
    set_store(using="default")  # a test before this one may have emptied the database
    client, wrong, asked = program(magriel), [], 0
    for number, (verb, route, fields) in enumerate(operations()):
        for name, text in list(bodies(fields))[:: 1 if LONG else 2 + number % 2]:
            cache.clear()  # this test is not about the limit of requests
            answer = getattr(client, verb)(
                address(route),
                text.encode("utf-8", "surrogateescape"),
                content_type="application/json",
                headers={"Idempotency-Key": "of-this-very-test"},
            )
            asked += 1
            if answer.status_code >= 500 or not _is_shaped(answer):
                wrong.append((route, name, answer.status_code))
    assert asked > (500 if LONG else 150)
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * BRACKETS, "bytes"),
        ("[" * 60_000, "deep"),
        ("[" * 100 + "]" * 100, "deep"),
        ('{"code": 1e999}', "number"),
        ('{"code": -1e999}', "number"),
        ('{"code": NaN}', "NaN"),
        ('{"code": ' + "9" * 5_000 + "}", "digits"),
        (r'{"code": "\ud800"}', "character"),
        (r'{"\ud800": 1}', "character"),
        ('{"code": "A", "code": "B"}', "twice"),
        ('{"code": "' + "x" * 70_000 + '"}', "bytes"),
        ("{", "JSON"),
    ],
)
def test_the_answer_says_what_is_wrong(magriel, text, told):
    answer = program(magriel).post(
        f"{API}vouchers/redeem/", text.encode(), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert told in answer.json()["message"]


def test_a_hundred_thousand_brackets_at_the_running_house(live, magriel):
    """Each is sent over real HTTP, and the same session is served afterwards."""
    session = requests.Session()
    client = logged_in(Client(), magriel)
    session.cookies.set(site.SESSION_COOKIE_NAME, client.session.session_key)
    token = "a" * 32
    session.cookies.set(site.CSRF_COOKIE_NAME, token)
    headers = {"Content-Type": "application/json", "X-CSRFToken": token, "Referer": live}
    for text in ("[" * BRACKETS, "[" * BRACKETS + "]" * BRACKETS, '{"a":' * BRACKETS):
        answer = session.post(
            f"{live}{API}tables/open/", text, headers=headers, timeout=WAIT_SECONDS
        )
        assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert session.get(f"{live}{API}wallet/", timeout=WAIT_SECONDS).status_code == 200


def test_deep_json_closes_no_socket(voice, tilo, sitting):
    """Each frame is answered with an error, and the socket goes on."""
    one, before = voice(tilo), sitting.table.seq
    one.resume()
    half = FRAME_BYTES_MAX // 2
    frames = [
        "[" * FRAME_BYTES_MAX,
        "[" * half + "]" * half,
        '{"a":' * (FRAME_BYTES_MAX // 5),
        '{"type":"command","id":"a","seq":1,"command":' + "[" * 10_000 + "]" * 5_000 + "}",
        '{"type":"play","x":' + "[" * 5_000 + "]" * 5_000 + "}",
        '{"type":"ping","sent_ms":1e999}',
        '{"type":"ping","sent_ms":' + "9" * 5_000 + "}",
        r'{"type":"say","id":"a","text":"\ud800"}',
        '{"type":"ping","sent_ms":NaN}',
    ]
    for frame in frames:
        one.say(frame)
        assert one.hear("error")["code"] == "bad_frame", frame[:40]
    one.say({"type": "ping", "sent_ms": 1})
    assert one.hear("pong")["sent_ms"] == 1
    assert sitting.table.seq == before


def test_deep_json_does_not_disturb_the_lobby(live, magriel):
    """The socket of the lobby ignores all frames that it receives, and still sends news."""
    headers = {"Cookie": "=".join(session_cookie(magriel))}
    url = f"{live.replace('http', 'ws')}/ws/lobby/"
    with connect(url, additional_headers=headers, origin=live) as socket:
        assert '"changed"' in socket.recv(timeout=WAIT_SECONDS)
        for text in ("[" * 10_000, "[" * 5_000 + "]" * 5_000, r'{"a": "\ud800"}'):
            socket.send(text)
        table_open(user=magriel, mode="normal")
        assert '"changed"' in socket.recv(timeout=WAIT_SECONDS)


@pytest.mark.parametrize("depth", [10, 500, 900, 940, 960, 980, 1_000, 8_000])
def test_deep_reports_of_browsers_are_left_out(depth):
    """A browser's report may be nested to any depth, also to the last that can still be parsed."""
    deep = "[" * depth + "]" * depth
    for text in (deep, f'{{"csp-report": {{"document-uri": {deep}, "sample": {deep}}}}}'):
        answer = Client().post("/csp-report/", text, content_type="application/csp-report")
        assert answer.status_code in (204, 413)


def test_odd_characters_in_addresses_and_forms_are_no_error_of_ours(magriel):
    """Send NUL and half characters in every query, path and form of the site."""
    client, wrong = program(magriel), []
    odd = "a%00b%ED%A0%80%FF"
    names = ("search", "opponent", "mode", "code", "page", "variant", "username", "after", "kind",
             "since", "until", "table", "part", "state", "next", "result")  # fmt: skip
    query = "&".join(f"{name}={odd}" for name in names)
    for route, _ in walk():
        if "admin/" in route or route.startswith(("accounts/", "health/")):
            continue
        plain = path_of(route, {})
        paths = {f"{plain}?{query}"}
        if "<str:username>" in route:
            paths.add(path_of(route, {"str:username": odd}))
        for path in paths:
            if client.get(path).status_code >= 500:
                wrong.append(("GET", path))
        form = "&".join([query, "amount=1e999", "stake_cents=" + "9" * 5_000])
        media = "application/x-www-form-urlencoded"
        if client.post(plain, form, content_type=media).status_code >= 500:
            wrong.append(("POST", plain))
        if "logout" in route or not client.session.get("_auth_user_id"):
            client = program(magriel)
    assert wrong == []


def test_odd_characters_at_the_desk_are_no_error_of_ours(settings):
    settings.STAFF_SECOND_FACTOR = False
    anna = User.objects.create_user("anna")
    role_give(anna, Role.ADMINISTRATOR)
    client, wrong, seen = program(anna), [], 0
    names = ("search", "state", "page", "seq", "verb", "actor", "subject", "kind")
    query = "&".join(f"{name}=a%00b%ED%A0%80%FF" for name in names)
    for route, _ in walk():
        if route.startswith("desk/"):
            status = client.get(f"{path_of(route, {})}?{query}").status_code
            seen += status == 200
            if status >= 500:
                wrong.append((route, status))
    assert seen > 8
    assert wrong == []


def test_json_is_utf8_whatever_the_header_says(magriel):
    for charset in ("utf-7", "utf-16", "rot13", "hex", "nothing"):
        answer = program(magriel).generic(
            "POST",
            f"{API}vouchers/redeem/",
            '{"code": "ABCD"}',
            content_type=f"application/json; charset={charset}",
        )
        assert answer.status_code in (400, 409, 415), charset
