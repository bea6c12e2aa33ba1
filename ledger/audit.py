"""The audit: every promise of the books, proved again. Each check names the rows it faults.

Apps above add checks of their own with `register`, from their `ready()`; an audit runs them all
in one read-only snapshot of the database.
"""

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from ledger.selectors import HouseTotals, TrialLine, house_totals, trial_balance


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be: which row, and what is wrong with it."""

    row: str
    message: str


Check = Callable[[], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found; no findings means that it holds."""

    code: str
    title: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One audit: when, how long, every check, and the trial balance of that moment."""

    started_at: datetime
    duration_ms: int
    results: tuple[CheckResult, ...]
    trial_balance: tuple[TrialLine, ...]
    totals: HouseTotals

    @property
    def finding_count(self) -> int:
        """0 when everything holds."""
        return sum(len(result.findings) for result in self.results)

    def as_json(self) -> dict[str, Any]:
        """The report in plain values; `ok` is the verdict."""
        return {
            "ok": self.finding_count == 0,
            "started_at": self.started_at.isoformat(),
            "duration_ms": self.duration_ms,
            "finding_count": self.finding_count,
            "checks": [asdict(result) for result in self.results],
            "trial_balance": [asdict(line) for line in self.trial_balance],
            "totals": asdict(self.totals),
        }


_checks: dict[str, tuple[str, Check]] = {}


def register(code: str, title: str, check: Check) -> None:
    """Add a check under its code (letters and a number: "R1"); the same code replaces it."""
    _checks[code] = (title, check)


def run(only: Collection[str] = ()) -> Report:
    """Run every check (or `only` those of these codes) in one snapshot of the database.

    A check that breaks is a finding, never a pass.
    """
    started_at, started = timezone.now(), time.monotonic()
    with transaction.atomic():
        if not connection.savepoint_ids:  # outermost; inside another transaction it is that one's
            _fix_snapshot()
        results = tuple(_run_check(code) for code in sorted(only or _checks, key=_order))
        trial, totals = trial_balance(), house_totals()
    duration_ms = round((time.monotonic() - started) * 1000)
    return Report(started_at, duration_ms, results, trial, totals)


def _run_check(code: str) -> CheckResult:
    title, check = _checks[code]
    try:
        with transaction.atomic():
            findings = tuple(check())
    except Exception as error:  # whatever broke it, the audit must not pass
        findings = (Finding(code, f"the check itself failed: {type(error).__name__}: {error}"),)
    return CheckResult(code, title, findings)


def _fix_snapshot() -> None:
    """All checks see the same moment, and none of them can write."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _order(code: str) -> tuple[str, int]:
    letters = code.rstrip("0123456789")
    return letters, int(code[len(letters) :] or 0)
