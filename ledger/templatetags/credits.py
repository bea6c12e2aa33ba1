"""How credits are written for people: hundredths in, the reader's own notation out."""

import re
from datetime import datetime
from decimal import Decimal
from functools import cache

from django import template
from django.utils import formats
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from accounts.models import User
from house.reader import house_now
from ledger import selectors
from ledger.models import JournalEntry
from ledger.services.bots import bot_undo_until, tokens_told

register = template.Library()

MINUS = "−"
NARROW_SPACE = "\u00a0"

_RUN = re.compile(r"([A-Za-z0-9]{9,})")
_DIGITS_LEAST = 6
_BLOCK = 4


def credits_text(cents: int, *, signed: bool = False) -> str:
    """Write an amount of cents as credits: 250 → "2,50 ℂ" in German, "2.50 ℂ" in English.
    A house can have another sign.

    The arithmetic stays with integers. With `signed` a gain carries its plus sign.
    """
    whole, hundredths = divmod(abs(cents), 100)
    separator, point = _separators(get_language())
    grouped = f"{whole:,}".replace(",", separator)
    sign = MINUS if cents < 0 else "+" if signed and cents > 0 else ""
    return f"{sign}{grouped}{point}{hundredths:02d}{NARROW_SPACE}{house_now().sign}"


@cache
def _separators(language: str | None) -> tuple[str, str]:
    """The marks between thousands and before hundredths; a list has dozens of amounts."""
    names = ("THOUSAND_SEPARATOR", "DECIMAL_SEPARATOR")
    separator, point = (str(formats.get_format(name, language)) for name in names)
    return separator, point


@register.filter(name="credits")
def credits_filter(cents: int | None) -> str:
    """Write `cents` as credits; nothing for a missing amount."""
    return "" if cents is None else credits_text(int(cents))


@register.filter
def credits_change(cents: int | None) -> SafeString | str:
    """Write a movement of credits with its sign, and a class for its direction."""
    if cents is None:
        return ""
    direction = "up" if cents > 0 else "down" if cents < 0 else "still"
    return format_html(
        '<span class="amount amount-{}">{}</span>', direction, credits_text(int(cents), signed=True)
    )


@register.filter
def grouped(text: str) -> SafeString:
    """Write where a payout goes: long numbers in blocks of four, apart from what stands around.

    The blocks are set apart by the style sheet, so that what is copied has no spaces.
    """
    parts = format_html_join("", "{}", ((_in_blocks(part),) for part in _RUN.split(text)))
    return format_html('<bdi class="destination">{}</bdi>', parts)


def _in_blocks(part: str) -> SafeString | str:
    if not (_RUN.fullmatch(part) and sum(sign.isdigit() for sign in part) >= _DIGITS_LEAST):
        return part
    blocks = ((part[at : at + _BLOCK],) for at in range(0, len(part), _BLOCK))
    return format_html_join("", "<span>{}</span>", blocks)


@register.filter
def percent(share: Decimal) -> str:
    """Write a share of a hundred: "55,6 %" in German, "55.6%" in English."""
    # Translators: a share of a hundred; German puts a space before the sign.
    return gettext("%(number)s%%") % {"number": formats.localize(share)}


@register.simple_tag
def wallet_cents(user: User) -> int:
    """Return what `user` has in the wallet, in cents."""
    return selectors.wallet_balance(user.pk)


# --- a bot on its account page --------------------------------------------------------------------
@register.simple_tag
def undo_until(user: User) -> datetime | None:
    """Return until when the owner can undo the bot account; None if they cannot."""
    return bot_undo_until(user)


@register.simple_tag
def token_history(user: User) -> list[JournalEntry]:
    """Return what the journal says about the bot's tokens, the newest first."""
    return tokens_told(user)
