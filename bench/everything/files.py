"""The files of a match: downloaded as its player does, read again, and compared with its events."""

from collections.abc import Iterable
from typing import Any, Final

from backgammon.formats.errors import FormatError
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import ALL, FileFormat
from backgammon.tests.formats.outline import outline
from bench.everything.checks import events_of, terms_of
from bench.everything.rows import MatchRows
from games.records import record_of
from games.table.takeback import lasting
from games.wire import event_from_payload
from harness.visitor import Visitor

SITE: Final = "Pasch"


def record_stored(match: MatchRows, names: tuple[str, str]) -> MatchRecord:
    """The record of a match, from its stored events."""
    lasted = lasting({"seq": seq, **payload} for seq, payload in events_of(match))
    events = [event_from_payload(payload) for payload in lasted]
    return record_of(events, terms=terms_of(match), players=names, site=SITE)


def files_differ(match: MatchRows, names: tuple[str, str], visitor: Visitor) -> Iterable[str]:
    """Every format, downloaded and read again, against the events."""
    record = record_stored(match, names)
    for each in ALL:
        answer = visitor.get(f"/match/{match.id}/{each.key}/")
        if answer.status_code != 200:
            yield f"the .{each.key} file is refused with {answer.status_code}"
            continue
        yield from _file_differs(record, each, answer.content.decode("utf-8"))


def _file_differs(record: MatchRecord, each: FileFormat, text: str) -> Iterable[str]:
    try:
        read = each.parse(text)
        again = each.format(read)
    except FormatError as error:
        yield f"the .{each.key} file cannot be read: {error}"
        return
    if again != text and each.key != "mat":  # a play may join the same moves in two ways there
        yield f"the .{each.key} file is written otherwise after it has been read"
    if _kept(read, each) != _kept(record, each):
        yield f"the .{each.key} file is not the match that was played"


def _kept(record: MatchRecord, each: FileFormat) -> Any:
    """The part of a record that a format keeps (docs/formats.md)."""
    if each.key == "json":
        return record
    return outline(record, resignations=each.key != "mat")


def pages_differ(match: MatchRows, visitor: Visitor) -> Iterable[str]:
    """The page of the match with its replay, and its entry in the REST interface."""
    page = visitor.get(f"/match/{match.id}/")
    if page.status_code != 200:
        yield f"the match's page answers {page.status_code}"
    answer = visitor.get(f"/api/v1/matches/{match.id}/")
    if answer.status_code != 200:
        yield f"the REST interface answers {answer.status_code} for the match"
        return
    entry = answer.json()
    for name, stored in (("ending", match.ending), ("paid_cents", match.paid_cents)):
        if name in entry and entry[name] != stored:
            yield f"the REST interface says {name} {entry[name]}, the row {stored}"
