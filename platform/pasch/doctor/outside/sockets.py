"""WebSockets through the proxy."""

from typing import Final

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pasch.doctor.registry import Diagnosis, ok, outside, wrong
from pasch.doctor.site import TIMEOUT_SECONDS, Site, unchecked

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
