"""`manage.py bot_token NAME`: make a token for a bot; the account is made if there is none."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.scopes import USUAL, Scope
from accounts.tokens import (
    NoBot,
    NoScope,
    TooManyTokens,
    token_make,
    token_revoke,
    tokens_of,
)


class Command(BaseCommand):
    """Makes, lists and revokes the tokens of bots."""

    help = "Make a token for a bot (the account is made if there is none), list or revoke them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The account, and options for other actions."""
        parser.add_argument("name", help="the bot's name")
        parser.add_argument(
            "--scopes",
            default=",".join(USUAL),
            help=f"what the token may be used for: {', '.join(Scope.values)} (%(default)s)",
        )
        parser.add_argument("--list", action="store_true", help="list the tokens")
        parser.add_argument("--revoke", type=int, metavar="NUMBER", help="revoke this token")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it. The token is printed once, to standard output, and stored nowhere."""
        user = User.objects.filter(username=options["name"]).first()
        if options["list"] or options["revoke"] is not None:
            if user is None:
                raise CommandError(f"there is no account {options['name']!r}")
            self._tend(user, options["revoke"])
            return
        try:
            scopes = tuple(options["scopes"].split(","))
            bot = user or self._make(options["name"])
            self.stdout.write(token_make(bot, "manage.py", scopes=scopes))
        except NoBot as error:
            raise CommandError(f"{options['name']} is no bot") from error
        except (TooManyTokens, NoScope, ValidationError) as error:
            raise CommandError(str(error)) from error

    def _tend(self, user: User, revoked: int | None) -> None:
        if revoked is not None and not token_revoke(user, revoked):
            raise CommandError(f"{user.username} has no token {revoked}")
        for token in tokens_of(user):
            used = f"{token.used_at:%Y-%m-%d %H:00}" if token.used_at else "never used"
            made = f"{token.created_at:%Y-%m-%d}"
            scopes = ",".join(token.scopes)
            self.stdout.write(f"{token.pk}  {token.start}…  {made}  {used}  {scopes}")

    @staticmethod
    def _make(name: str) -> User:
        user = User(username=name, is_bot=True)
        user.set_unusable_password()
        user.full_clean(exclude=["password"])
        user.save()
        return user
