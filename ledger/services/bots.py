"""An account that its owner makes a bot's, and takes back within a day.

The journal has both (`bot.declare`, `bot.undo`), and a declaration is taken back once. A bot
neither stakes nor has payouts, and an account with credits that could be paid out becomes none, so
nothing of the wallet moves meanwhile.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.mails import full_address, mail_enqueue
from accounts.models import User
from accounts.tokens import bot_become, tokens_end
from house.reader import house_now
from ledger.errors import UndoOver
from ledger.models import JournalEntry
from ledger.services.decisions import journal_record

UNDO: Final = timedelta(hours=24)
"""For so long the owner can make the account a person's again."""

TOKENS_TOLD: Final = 10

DECLARE: Final = "bot.declare"
BACK: Final = "bot.undo"

BOT_NO_MORE: Final = gettext_noop(
    "Your account is a normal account again. Its tokens no longer work."
)


@transaction.atomic
def bot_declare(user: User) -> None:
    """Make one's own account a bot's, and mail its owner until when that can be taken back.

    Raises as `accounts.tokens.bot_become`. A bot's account stays as it is.
    """
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if locked.is_bot:
        return
    bot_become(user)
    _journal(user, DECLARE, {"is_bot": False}, {"is_bot": True}, "declared by its owner")
    until = bot_undo_until(user)
    if until is None:
        news = gettext_noop(
            "Your account is now a bot account. You undid this once before, so now it stays one."
        )
    else:
        news = gettext_noop(
            "Your account is now a bot account. You can undo this until %(until)s: %(place)s"
        )
    _mail(user, news, until)


@transaction.atomic
def bot_undo(user: User) -> None:
    """Make one's account a person's again; its tokens end. Raises `UndoOver`."""
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    declared = _declared(locked)
    if declared is None:
        raise UndoOver(f"user {user.pk} has nothing to take back")
    _journal(
        user,
        BACK,
        {"is_bot": True, "entry": declared.pk},
        {"is_bot": False},
        "taken back by its owner",
    )
    tokens_end(user)
    User.objects.filter(pk=user.pk).update(is_bot=False)
    user.is_bot = False
    _mail(user, BOT_NO_MORE, None)


def bot_undo_until(user: User) -> datetime | None:
    """Return until when the owner can undo the bot account; None if they cannot."""
    declared = _declared(user)
    return None if declared is None else declared.created_at + UNDO


def tokens_told(user: User) -> list[JournalEntry]:
    """Return the last entries of the journal about the tokens of a bot, the newest first."""
    entries = JournalEntry.objects.filter(
        subject=_subject(user), verb__in=("token.make", "token.end")
    )
    return list(entries.order_by("-id")[:TOKENS_TOLD])


def _declared(user: User) -> JournalEntry | None:
    """The declaration that can still be taken back: of the owner, the last day's, the first one."""
    entries = JournalEntry.objects.filter(subject=_subject(user))
    if not user.is_bot or entries.filter(verb=BACK).exists():
        return None
    lately = entries.filter(verb=DECLARE, actor=user, created_at__gt=Now() - UNDO)
    return lately.order_by("-id").first()


def _subject(user: User) -> str:
    return f"user:{user.pk}"


def _journal(
    user: User, verb: str, before: dict[str, object], after: dict[str, object], reason: str
) -> None:
    journal_record(
        actor=user, verb=verb, subject=_subject(user), before=before, after=after, reason=reason
    )


def _mail(user: User, news: str, until: datetime | None) -> None:
    if not user.email:
        return
    with translation.override(house_now().language(user.language)):
        told = _(news) % {
            "until": until and date_format(timezone.localtime(until), "SHORT_DATETIME_FORMAT"),
            "place": full_address(reverse("account")),
        }
        greeting = _("Hello %(name)s,") % {"name": user.get_username()}
        warning = _("If that was not you, change your password now.")
        mail_enqueue(
            to=user.email,
            subject=_("Your account as a bot account"),
            body=f"{greeting}\n\n{told}\n\n{warning}\n",
            about=_subject(user),
        )
