"""The WebSocket of a table, as the browser of somebody who is logged in opens it."""

from typing import Final

from websockets.asyncio.client import connect

CONNECT_SECONDS: Final = 30.0
FRAME_BYTES_MAX: Final = 2**22


def table_socket(address: str, table: str, session: str) -> connect:
    """The connection to a table at this host and port; `session` is the value of the cookie."""
    return connect(
        f"ws://{address}/ws/table/{table}/",
        additional_headers={"Cookie": f"session={session}"},
        origin=f"http://{address}",  # type: ignore[arg-type]  # a NewType of str
        compression=None,
        open_timeout=CONNECT_SECONDS,
        close_timeout=1,
        ping_interval=None,
        max_size=FRAME_BYTES_MAX,
    )
