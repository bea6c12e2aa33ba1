"""Reading a calendar (RFC 5545) without the library that writes it."""

import re

Event = dict[str, str]

_LINE = re.compile(r"([A-Z-]+)((?:;[A-Z-]+=[^:;]+)*):(.*)")
_ESCAPED = {"n": "\n", "N": "\n", ",": ",", ";": ";", "\\": "\\"}


def read(body: bytes) -> tuple[Event, list[Event]]:
    """The properties of a calendar and its events; fails on what the standard forbids."""
    assert body.endswith(b"\r\n")
    raw = body[:-2].split(b"\r\n")
    assert not any(b"\n" in line or b"\r" in line for line in raw)
    assert all(len(line) <= 75 for line in raw)
    lines: list[str] = []
    joined = b"\r\n".join(raw).replace(b"\r\n ", b"").split(b"\r\n")
    lines = [line.decode() for line in joined]
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-1] == "END:VCALENDAR"
    calendar: Event = {}
    events: list[Event] = []
    at = calendar
    for line in lines[1:-1]:
        if line == "BEGIN:VEVENT":
            assert at is calendar
            at = {}
        elif line == "END:VEVENT":
            events.append(at)
            at = calendar
        else:
            found = _LINE.fullmatch(line)
            assert found is not None, line
            assert found[1] not in at, line
            at[found[1]] = found[3]
    return calendar, events


def text(value: str) -> str:
    """A text without its escapes; fails on a comma, semicolon or backslash that has none."""
    assert not re.search(r"(?<!\\)(?:\\\\)*[,;]", value), value
    return re.sub(r"\\(.)", lambda found: _ESCAPED[found[1]], value)
