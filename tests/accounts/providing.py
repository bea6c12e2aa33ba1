"""Walking through a login by a provider as a browser does: forms of pages, and ways back."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.login_provider import Provider, login_provider

LOGIN = "/accounts/oidc/key/login/"
LINKS = "/accounts/3rdparty/"


@pytest.fixture
def provider(settings: Any) -> Iterator[Provider]:
    with login_provider(settings) as server:
        server.claims = {
            "sub": "person-1",
            "email": "Tilo@Example.org",
            "email_verified": True,
            "preferred_username": "tilo",
            "given_name": "Tilo",
        }
        yield server


@pytest.fixture
def visitor() -> Client:
    """A browser, whose forms need their tokens."""
    return Client(enforce_csrf_checks=True)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


class Forms(HTMLParser):
    """The forms of a page: for each address what it sends when nobody changes anything."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self._open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append((known.get("action", ""), {}))
            self._open = True
        elif tag == "input" and self._open and "name" in known:
            self.found[-1][1][known["name"]] = known.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = False


def post_form(client: Client, place: str, action: str, **typed: str) -> Any:
    """Open a page and send its form to this address, as it stands there but for what is typed."""
    page = client.get(place, headers={"accept-language": "en"})
    assert page.status_code == 200, (place, page.status_code, getattr(page, "url", ""))
    forms = Forms(page.content.decode()).found
    sent = next(fields for where, fields in forms if where.partition("?")[0] == action)
    assert typed.keys() <= sent.keys(), sent
    return client.post(action or place, {**sent, **typed})


def way_out(answer: Any) -> str:
    """Return where the page that leads to the provider leads."""
    assert answer.status_code == 200, getattr(answer, "url", answer.content)
    text = answer.content.decode()
    found = re.search(r'<meta http-equiv="refresh" content="0;url=([^"]+)">', text)
    assert found is not None
    return found[1].replace("&amp;", "&")


def come_back(client: Client, answer: Any, provider: Provider) -> Any:
    """Go from the page that leads to the provider through it, and back to the house."""
    return client.get(provider.enter(way_out(answer)))


def by_provider(client: Client, provider: Provider, place: str = "") -> Any:
    """Log in with the button of the login page."""
    answer = post_form(client, place or reverse("account_login"), LOGIN)
    return come_back(client, answer, provider)


def signed_up(client: Client, provider: Provider, name: str, **typed: str) -> Any:
    """Sign up with a provider and this name."""
    answer = by_provider(client, provider)
    assert answer.url == reverse("socialaccount_signup"), answer.url
    return post_form(client, answer.url, answer.url, username=name, **typed)


def told(client: Client, place: str = "/accounts/login/") -> str:
    """Return the text of a page, messages included."""
    page = client.get(place, headers={"accept-language": "en"}).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
