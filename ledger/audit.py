"""The audit: every promise of the books, proved again. Each check names the rows it faults.

Apps above add checks of their own with `register`, from their `ready()`; an audit runs them all
in one read-only snapshot of the database. A whole audit proves everything; a recent one what came
after the mark of an audit before it, by those checks that can; one in turns the same and a part of
the old rows, and everything by the checks that cannot be divided.
"""

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone

from ledger.models import Seal
from ledger.selectors import HouseTotals, TrialLine, totals_of, trial_balance


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One thing that is not as it must be: which row, and what is wrong with it."""

    row: str
    message: str


@dataclass(frozen=True, slots=True)
class AuditMark:
    """How far an audit reached: the last sealed transfer it saw, and when it began.

    No row can appear below a seal, so a recent audit that continues from there misses no
    transfer whose commit was still under way.
    """

    transfer_id: int
    moment: datetime


@dataclass(frozen=True, slots=True)
class AuditTurn:
    """Which parts of the old rows an audit in turns looks at: `parts` of 0 to `of` - 1."""

    parts: tuple[int, ...]
    of: int


Found = Iterable[AuditFinding]
Check = Callable[[], Found]
RecentCheck = Callable[[AuditMark], Found]
TurnCheck = Callable[[AuditMark, AuditTurn], Found]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings of one check; none means that it holds."""

    code: str
    title: str
    findings: tuple[AuditFinding, ...]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """One audit: when, how long, every check, and the trial balance of that moment."""

    started_at: datetime
    duration_ms: int
    since: AuditMark | None
    turn: AuditTurn | None
    reached: AuditMark
    results: tuple[CheckResult, ...]
    trial_balance: tuple[TrialLine, ...]
    totals: HouseTotals

    @property
    def finding_count(self) -> int:
        """0 when everything holds."""
        return sum(len(result.findings) for result in self.results)

    def as_json(self) -> dict[str, Any]:
        """The report in plain values; `ok` is the verdict. One in turns has `turn`, too."""
        covered = {"turn": asdict(self.turn)} if self.turn else {}
        return covered | {
            "ok": self.finding_count == 0,
            "started_at": self.started_at.isoformat(),
            "duration_ms": self.duration_ms,
            "since": self.since.moment.isoformat() if self.since else None,
            "finding_count": self.finding_count,
            "checks": [asdict(result) for result in self.results],
            "trial_balance": [asdict(line) for line in self.trial_balance],
            "totals": asdict(self.totals),
        }


@dataclass(frozen=True, slots=True)
class _Registered:
    title: str
    whole: Check
    recent: RecentCheck | None
    turns: TurnCheck | None


_checks: dict[str, _Registered] = {}


def register(
    code: str,
    title: str,
    check: Check,
    recent: RecentCheck | None = None,
    turns: TurnCheck | None = None,
) -> None:
    """Add a check under its code (letters and a number: "R1"); the same code replaces it.

    `recent` proves the same of what came after a mark; a check without it is left to the other
    audits. `turns` proves it of that and of some parts of the old rows: over all parts it must
    find what `check` finds. A check without it is whole in an audit in turns.
    """
    _checks[code] = _Registered(title, check, recent, turns)


def run(
    only: Collection[str] = (), *, since: AuditMark | None = None, turn: AuditTurn | None = None
) -> AuditReport:
    """Run every check (or `only` those of these codes) in one snapshot of the database.

    With `since` only what came after that mark is proved, by the checks that can; with `turn`
    also the parts it names of everything else. A check that breaks is a finding, never a pass.
    """
    assert turn is None or since is not None, "an audit in turns goes on from a mark"
    started_at, started = timezone.now(), time.monotonic()
    with transaction.atomic():
        if not connection.savepoint_ids:  # outermost; inside another transaction it is that one's
            _fix_snapshot()
        everything = since is None or turn is not None
        codes = [code for code in only or _checks if everything or _checks[code].recent]
        results = tuple(_run_check(code, since, turn) for code in sorted(codes, key=_order))
        trial = trial_balance(stored=not everything)
        reached = AuditMark(_sealed_to(), started_at)
    duration_ms = round((time.monotonic() - started) * 1000)
    return AuditReport(
        started_at, duration_ms, since, turn, reached, results, trial, totals_of(trial)
    )


def _run_check(code: str, since: AuditMark | None, turn: AuditTurn | None) -> CheckResult:
    check = _checks[code]
    try:
        with transaction.atomic():
            found = tuple(_found(check, since, turn))
    except Exception as error:  # whatever broke it, the audit must not pass
        found = (AuditFinding(code, f"the check itself failed: {type(error).__name__}: {error}"),)
    return CheckResult(code, check.title, found)


def _found(check: _Registered, since: AuditMark | None, turn: AuditTurn | None) -> Found:
    if since is None:
        return check.whole()
    if turn is not None:
        return check.whole() if check.turns is None else check.turns(since, turn)
    assert check.recent is not None
    return check.recent(since)


def _fix_snapshot() -> None:
    """All checks see the same moment, and none of them can write."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _sealed_to() -> int:
    last = Seal.objects.filter(stream="transfer").aggregate(last=Max("to_id"))["last"]
    return last or 0


def _order(code: str) -> tuple[str, int]:
    letters = code.rstrip("0123456789")
    return letters, int(code[len(letters) :] or 0)
