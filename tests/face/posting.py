"""Posts a form of a page as the browser would, and says what is wrong with the answer.

Chromium renders, fills, checks and encodes the form. What it would send goes to the site with its
cookies, and is taken back afterwards, so that no form sees what another one has done.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import resolve

SCRIPT: Final = Path(__file__).with_name("forms.js").read_text(encoding="utf-8")
HOWS: Final = ("shown", "filled", "empty")
#: what a page that names a mistake may answer
TOLD: Final = (400, 409, 422, 429)

Form = dict[str, Any]


def forms_of(page: Any) -> list[Form]:
    """Each form of the page, once for each of its buttons."""
    page.evaluate(f"() => {{ window.forms = {SCRIPT.strip()} }}")
    found: list[Form] = page.evaluate("() => forms.all()")
    return found


def key_of(form: Form) -> str:
    """What the form has in common with those of the same kind on other pages."""
    view = resolve(form["path"]).view_name
    return f"{form['method']} {view} {','.join(form['names'])} {form['button']}"


def faults_of(page: Any, form: Form, html: str) -> Iterator[str]:
    """What is wrong when this form is posted as it is shown, filled in, and emptied."""
    seen = []
    for how in HOWS:
        sent = page.evaluate("([n, b, how]) => forms.send(n, b, how)", [form["n"], form["b"], how])
        yield from (
            f"{how}: the browser refuses {each['name']}, which nobody sees"
            for each in sent["invalid"]
            if not each["seen"]
        )
        if sent["told"] and sent["told"] not in seen:
            seen.append(sent["told"])
            with _taken_back():
                yield from (f"{how}: {line}" for line in _answered(page, sent["told"], html))
            cache.clear()


@contextmanager
def _taken_back() -> Iterator[None]:
    """Run as if committed, and roll all of it back afterwards."""
    outer = transaction.atomic()
    outer._from_testcase = True  # type: ignore[attr-defined]  # durable blocks may be inside
    with outer:
        yield
        transaction.set_rollback(True)


def _answered(page: Any, told: dict[str, Any], html: str) -> Iterator[str]:
    try:
        response = _sent(page, told)
    except Exception as error:  # the page fails, whatever it was
        yield f"{type(error).__name__}: {error}"
        return
    if response.status_code >= 400 and response.status_code not in TOLD:
        yield f"answered {response.status_code}"
    elif told["method"] == "post" and _is_page(response):
        answer = response.content.decode()
        if not page.evaluate("([a, b]) => forms.added(a, b)", [html, answer]):
            yield "the same page again, without a word"
        if "errorlist" in answer:
            yield from _unseen(page, answer)


def _is_page(response: HttpResponse) -> bool:
    is_html = "html" in response.headers.get("Content-Type", "")
    return response.status_code in (200, *TOLD) and not response.streaming and is_html


def _sent(page: Any, told: dict[str, Any]) -> HttpResponse:
    """The answer of the site to what the browser would send, with the browser's cookies."""
    client = Client(enforce_csrf_checks=True)
    for cookie in page.context.cookies():
        client.cookies[cookie["name"]] = cookie["value"]
    address = urlsplit(told["address"])
    data = QueryDict(mutable=True)
    for name, value in told["pairs"]:
        data.appendlist(name, value)
    headers = {"host": address.netloc, "referer": page.url}
    headers |= {"hx-request": "true"} if told["htmx"] else {}
    if told["method"] == "get":
        asked = {**parse_qs(address.query), **dict(data.lists())}
        return client.get(address.path, asked, headers=headers)
    headers["origin"] = f"{address.scheme}://{address.netloc}"
    path = f"{address.path}?{address.query}" if address.query else address.path
    return client.post(path, dict(data.lists()), headers=headers)


def _unseen(page: Any, answer: str) -> list[str]:
    """The errors of this answer that nobody sees when the browser shows it."""
    other = page.context.new_page()
    base = f'<base href="{page.url}">'
    other.route("**/*.js", lambda route: route.abort())
    other.set_content(answer.replace("<head>", f"<head>{base}", 1), wait_until="load")
    other.evaluate(f"() => {{ window.forms = {SCRIPT.strip()} }}")
    unseen = [f"nobody sees: {text}" for text in other.evaluate("() => forms.unseen()")]
    other.close()
    return unseen
