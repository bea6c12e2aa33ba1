"""The checks of the log of changes, A19 to A21 and A23 to A25: rows against their newest version,
versions against what may follow each other and what justifies it, and the journal against rows."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import connection
from django.db.models import Max
from django.utils.translation import gettext_noop

from ledger.audit import AuditFinding, AuditMark, AuditTurn, register
from ledger.audit_books import rows_found
from ledger.audit_rows import OVERLAP, PART
from ledger.models import Seal
from ledger.seal_places import Stream, streams

_WATCHED = """
    SELECT c.relname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
    WHERE g.tgname = 'change_noted' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname
"""

# A column that came later is in no old version; it is compared from the next one on.
_DIFFERS = """
    SELECT coalesce(now.row_key, newest.row_key),
           CASE WHEN newest.id IS NULL THEN 'was never logged'
                WHEN newest.content IS NULL THEN 'is there, and was logged as deleted'
                WHEN now.content IS NULL THEN 'is gone, and nothing logged that it was deleted'
                ELSE 'differs from its last logged version in ' || (
                    SELECT string_agg(f.key, ', ' ORDER BY f.key) FROM jsonb_each(newest.content) f
                    WHERE now.content -> f.key IS DISTINCT FROM f.value) END
    FROM change_rows(%(table)s) now
    FULL JOIN change_newest(%(table)s) newest ON newest.row_key = now.row_key
    WHERE newest.content IS DISTINCT FROM now.content
      AND (newest.content IS NULL OR now.content IS NULL OR EXISTS (
          SELECT FROM jsonb_each(newest.content) f
          WHERE now.content -> f.key IS DISTINCT FROM f.value))
      AND (newest.id IS NOT NULL OR now.content IS NOT NULL)
"""

_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)

# The two ways of ledger/migrations/sql/guarding.sql, since a moment. In turns a table, or a
# verb of the journal, belongs to one part as a whole.
_SINCE_MOMENT = "%(moment)s"
_IN_TURNS = f"CASE WHEN {PART} THEN '-infinity' ELSE %(moment)s END"
_FAULTY = """
    SELECT c.relname || ' ' || f.row_key, f.fault
    FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
    CROSS JOIN LATERAL row_faults(
        c.relname, replace(encode(g.tgargs, 'escape'), '\\000', '')::jsonb, {moment}) f
    WHERE g.tgname = 'row_ruled' AND c.relnamespace = 'public'::regnamespace
"""
_OWED = """
    SELECT f.entry, f.fault FROM pg_proc p CROSS JOIN LATERAL journal_owed(p.proname, {moment}) f
    WHERE p.proname LIKE 'owed\\_%%' AND p.pronamespace = 'public'::regnamespace
"""

# A table that is guarded and not logged is in the log with the beginning of its guard alone.
_SINCE = """
    SELECT DISTINCT table_name FROM ledger_change
    WHERE made_at >= %(moment)s AND row_key <> '*' ORDER BY table_name
"""

# What a player's limit was may only become narrower, but for what had waited its day.
_LIMITS = """
    SELECT 'limit ' || v.row_key || ' of user ' || coalesce(v.was ->> 'user_id', '?'),
           'was ' || CASE WHEN v.content IS NULL THEN 'removed' ELSE 'widened' END
           || ' at ' || v.made_at || ' by ' || v.by_role || ' without its day'
    FROM (SELECT c.*, lag(c.content) OVER (PARTITION BY c.row_key ORDER BY c.id) AS was
          FROM ledger_change c WHERE c.table_name = 'ledger_playlimit') v
    CROSS JOIN LATERAL (
        SELECT (v.was ->> 'next_from')::timestamptz <= v.made_at + interval '1 minute' AS waited) w
    WHERE v.was IS NOT NULL AND CASE
        WHEN v.content IS NULL THEN (w.waited AND v.was ->> 'next_amount_cents' IS NULL) IS NOT TRUE
        ELSE (v.content ->> 'amount_cents')::bigint > CASE WHEN w.waited
            THEN coalesce((v.was ->> 'next_amount_cents')::bigint, 9223372036854775807)
            ELSE (v.was ->> 'amount_cents')::bigint END END
"""

# The program never makes an existing account a superuser.
_SUPERUSERS = """
    SELECT 'user ' || v.row_key, 'was made a superuser at ' || v.made_at || ' by ' || v.by_role
    FROM (SELECT c.*, lag(c.content) OVER (PARTITION BY c.row_key ORDER BY c.id) AS was
          FROM ledger_change c WHERE c.table_name = 'accounts_user') v
    WHERE v.was ->> 'is_superuser' = 'false' AND v.content ->> 'is_superuser' = 'true'
"""

_FREEZES = """
    SELECT 'account ' || a.key, CASE WHEN a.frozen THEN 'is frozen, and the journal does not say so'
                                     ELSE 'is not frozen, and the journal says it is' END
    FROM ledger_account a LEFT JOIN LATERAL (
        SELECT j.verb FROM ledger_journalentry j WHERE j.subject = 'user:' || a.owner_id
        AND j.verb IN ('player.freeze', 'player.thaw') ORDER BY j.id DESC LIMIT 1) last ON true
    WHERE a.kind = 'wallet' AND a.frozen <> coalesce(last.verb = 'player.freeze', false)
"""


def register_changes() -> None:
    """Register all of them; those that read few rows are whole in a recent audit too."""
    register(
        "A19",
        gettext_noop("Every watched row is its last logged version"),
        rows_unlogged,
        _rows_unlogged_since,
        _rows_unlogged_in_turns,
    )
    register(
        "A20", gettext_noop("No limit of a player became wider before its day"), limits_widened
    )
    register(
        "A21",
        gettext_noop("Every wallet is frozen or free as the journal says"),
        freezes_unsaid,
        lambda _mark: freezes_unsaid(),
    )
    register(
        "A23",
        gettext_noop("Nobody was made a superuser after their account was"),
        superusers_made,
        lambda _mark: superusers_made(),
    )
    for code, title, query, name in (
        (
            "A24",
            gettext_noop("Every change of a guarded row is allowed and justified"),
            _FAULTY,
            "c.relname",
        ),
        ("A25", gettext_noop("Every decision in the journal has its rows"), _OWED, "p.proname"),
    ):
        since = query.format(moment=_SINCE_MOMENT)
        in_turns = query.format(moment=_IN_TURNS.format(name))
        register(
            code,
            title,
            partial(rows_found, since, moment=_ALWAYS),
            partial(_moments_since, since),
            partial(_moments_since, in_turns),
        )


def rows_unlogged() -> Iterator[AuditFinding]:
    """Rows of watched tables that were changed, added or taken away around the log."""
    yield from _unlogged(_watched())


def _rows_unlogged_since(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of the tables that something was logged of since."""
    yield from _unlogged(_logged_since(mark))


def _rows_unlogged_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of those and of some of the others: a table belongs to one part as a whole."""
    ours = [name for place, name in enumerate(_watched()) if place % turn.of in turn.parts]
    yield from _unlogged(sorted({*ours, *_logged_since(mark)}))


def _watched() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_WATCHED)
        return [name for (name,) in cursor.fetchall()]


def _logged_since(mark: AuditMark) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_SINCE, {"moment": mark.moment - OVERLAP})
        return [name for (name,) in cursor.fetchall()]


def _unlogged(tables: list[str]) -> Iterator[AuditFinding]:
    for table in tables:
        with connection.cursor() as cursor:
            cursor.execute(_DIFFERS, {"table": table})
            for key, message in cursor.fetchall():
                yield AuditFinding(f"{table} {key}", message)


def _moments_since(
    query: str, mark: AuditMark, turn: AuditTurn | None = None
) -> Iterator[AuditFinding]:
    """The findings of a query among what happened since the mark, and among the turn's parts."""
    divided: dict[str, Any] = {} if turn is None else {"parts": list(turn.parts), "of": turn.of}
    return rows_found(query, moment=mark.moment - OVERLAP, **divided)


def limits_widened() -> Iterator[AuditFinding]:
    """Limits that were removed or widened without having waited."""
    return rows_found(_LIMITS, since=0)


def freezes_unsaid() -> Iterator[AuditFinding]:
    """Wallets that are frozen or free otherwise than the journal's last word about them."""
    return rows_found(_FREEZES, since=0)


def superusers_made() -> Iterator[AuditFinding]:
    """Accounts that became a superuser's some time after they were made."""
    return rows_found(_SUPERUSERS, since=0)


SLACK: Final = timedelta(minutes=2)
"""A seal waits some seconds for transactions that were under way; none takes as long as this."""


def register_unsealed() -> None:
    """Register the check; it reads only unsealed rows, so a recent audit runs it in full."""
    register(
        "A22",
        gettext_noop("No rows wait for a seal that later ones have"),
        _left_out,
        lambda _: _left_out(),
    )


def _left_out() -> Iterator[AuditFinding]:
    last = Seal.objects.aggregate(last=Max("created_at"))["last"]
    if last is None:
        return
    for stream in streams():
        count, first = rows_unsealed(stream, last - SLACK)
        if count:
            yield AuditFinding(
                f"stream {stream.name}",
                f"{count} rows since {first:%Y-%m-%d %H:%M:%S} have no seal; the last is of {last}",
            )


def rows_unsealed(stream: Stream, before: datetime) -> tuple[int, object]:
    """How many rows of a stream that are older than this have no seal, and the first of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*), min({stream.stored}) FROM {stream.table}"
            f" WHERE {stream.stored} < %s AND {stream.key} >"
            " (SELECT coalesce(max(to_id), 0) FROM ledger_seal WHERE stream = %s)",
            [before, stream.name],
        )
        found: tuple[int, object] = cursor.fetchone()
    return found
