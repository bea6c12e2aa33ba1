"""A house as a stranger sees it: at its public address."""

import http.client
import socket
import ssl
from dataclasses import dataclass
from email.message import Message
from typing import Final
from urllib.parse import urlsplit

TIMEOUT_SECONDS: Final = 5.0
AGENT: Final = "pasch-doctor"


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """The response to a request; `body` as it was sent, compressed or not."""

    status: int
    headers: Message
    body: bytes


@dataclass(frozen=True, slots=True)
class Site:
    """The public address; `plain_url` is where browsers come without https."""

    url: str
    plain_url: str

    @property
    def host(self) -> str:
        """The name of the host."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """The port of https."""
        return urlsplit(self.url).port or 443

    @property
    def origin(self) -> str:
        """Scheme, host and port, as browsers send them."""
        return f"https://{urlsplit(self.url).netloc}"

    def get(self, path: str, **headers: str) -> SiteAnswer:
        """Request a path over https. The certificate is checked by a check of its own."""
        connection = http.client.HTTPSConnection(
            self.host, self.port, timeout=TIMEOUT_SECONDS, context=unchecked()
        )
        return _asked(connection, path, headers)

    def get_plain(self, path: str, **headers: str) -> SiteAnswer:
        """Request a path over http; redirects are not followed."""
        parts = urlsplit(self.plain_url)
        connection = http.client.HTTPConnection(
            parts.hostname or "", parts.port or 80, timeout=TIMEOUT_SECONDS
        )
        return _asked(connection, path, headers)

    def certificate(self) -> dict[str, object]:
        """The certificate as Python describes it; raises `ssl.SSLError` if it is not valid."""
        context = ssl.create_default_context()
        with (
            socket.create_connection((self.host, self.port), TIMEOUT_SECONDS) as line,
            context.wrap_socket(line, server_hostname=self.host) as secure,
        ):
            return dict(secure.getpeercert() or {})


def unchecked() -> ssl.SSLContext:
    """A context for https that accepts any certificate; nothing secret is ever sent."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def site_at(url: str, plain_url: str = "") -> Site:
    """The site at an address; raises `ValueError` if it is none with https."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise ValueError(f"--url must begin with https:// and have a host, not {url!r}.")
    return Site(url.rstrip("/"), plain_url or f"http://{parts.hostname}/")


def _asked(
    connection: http.client.HTTPConnection, path: str, headers: dict[str, str]
) -> SiteAnswer:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request("GET", path, headers={"User-Agent": AGENT, **told})
        answer = connection.getresponse()
        return SiteAnswer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()
