"""Check a house from inside and outside."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from pasch.doctor.registry import LIMIT_SECONDS, ReportLine, examine, names
from pasch.doctor.site import site_at


class Command(BaseCommand):
    help = (
        "Checks the settings, the servers, the processes and the books of the house, and with"
        " --url its public address. One line for each check; exits 1 if anything is wrong."
    )
    requires_system_checks = []  # they are among the checks

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", help="the public address, https://…: check it from outside")
        parser.add_argument("--plain-url", default="", help="its address without https")
        parser.add_argument("--only", action="append", default=[], metavar="NAME")
        parser.add_argument("--list", action="store_true", help="print the names of all checks")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--seconds", type=float, default=LIMIT_SECONDS, help="the limit of each check"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            return self.stdout.write("\n".join(names()))
        if unknown := set(options["only"]) - set(names()):
            raise CommandError(f"No check is called {', '.join(sorted(unknown))}; see --list.")
        try:
            site = site_at(options["url"], options["plain_url"]) if options["url"] else None
        except ValueError as error:
            raise CommandError(str(error)) from error
        lines = []
        for line in examine(site=site, only=frozenset(options["only"]), seconds=options["seconds"]):
            lines.append(line)
            if not options["json"]:
                self._print(line)
        wrong = any(line.result.grade == "wrong" for line in lines)
        if options["json"]:
            found = [{"name": line.name, **asdict(line.result)} for line in lines]
            self.stdout.write(json.dumps({"ok": not wrong, "checks": found}, ensure_ascii=False))
        if wrong:
            sys.exit(1)

    def _print(self, line: ReportLine) -> None:
        styles = {"ok": self.style.SUCCESS, "wrong": self.style.ERROR}
        style = styles.get(line.result.grade, self.style.WARNING)
        grade = style(f"{line.result.grade:<14}")
        self.stdout.write(f"{grade}{line.name}: {line.result.text}")
        self.stdout.flush()
