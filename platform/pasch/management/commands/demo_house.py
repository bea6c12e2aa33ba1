"""Furnish an empty house: two administrators and a few players with credits."""

import os
import secrets
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.roles import Role, role_give

ADMINISTRATORS = ("adele", "bruno")
PLAYERS = ("magriel", "hilde", "tilo", "nuria")


class Command(BaseCommand):
    help = "Make two administrators and a few players; prints their passwords once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing when anybody has an account already"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model()
        if users.objects.filter(is_active=True).exclude(password="").exists():
            if options["if_empty"]:
                return
            raise CommandError("Somebody has an account here already; a demo house must be empty.")
        # The file comes first: a crash in between must not leave accounts without passwords. One
        # that is there is never overwritten.
        path = settings.HOME.root / "demo-accounts.txt"
        kept = _read(path)
        names = (*ADMINISTRATORS, *PLAYERS)
        passwords = {name: kept.get(name) or secrets.token_urlsafe(9) for name in names}
        if not passwords.items() <= kept.items():
            _add_private(path, passwords.items() - kept.items())
        with transaction.atomic():
            for name, password in passwords.items():
                administrator = name in ADMINISTRATORS
                user = users.objects.create_user(
                    name, f"{name}@example.org", password, is_superuser=administrator
                )
                EmailAddress.objects.create(
                    user=user, email=user.email, verified=True, primary=True
                )
                if administrator:
                    role_give(user, Role.ADMINISTRATOR)
        self.stdout.write("This is a new house. Its accounts (administrators: adele, bruno):")
        for name, password in passwords.items():
            self.stdout.write(f"  {name:<8} {password}")
        self.stdout.write(f"They are also in {path}, which only you can read.")


def _read(path: Path) -> dict[str, str]:
    """The passwords by name that the file has."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: password for name, _, password in (line.partition(" ") for line in lines)}


def _add_private(path: Path, passwords: Iterable[tuple[str, str]]) -> None:
    """Add names and passwords to a file that only its owner can read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "w") as lines:
        lines.writelines(f"{name} {password}\n" for name, password in sorted(passwords))
