"""Checks of the public address, as a stranger sees it: pages, WebSockets, the certificate."""

import re
import secrets
import ssl
import time
from typing import Any, Final, cast

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pasch.doctor.registry import Diagnosis, ok, outside, warning, wrong
from pasch.doctor.site import TIMEOUT_SECONDS, Site, SiteAnswer, unchecked

#: as docs/security.md promises (P8)
PROMISED: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}
POLICY: Final = ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
YEAR_SECONDS: Final = 365 * 24 * 60 * 60
_STATIC: Final = re.compile(rb'(?:href|src)="(/static/[^"]+\.(?:css|js))"')
_MAX_AGE: Final = re.compile(r"max-age=(\d+)")


@outside
def home_page(site: Site) -> Diagnosis:
    """The first page opens."""
    answer = site.get("/")
    if answer.status != 200:
        todo = "ALLOWED_HOSTS must have this host" if answer.status == 400 else "look at ready"
        return wrong(f"{site.url}/ answers {answer.status}", todo)
    return ok(f"{site.url}/ opens")


@outside
def ready(site: Site) -> Diagnosis:
    """The web server is ready, as far as it says so to the outside."""
    answer = site.get("/health/ready/")
    if answer.status == 404:
        return ok("/health/ready/ is not published, as with nginx of deploy/")
    if answer.status == 200:
        return ok("/health/ready/ answers that the web server is ready")
    text = answer.body.decode("utf-8", "replace")[:300]
    return wrong(f"/health/ready/ answers {answer.status}: {text}", "run the doctor inside")


@outside
def kept_inside(site: Site) -> Diagnosis:
    """The state of the house and its figures are not for everybody."""
    if site.get("/health/house/").status != 404:
        return warning("/health/house/ is published", "let the proxy answer 404 for /health/")
    if site.get("/metrics/").status == 200:
        return wrong("/metrics/ is open without a token", "set METRICS_TOKEN")
    return ok("the state and the figures of the house stay inside")


@outside
def headers(site: Site) -> Diagnosis:
    """Pages carry the headers that docs/security.md promises."""
    answer = site.get("/")
    lacks = [name for name, value in PROMISED.items() if answer.headers.get(name) != value]
    policy = str(answer.headers.get("Content-Security-Policy", ""))
    if "unsafe" in policy or not all(each in policy for each in POLICY):
        lacks.append("Content-Security-Policy")
    if lacks:
        text = f"missing or changed: {', '.join(lacks)}"
        return wrong(text, "let the proxy pass the headers of the house on")
    return ok("the headers of security are there")


@outside
def cookies(site: Site) -> Diagnosis:
    """Cookies are bound to this host and to https."""
    found = site.get("/accounts/login/").headers.get_all("Set-Cookie") or []
    loose = [each for each in found if not each.startswith("__Host-") or "Secure" not in each]
    if loose:
        name = loose[0].split("=")[0]
        return wrong(f"the cookie {name} is not bound to https", "set HTTPS=1")
    return ok(f"{len(found)} cookies, all bound to this host and https")


@outside
def static_files_outside(site: Site) -> Diagnosis:
    """Scripts and styles are compressed, and browsers keep them."""
    page = site.get("/")
    found = _STATIC.search(page.body)
    if not found:
        return warning("the first page names no script or style", "look at the check home-page")
    answer = site.get(found[1].decode(), Accept_Encoding="br, gzip")
    if answer.status != 200:
        return wrong(f"{found[1].decode()} answers {answer.status}", "run manage.py prepare")
    if answer.headers.get("Content-Encoding") not in ("br", "gzip"):
        return warning("static files are not compressed", "let the proxy pass Accept-Encoding on")
    if _kept_seconds(answer) < YEAR_SECONDS:
        return warning(
            "browsers fetch static files again and again",
            "let the proxy keep Cache-Control; the names change with the content",
        )
    return ok("static files are compressed, and kept for a year")


@outside
def client_address(site: Site) -> Diagnosis:
    """The proxy overwrites what clients say about themselves, as far as that can be seen."""
    claimed = f"doctor-{secrets.token_hex(8)}"
    answer = site.get("/ranking/", X_Request_ID=claimed, X_Forwarded_For="203.0.113.7")
    if answer.headers.get("X-Request-ID") == claimed:
        return wrong(
            "the house believes a client's X-Request-ID, so also X-Forwarded-For: limits can be"
            " evaded by claiming other addresses",
            "let the proxy overwrite both, and keep TRUSTED_PROXIES to the proxy alone",
        )
    if _plain_status(site, X_Forwarded_Proto="https") == 200:
        text = "a client's X-Forwarded-Proto is believed: pages come without https"
        return wrong(text, "let the proxy overwrite it")
    if site.get("/", Host="stranger.invalid").status == 200:
        return wrong("the house answers to any host name", "set ALLOWED_HOSTS")
    return ok("claims of a client about itself are not believed")


def _plain_status(site: Site, **headers: str) -> int:
    """The status of a page without https; 0 if nothing answers there."""
    try:
        return site.get_plain("/ranking/", **headers).status
    except OSError:
        return 0


def _kept_seconds(answer: SiteAnswer) -> int:
    found = _MAX_AGE.search(str(answer.headers.get("Cache-Control", "")))
    return int(found[1]) if found else 0


PATH: Final = "/ws/lobby/"


@outside
def web_socket(site: Site) -> Diagnosis:
    """A page of the house can open a WebSocket, and a page of a stranger cannot."""
    status = _status(site, site.origin)
    if status != 101:
        return wrong(
            f"a WebSocket gets the answer {status}: nobody can play",
            "let the proxy pass Upgrade, Connection and Host on for /ws/",
        )
    if _status(site, "https://stranger.invalid") == 101:
        return wrong(
            "pages of strangers can open a WebSocket as the people who are logged in",
            "look at CSRF_TRUSTED_ORIGINS, and whether the proxy changes Origin",
        )
    return ok("WebSockets open, for pages of this house alone")


def _status(site: Site, origin: str) -> int:
    """The status of a handshake from a page of this origin; 101 if it opens."""
    address = f"wss://{site.origin.removeprefix('https://')}{PATH}"
    try:
        with connect(
            address,
            additional_headers={"Origin": origin},
            ssl=unchecked(),
            open_timeout=TIMEOUT_SECONDS,
            close_timeout=1,
            proxy=None,
        ):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


#: certificate authorities renew 30 days before the end
DAYS_WARNING, DAYS_WRONG = 21, 7
DAY_SECONDS: Final = 86_400
HSTS_SECONDS_MIN: Final = 3600


@outside
def certificate(site: Site) -> Diagnosis:
    """The certificate is valid, names the host, and lasts."""
    try:
        found = cast(dict[str, Any], site.certificate())
    except ssl.SSLCertVerificationError as error:
        return wrong(
            f"browsers refuse the certificate: {error.verify_message}",
            "renew it, for exactly this host name (deploy/README.md)",
        )
    ends = ssl.cert_time_to_seconds(found["notAfter"])
    days = int((ends - time.time()) // DAY_SECONDS)
    text = f"the certificate for {site.host} is valid for {days} more days"
    todo = "renew it, and look why that does not happen by itself"
    if days < DAYS_WRONG:
        return wrong(text, todo)
    return warning(text, todo) if days < DAYS_WARNING else ok(text)


@outside
def redirect(site: Site) -> Diagnosis:
    """Requests without https are sent to https, and keep their path."""
    try:
        answer = site.get_plain("/ranking/?doctor=1")
    except OSError as error:
        text = f"nothing answers at {site.plain_url}: {error}"
        return warning(text, "people who type the name alone find nothing: redirect to https there")
    to = str(answer.headers.get("Location", ""))
    if answer.status not in (301, 302, 307, 308) or not to.startswith("https://"):
        text = f"{site.plain_url} answers {answer.status} without https"
        return wrong(text, "let the proxy redirect everything to https")
    if not to.endswith("/ranking/?doctor=1"):
        return warning(f"the redirect forgets the path: {to}", "keep it: $request_uri in nginx")
    return ok(f"http leads to {to.partition('/ranking')[0]}")


@outside
def hsts(site: Site) -> Diagnosis:
    """Browsers come back over https only."""
    header = str(site.get("/").headers.get("Strict-Transport-Security", ""))
    told = dict(each.strip().lower().partition("=")[::2] for each in header.split(";"))
    seconds = int(told["max-age"]) if told.get("max-age", "").isdigit() else 0
    if not seconds:
        return wrong("there is no HSTS", "set HSTS_SECONDS, and let the proxy keep the header")
    text = f"HSTS for {seconds} s"
    if seconds < HSTS_SECONDS_MIN:
        return warning(text, "raise HSTS_SECONDS")
    return ok(text)
