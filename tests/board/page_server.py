"""The table page and its static files from a small web server: no sockets, no session."""

import mimetypes
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import connections
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from accounts.settings_pages import settings_page
from harness.static_files import static_file

TABLE_ID = UUID("6f0c0000-0000-4000-8000-000000000001")
#: the static files do not change while the tests run
STATIC_SECONDS = 3600
#: fields of the query and their values when they are missing
DEFAULTS = (("lang", ["en"]), ("theme", ["nussbaum"]))
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
)


def table_page(language: str, theme: str, cookie: str = "") -> str:
    """The table page as the site renders it for a visitor without an account."""
    request = RequestFactory(headers={"cookie": cookie}).get(f"/table/{TABLE_ID}/")
    request.user = AnonymousUser()
    request.COOKIES["theme"] = theme
    try:
        with translation.override(language):
            return render_to_string(
                "games/table.html", {"table_id": TABLE_ID, "theme": theme}, request=request
            )
    finally:
        connections.close_all()  # the thread of a browser's connection lasts for many pages


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path.startswith("/static/"):
            name = url.path.removeprefix("/static/")
            body = static_file(name)
            if body is None:
                self.send_error(404)
                return
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            self._answer(body, kind, STATIC_SECONDS)
        else:
            query = parse_qs(url.query)
            language, theme = (query.get(*key)[0] for key in DEFAULTS)
            page = table_page(language, theme, self.headers.get("Cookie", ""))
            self._answer(page.encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Store preferences in the visitor's cookie."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name: self.headers.get(name, "") for name in ("accept", "cookie")}
        request = RequestFactory(headers=headers).post(
            "/settings/", body, content_type=self.headers["Content-Type"]
        )
        request.user = AnonymousUser()
        answer = settings_page(request)
        cookies = [morsel.OutputString() for morsel in answer.cookies.values()]
        self._answer(answer.content, "application/json", status=answer.status_code, cookies=cookies)

    def _answer(
        self,
        body: bytes,
        kind: str,
        max_age: int = 0,
        *,
        status: int = 200,
        cookies: Sequence[str] = (),
    ) -> None:
        self.send_response(status)
        for cookie in cookies:
            self.send_header("Set-Cookie", cookie)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", f"max-age={max_age}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the browser's console reports missing files."""


@contextmanager
def page_server() -> Iterator[str]:
    """Serve the page on a free port and return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
