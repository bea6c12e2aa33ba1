"""Tell the operator by mail that a unit failed (deploy/systemd/pasch-failed@.service)."""

import socket
from argparse import ArgumentParser
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = (
        "Sends a mail to OPERATOR_MAIL: this unit of systemd failed. It needs no database, which"
        " may be what failed."
    )
    requires_system_checks = []  # they may be what failed

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("unit", help="the name of the unit, as pasch-backup")

    def handle(self, *args: Any, **options: Any) -> None:
        unit, to = options["unit"], settings.OPERATOR.mail
        if not to:
            raise CommandError(f"{unit} failed, and OPERATOR_MAIL names nobody to tell it to.")
        text = f"The unit {unit} failed on {socket.gethostname()}.\n\njournalctl -u {unit}\n"
        try:
            send_mail(f"{settings.OPERATOR.house}: {unit} failed", text, None, [to])
        except (SMTPException, OSError) as error:
            raise CommandError(f"{unit} failed, and the mail about it, too: {error}") from error
