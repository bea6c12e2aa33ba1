"""Calling the functions of the books, and distinguishing their refusals."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import Error, connection

from ledger.errors import (
    AccountFrozen,
    AccountUnknown,
    AlreadyReversed,
    BooksGuarded,
    CreditsHeld,
    CreditsLocked,
    EscrowMismatch,
    InsufficientCredits,
    KeyConflict,
    LedgerError,
    LimitReached,
    MalformedPosting,
    NoStakes,
    PlayPaused,
    ResultsUnchecked,
)


def call(statement: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Run one SELECT of one row; a refusal of the books becomes its `LedgerError`."""
    with refusals_told(), connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        row: tuple[Any, ...] = cursor.fetchone()
        return row


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn a refusal of the books inside this block into its `LedgerError`."""
    try:
        yield
    except Error as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error


def refusal_of(error: Error) -> LedgerError | None:
    """The refusal behind a database error, or None for others (a deadlock, a lost connection)."""
    if not isinstance(error.__cause__, psycopg.Error):
        return None
    diagnosis = error.__cause__.diag
    sqlstate, message = diagnosis.sqlstate or "", diagnosis.message_primary or ""
    if sqlstate == "23505" and "reverses" in (diagnosis.constraint_name or ""):
        return AlreadyReversed("this transfer was reversed or corrected before")
    if sqlstate == "23514":
        return BooksGuarded(message)
    if not sqlstate.startswith("LG"):
        return None
    return _refusal(sqlstate, message, json.loads(diagnosis.message_detail or "{}"))


def _refusal(sqlstate: str, message: str, detail: dict[str, Any]) -> LedgerError:
    match sqlstate:
        case "LG001":
            return InsufficientCredits(detail["owner"], detail["needed"], detail["available"])
        case "LG002":
            return KeyConflict(detail["key"])
        case "LG003":
            return AccountFrozen(detail["account"])
        case "LG004":
            return AccountUnknown(detail["account"])
        case "LG005":
            return EscrowMismatch(detail["account"], detail["taken"], detail["held"])
        case "LG006":
            return MalformedPosting(message)
        case "LG008":
            return _stake_refusal(detail)
        case "LG010" | "LG011" | "LG012":
            return _set_aside(sqlstate, detail)
        case _:
            return BooksGuarded(message)


def _stake_refusal(detail: dict[str, Any]) -> LedgerError:
    """Why an account may not stake: its kind, a pause, or a limit."""
    match detail["reason"]:
        case "person":
            return NoStakes(detail["owner"], detail["why"] or "unknown")
        case "pause":
            return PlayPaused(detail["owner"], detail["kind"], detail["until"])
    return LimitReached(
        detail["owner"], detail["measure"], detail["period"], detail["limit"], detail["used"]
    )


def _set_aside(sqlstate: str, detail: dict[str, Any]) -> LedgerError:
    """Why credits of a wallet cannot leave it now."""
    if sqlstate == "LG011":
        return CreditsHeld(detail["owner"], detail["needed"], detail["held"], detail["free"])
    refusal = CreditsLocked if sqlstate == "LG010" else ResultsUnchecked
    return refusal(detail["owner"], detail["needed"], detail["payable"])
