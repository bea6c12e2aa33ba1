"""One dishonest person's browser or program: pages, their forms, and plain requests."""

import json
import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import lxml.html
import requests

ANSWER_SECONDS: Final = 60.0

#: the value for a field of this name, in any form.
HOSTILE: Final[dict[str, str]] = {
    "amount": "40.00",
    "amount_cents": "4000",
    "count": "3",
    "days": "30",
    "destination": "DE02 1203 0000 0000 2020 51",
    "direction": "give",
    "email": "thief@example.net",
    "expires_at": "",
    "id": "1",
    "note": "as agreed",
    "password": "a-password-of-the-thief-1",
    "password1": "a-password-of-the-thief-1",
    "rake_bps": "0",
    "reason": "as agreed",
    "receipt": "TX-1",
    "role": "administrator",
    "scope": "house",
    "seat": "0",
    "winner_seat": "0",
    "stake_cents": "250",
    "state": "paid",
    "text": "as agreed",
}


@dataclass(slots=True)
class PageForm:
    """A form of a page, filled in as somebody dishonest would."""

    action: str
    method: str
    fields: dict[str, str]


@dataclass(slots=True)
class Visitor:
    """Somebody with a session, a token, or neither."""

    base: str
    session: str = ""
    token: str = ""
    name: str = ""
    seed: int = 0
    http: requests.Session = field(default_factory=requests.Session)
    rng: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.http.trust_env = False
        # a server may close a connection that was idle at the moment it is used again
        self.http.headers["Connection"] = "close"
        if self.session:
            self.http.cookies.set("session", self.session)

    def get(self, path: str) -> requests.Response:
        """Open a page."""
        return self._ask("GET", path)

    def post(self, path: str, fields: dict[str, str]) -> requests.Response:
        """Send a form, with the token that protects forms."""
        return self._ask("POST", path, data={**fields, "csrfmiddlewaretoken": self._csrf()})

    def send(self, path: str, data: bytes) -> requests.Response:
        """Send a file as the body of a request, as a page's script does."""
        headers = {"Content-Type": "application/octet-stream", "X-CSRFToken": self._csrf()}
        return self._ask("POST", path, data=data, headers=headers)

    def rest(self, method: str, path: str, body: dict[str, Any]) -> requests.Response:
        """Call the REST interface, with the session's token of forms or a bot's token."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        else:
            headers["X-CSRFToken"] = self._csrf()
        return self._ask(method, path, data=json.dumps(body), headers=headers)

    def forms(self, path: str, name: str) -> Iterator[PageForm]:
        """Every form of a page that sends something, filled in; `name` stands for a person."""
        yield from self.forms_in(self.get(path), path, name)

    def forms_in(self, answer: requests.Response, path: str, name: str) -> Iterator[PageForm]:
        """Every form of an answer that sends something; none where it is no page."""
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code != 200 or "html" not in kind or not answer.text.strip():
            return
        page = lxml.html.fromstring(answer.text)
        for form in page.forms:
            if (form.method or "GET").upper() == "POST":
                yield PageForm(form.action or path, "POST", dict(self._filled(form, name)))

    def _filled(self, form: Any, name: str) -> Iterator[tuple[str, str]]:
        for control in form.inputs:
            field_name, kind = control.name, getattr(control, "type", "")
            if not field_name or field_name == "csrfmiddlewaretoken":
                continue
            if kind == "hidden":
                yield field_name, control.value or ""
            elif hasattr(control, "value_options"):  # a list, or buttons of which one is chosen
                yield field_name, self._chosen(field_name, [o for o in control.value_options if o])
            elif field_name in ("player", "username", "name", "person"):
                yield field_name, name
            else:
                yield field_name, HOSTILE.get(field_name, "on" if kind == "checkbox" else "1")

    def _chosen(self, name: str, options: list[str]) -> str:
        wanted = HOSTILE.get(name, "")
        return wanted if wanted in options or not options else self.rng.choice(options)

    def _csrf(self) -> str:
        if not self.http.cookies.get("csrftoken"):
            self._ask("GET", "/rules/")
            self._ask("GET", "/accounts/login/")
        return self.http.cookies.get("csrftoken") or ""

    def _ask(self, method: str, path: str, **more: Any) -> requests.Response:
        address = path if path.startswith("http") else self.base + path
        headers = {"Referer": self.base + "/", "Origin": self.base, **more.pop("headers", {})}
        return self.http.request(
            method,
            address,
            headers=headers,
            timeout=ANSWER_SECONDS,
            allow_redirects=False,
            **more,
        )
