"""A frame for many sockets, made once: as the bytes of a whole WebSocket frame, and as text."""

from functools import cached_property


def text_frame(payload: bytes) -> bytes:
    """One whole, unfragmented text frame as servers send it (RFC 6455, section 5.2)."""
    size = len(payload)
    if size < 126:
        return b"\x81%c%b" % (size, payload)
    if size < 65_536:
        return b"\x81\x7e%b%b" % (size.to_bytes(2, "big"), payload)
    return b"\x81\x7f%b%b" % (size.to_bytes(8, "big"), payload)


class Told:
    """A publication at a channel, for every socket that follows it."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload

    @cached_property
    def frame(self) -> bytes:
        """The bytes of the WebSocket frame."""
        return text_frame(self.payload)

    @cached_property
    def text(self) -> str:
        """The payload as text."""
        return self.payload.decode()
