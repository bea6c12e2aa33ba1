"""Seals and anchors: chained hashes over the books, their roots also kept outside the database.

A person who can change rows can change seals, but not a root that was written to a file elsewhere.
The file has one JSON object a line, each signed with the site's secret key.
"""

import json
import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import connection, transaction
from django.utils.translation import gettext_noop

from kit.database import name_lock
from ledger.audit import AuditFinding, AuditMark, AuditTurn, register
from ledger.models import Seal
from ledger.seal_places import FilePlace, SealPlace, seal_places, streams

ANCHOR_DELAY = timedelta(minutes=1)

_log = logging.getLogger("ledger.seals")
_signer_salt = "ledger.seal"


def register_seals() -> None:
    """Register the check of the seals with the audit."""
    register(
        "A11",
        gettext_noop("Every seal verifies, and is the one that was anchored"),
        seals_broken,
        _seals_broken_since,
        _seals_broken_in_turns,
    )


def books_seal() -> list[Seal]:
    """Seal what is new in every stream, and anchor the roots. Not inside a transaction.

    The cut waits for the writers that run, and holds up none. A seal covers a limited number of
    rows, so there may be several of a stream.
    """
    sealed: list[Seal] = []
    for stream, *_ in streams():
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SELECT ledger_seal_cut(%s)", [stream])
            (cut,) = cursor.fetchone()
        while more := _stream_seal(stream, cut):
            sealed += more
    for new in sealed:
        _log.info("seal %s %s %s", new.stream, new.number, bytes(new.root).hex())
    failed = []
    for place in seal_places():
        try:
            _anchors_write(place)
        except OSError as error:  # the others get theirs, and this one is tried again
            failed.append(error)
            _log.error("the roots of the seals were not written to %s: %s", place.name, error)
    if failed:
        raise failed[0]
    return sealed


def _stream_seal(stream: str, cut: int) -> list[Seal]:
    """The next seal of a stream, up to a cut; an empty list when there is nothing new."""
    with transaction.atomic(durable=True):
        return list(Seal.objects.raw("SELECT * FROM ledger_seal_append(%s, %s)", [stream, cut]))


def anchor_path() -> Path | None:
    """The file of the anchors, LEDGER_SEAL_FILE; None where there is no such place."""
    name = getattr(settings, "LEDGER_SEAL_FILE", "")
    return Path(name) if name else None


def _anchors_write(place: SealPlace) -> None:
    """Append every root that came after those in the place, also of a run that died before.

    One run after the other: two at once would both miss the same roots, and write them twice.
    """
    with transaction.atomic(durable=True):
        name_lock("pasch.ledger.anchors")
        _missing_write(place)


def _missing_write(place: SealPlace) -> None:
    known: dict[str, int] = {}
    for lines in (place.tail, place.read):
        for line in _lines_read(lines()):
            known[line["stream"]] = max(known.get(line["stream"], 0), line["number"])
        if known.keys() >= set(Seal.objects.values_list("stream", flat=True).distinct()):
            break
    missing = [
        seal
        for stream, *_ in streams()
        for seal in Seal.objects.filter(stream=stream, number__gt=known.get(stream, 0)).order_by(
            "number"
        )
    ]
    if missing:
        place.append([_anchor_line(seal) for seal in missing])


def anchors_set_aside(into: Path) -> int:
    """Move the lines about seals that the database does not have to another file; their number.

    For a house that was restored to an earlier moment: later seals are missing on
    purpose. A line about an existing seal stays, whatever its content.
    """
    path = anchor_path()
    if path is None or not path.exists():
        return 0
    known = {(seal.stream, seal.number) for seal in _seals()}
    texts = path.read_text(encoding="utf-8").splitlines(keepends=True)
    about = zip(texts, _anchors(path), strict=True)
    gone = [text for text, line in about if "error" not in line and _key(line) not in known]
    if gone:
        with into.open("a", encoding="utf-8") as file:
            file.writelines(gone)
        kept = path.with_name(f"{path.name}.new")
        kept.write_text("".join(text for text in texts if text not in gone), encoding="utf-8")
        kept.replace(path)
    return len(gone)


def _key(line: dict[str, Any]) -> tuple[str, int]:
    return line["stream"], line["number"]


def seals_broken(*, since: datetime | None = None) -> Iterator[AuditFinding]:
    """Seals whose rows hash to another root, that do not chain, or differ from their anchor.

    With `since` older seals are not hashed again, and older anchors not compared.
    """
    for stream in _streams_sealed():
        seals = Seal.objects.filter(stream=stream).order_by("number")
        last = None
        if since is not None:
            last = seals.filter(created_at__lt=since).last()
            seals = seals.filter(number__gt=last.number if last else 0)
        for seal in seals.iterator():
            yield from _seal_broken(seal, last)
            last = seal
    for place in seal_places():
        yield from _anchors_broken(place, since)


def _streams_sealed() -> list[str]:
    """The streams of the apps, and any other that a seal names: nothing vouches for that one."""
    named = Seal.objects.values_list("stream", flat=True).distinct().order_by()
    return sorted({stream for stream, *_ in streams()} | set(named))


def _seals_broken_since(mark: AuditMark) -> Iterator[AuditFinding]:
    return seals_broken(since=mark.moment - ANCHOR_DELAY)


def _seals_broken_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """Every link and every anchor; the rows under the seals since the mark and of some parts."""
    with connection.cursor() as cursor:
        cursor.execute(_UNLINKED)
        for stream, number in cursor.fetchall():
            yield AuditFinding(f"seal {stream} {number}", UNLINKED)
    since = mark.moment - ANCHOR_DELAY
    for seal in Seal.objects.order_by("stream", "number").iterator():
        if seal.created_at >= since or seal.number % turn.of in turn.parts:
            yield from _rows_broken(seal)
    for place in seal_places():
        yield from _anchors_broken(place, None)


UNLINKED: Final = "does not go on from the seal before it"

_UNLINKED: Final = """
    SELECT stream, number FROM (
        SELECT s.*, lag(number, 1, 0) OVER chain AS last_number,
               lag(to_id, 1, 0::bigint) OVER chain AS last_to,
               lag(root, 1, decode(repeat('00', 32), 'hex')) OVER chain AS last_root
        FROM ledger_seal s WINDOW chain AS (PARTITION BY stream ORDER BY number)) s
    WHERE (number, from_id, previous_root) IS DISTINCT FROM (last_number + 1, last_to, last_root)
    ORDER BY stream, number
"""


def _seal_broken(seal: Seal, previous: Seal | None) -> Iterator[AuditFinding]:
    name = f"seal {seal.stream} {seal.number}"
    start = previous.to_id if previous else 0
    before = bytes(previous.root) if previous else bytes(32)
    number = previous.number + 1 if previous else 1
    if (seal.number, seal.from_id, bytes(seal.previous_root)) != (number, start, before):
        yield AuditFinding(name, UNLINKED)
    yield from _rows_broken(seal)


def _rows_broken(seal: Seal) -> Iterator[AuditFinding]:
    """Whether the rows under a seal hash to its root."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT root, row_count FROM ledger_seal_root(%s, %s, %s, %s)",
            [seal.stream, bytes(seal.previous_root), seal.from_id, seal.to_id],
        )
        root, row_count = cursor.fetchone()
    if bytes(root) != bytes(seal.root):
        yield AuditFinding(
            f"seal {seal.stream} {seal.number}",
            f"rows {seal.from_id + 1} to {seal.to_id} were changed since: {row_count} rows now,"
            f" {seal.row_count} when sealed",
        )


def _anchors_broken(place: SealPlace, since: datetime | None) -> Iterator[AuditFinding]:
    """Roots that differ between the place and the database, or are in one of them alone.

    The audit sees the database as it was when it began; what was sealed since, or sealed so shortly
    before that its line may still be on its way, is left to the next audit.
    """
    began = _transaction_began()
    try:
        texts = place.read() if since is None else place.tail()
    except OSError as error:
        yield AuditFinding(place.name, f"cannot be read: {error}")
        return
    kept = Seal.objects.all() if since is None else Seal.objects.filter(created_at__gte=since)
    seals = {(seal.stream, seal.number): seal for seal in kept.iterator()}
    anchored = set()
    for number, line in enumerate(_lines_read(texts, wrong=True), start=1):
        name = f"{place.name}:{number}"
        if "error" in line:
            yield AuditFinding(name, line["error"])
            continue
        key = (line["stream"], line["number"])
        anchored.add(key)
        seal = seals.get(key)
        if seal is None and (_outside(line["at"], since, began)):
            continue
        if seal is None or bytes(seal.root).hex() != line["root"]:
            yield AuditFinding(name, f"seal {key[0]} {key[1]} is another in the database, or gone")
    for key in sorted(seals.keys() - anchored):
        if seals[key].created_at < began - ANCHOR_DELAY:
            yield AuditFinding(f"seal {key[0]} {key[1]}", f"has no anchor in {place.name}")


def _outside(at: str, since: datetime | None, began: datetime) -> bool:
    """Whether a line is about a time that this audit does not look at."""
    moment = datetime.fromisoformat(at)
    return moment >= began or (since is not None and moment < since)


def _transaction_began() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT transaction_timestamp()")
        began: datetime = cursor.fetchone()[0]
    return began


def _seals() -> Iterator[Seal]:
    return Seal.objects.order_by("stream", "number").iterator()


def _anchor_line(seal: Seal) -> str:
    content = {
        "stream": seal.stream,
        "number": seal.number,
        "from_id": seal.from_id,
        "to_id": seal.to_id,
        "rows": seal.row_count,
        "root": bytes(seal.root).hex(),
        "at": seal.created_at.isoformat(),
    }
    text = json.dumps(content, sort_keys=True)
    return json.dumps(content | {"signature": _signer().signature(text)}, sort_keys=True)


def _anchors(path: Path) -> Iterator[dict[str, Any]]:
    """Every line of the file, or {"error": ...} for one that is not as it was written."""
    return _lines_read(FilePlace(path).read(), wrong=True)


def _lines_read(texts: Iterable[str], *, wrong: bool = False) -> Iterator[dict[str, Any]]:
    """Lines as they were written; with `wrong` also {"error": ...} for each that was not."""
    for text in texts:
        try:
            line = json.loads(text)
            signature = line.pop("signature")
            signed = f"{json.dumps(line, sort_keys=True)}:{signature}"
            _signer().unsign(signed)
            yield line
        except (ValueError, KeyError, AttributeError, BadSignature):
            if wrong:
                yield {"error": "is not a line this site wrote", "stream": "", "number": 0}


def _signer() -> Signer:
    return Signer(salt=_signer_salt)
