"""Prove the books again from their rows."""

import json
import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from ledger.audit import Report, run
from ledger.selectors_desk import mark_reached


class Command(BaseCommand):
    help = "Proves the books, and what other parts registered, from the rows; 1 on a finding."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object for machines")
        parser.add_argument(
            "--recent",
            action="store_true",
            help="only what came after the last audit of the house that found nothing",
        )

    def handle(self, *args: object, **options: object) -> None:
        report = run(since=mark_reached() if options["recent"] else None)
        if options["json"]:
            self.stdout.write(json.dumps(report.as_json(), indent=2))
        else:
            self._write_text(report)
        if report.finding_count:
            sys.exit(1)

    def _write_text(self, report: Report) -> None:
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
            f" {report.duration_ms} ms."
        )


def credits_text(cents: int) -> str:
    """12345 -> "123.45", without a float."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
