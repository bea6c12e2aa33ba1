"""Tokens of programs: shown once, stored as a hash, revoked by their owner."""

import hashlib
import secrets
from collections.abc import Collection
from typing import Final

from django.db import Error, models, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.models import ApiToken, User
from accounts.scopes import USUAL, Scope
from accounts.services import connections_end
from accounts.signals import access_ended, bot_becoming, token_changed
from kit.errors import Refusal

PREFIX: Final = "pasch_"

#: characters of a token that stay readable, so that its owner can recognise it
SHOWN: Final = len(PREFIX) + 4

TOKENS_MAX: Final = 10

#: the SQLSTATE of what a guard of the database refuses.
GUARDED: Final = "LG009"


class TooManyTokens(Refusal):
    """A person has as many tokens as anybody may have."""

    code = "too_many_tokens"
    sentence = _("This account can have no more tokens.")


class NoBot(Refusal):
    """Only the accounts of bots have tokens."""

    code = "no_bot"
    sentence = _("This account can have no more tokens.")


class NoScope(Refusal):
    """A token has at least one scope, and only scopes that there are."""

    code = "no_scope"
    sentence = _("Choose what the token may be used for.")


class StaffIsNoBot(Refusal):
    """An account of the staff cannot become a bot's."""

    code = "staff_is_no_bot"
    sentence = _("A staff account can’t become a bot account.")


_STILL: Final = {
    "table": _("You have an open table with a stake. Close it first."),
    "match": _("You have a running match with a stake. Finish it first."),
    "challenge": _(
        "A challenge with a stake waits for you or for its answer. It has to end first."
    ),
    "rematch": _("You have asked for a rematch with a stake. Leave that table first."),
    "payout": _("You have an open payout. It has to end first: bots have no payouts."),
    "credits": _("You have credits that a bot could never have paid out. Ask for a payout first."),
    "stake": _("Credits of yours are still in a match or a payout. It has to end first."),
}


class StillAtStakes(Refusal):
    """The account has to do with stakes; `reason`, a key of `_STILL`, is how."""

    code = "still_at_stakes"

    def __init__(self, reason: str) -> None:
        super().__init__(f"the account still has to do with stakes: {reason}")
        self.sentence = _STILL[reason]


@transaction.atomic
def bot_become(user: User) -> None:
    """Make an account a bot's, for good: it is labelled everywhere and plays without stakes only.

    The database refuses it too while credits of the account lie in an escrow or wait to be paid
    out (ledger/migrations/sql/limits.sql). Raises `StaffIsNoBot`, `StillAtStakes`.
    """
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if locked.is_staff:
        raise StaffIsNoBot("an account of the staff cannot become a bot's")
    bot_becoming.send(sender=User, user=locked)
    try:
        with transaction.atomic():
            User.objects.filter(pk=user.pk).update(is_bot=True)
    except Error as error:
        if getattr(error.__cause__, "sqlstate", "") != GUARDED:
            raise
        raise StillAtStakes("stake") from error
    user.is_bot = True


@transaction.atomic
def token_make(user: User, name: str = "", *, scopes: Collection[str] = USUAL) -> str:
    """Create a token for a bot and return it; it cannot be read again.

    Raises `NoBot`, `TooManyTokens`, `NoScope`.
    """
    if not user.is_bot:
        raise NoBot("only bots have tokens")
    if not scopes or not set(scopes) <= set(Scope.values):
        raise NoScope(f"a token has one or more of the scopes {', '.join(Scope.values)}")
    if ApiToken.objects.filter(user=user).count() >= TOKENS_MAX:
        raise TooManyTokens(f"nobody has more than {TOKENS_MAX} tokens")
    token = PREFIX + secrets.token_urlsafe(32)
    made = ApiToken.objects.create(
        user=user,
        digest=_digest(token),
        start=token[:SHOWN],
        name=name,
        scopes=[scope for scope in Scope.values if scope in scopes],
    )
    token_changed.send(sender=User, user=user, token=made, verb="make")
    return token


def token_find(token: str) -> ApiToken | None:
    """The row of a token; None for one that is unknown, revoked, or of a closed account.

    Notes the hour of the use: one write an hour at most.
    """
    found = ApiToken.objects.select_related("user").filter(digest=_digest(token)).first()
    if found is None or not found.user.is_active or not found.user.is_bot:
        return None
    hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    if found.used_at != hour:
        ApiToken.objects.filter(pk=found.pk).update(used_at=hour)
    return found


def tokens_of(user: User) -> models.QuerySet[ApiToken]:
    """A bot's tokens, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-created_at")


def token_revoke(user: User, token_id: int) -> bool:
    """End a token of this bot, and every socket of it; False if it has no such token.

    Sockets do not store their token, so all are closed; those with another token reconnect.
    """
    with transaction.atomic():
        revoked = _end(user, tokens_of(user).filter(pk=token_id))
        if revoked:
            transaction.on_commit(
                lambda: access_ended.send(sender=User, user_id=user.pk, session_key=None)
            )
    return revoked


def tokens_end(user: User) -> None:
    """End every token of a bot, and every connection."""
    with transaction.atomic():
        ended = _end(user, tokens_of(user))
    if ended:
        connections_end(user.pk)


def _end(user: User, tokens: models.QuerySet[ApiToken]) -> bool:
    """End these tokens of a bot; False if there are none."""
    found = list(tokens.select_for_update(no_key=False))
    for token in found:
        token_changed.send(sender=User, user=user, token=token, verb="end")
    tokens.delete()
    return bool(found)


def bearer(header: str) -> str | None:
    """The token of an `Authorization: Bearer …` header; None for any other header."""
    scheme, _space, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def _digest(token: str) -> str:
    """A plain hash is enough for 256 bits of chance, and can be looked up."""
    return hashlib.sha256(token.encode()).hexdigest()
