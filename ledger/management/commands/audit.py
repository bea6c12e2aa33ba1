"""Prove the books again from their rows."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from ledger.audit import AuditReport, run
from ledger.audit_turns import turn_due
from ledger.selectors_desk import mark_reached


class Command(BaseCommand):
    help = "Proves the books, and what other parts registered, from the rows; 1 on a finding."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
        parser.add_argument("--only", nargs="+", default=(), metavar="CODE", help="these checks")
        less = parser.add_mutually_exclusive_group()
        less.add_argument(
            "--recent",
            action="store_true",
            help="only what came after the last audit of the house that found nothing",
        )
        less.add_argument(
            "--in-turns",
            action="store_true",
            help="what is new and today's part of the rest; all without a nightly audit before",
        )

    def handle(self, *args: object, **options: Any) -> None:
        _check_migrations()
        since, turn = mark_reached() if options["recent"] else None, None
        if options["in_turns"]:
            since, turn = turn_due(timezone.now()) or (None, None)
        report = run(options["only"], since=since, turn=turn)
        if options["json"]:
            self.stdout.write(json.dumps(report.as_json(), indent=2))
        else:
            self._write_text(report)
        if report.finding_count:
            sys.exit(1)

    def _write_text(self, report: AuditReport) -> None:
        for result in report.results:
            verdict = "ok" if not result.findings else f"{len(result.findings)} FINDINGS"
            self.stdout.write(f"{result.code:>4}  {result.title}: {verdict}")
            for finding in result.findings:
                self.stdout.write(f"      {finding.row}: {finding.message}")
        self.stdout.write("")
        for line in report.trial_balance:
            balance = credits_text(line.balance_cents)
            self.stdout.write(f"      {line.kind:<12} {line.accounts:>8} {balance:>18}")
        self.stdout.write(
            f"\n{report.finding_count} findings in {len(report.results)} checks,"
            f" {report.duration_ms} ms{_covered(report)}."
        )


def _check_migrations() -> None:
    """Raise `CommandError` where the tables are not those of this version."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        raise CommandError(
            f"{len(missing)} migrations have not run in this database: run manage.py prepare first."
        )


def _covered(report: AuditReport) -> str:
    """The part that the audit checked, where that is not everything."""
    if report.since is None:
        return ""
    new = f", of what came since {report.since.moment:%Y-%m-%d %H:%M} UTC"
    if report.turn is None:
        return new
    parts = ", ".join(str(part + 1) for part in report.turn.parts)
    return f"{new}, and of old rows parts {parts} of {report.turn.of}"


def credits_text(cents: int) -> str:
    """12345 -> "123.45", without a float."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
