"""Bars: placed and lifted by whoever decides about conduct, checked before a table begins."""

from collections.abc import Collection
from datetime import datetime
from math import ceil
from typing import Final

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from accounts.login_marks import are_linked
from games.models import Bar, BarKind
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.table.errors import Later, TableError

#: the references of bars of those who leave matches begin so.
LEAVER: Final = "leaver:"


def _fair_play() -> str:
    return format_html('<a href="{}">{}</a>', reverse("fairplay_mine"), gettext("Fair play"))


#: the page that says why, as a part of a sentence
FAIR_PLAY: Final = lazy(_fair_play, str)()


class Barred(Later):
    """A pause, a check or a sanction keeps the player from such a table until its end."""

    code = "barred"
    sentence = _("Such a game is possible from {until} on. {page} says why.")
    page = FAIR_PLAY


class BarredForLeaving(Barred):
    """The bar is the pause of somebody who has left several matches."""

    sentence = _(
        "You left several of your last matches, so you can begin the next one from {until}"
        " on. {page} says how long such a pause is."
    )


class BarredForGood(TableError):
    """A sanction without an end keeps the player from such a table."""

    code = "barred_for_good"
    sentence = _("You cannot begin such a game. {page} says why.")
    page = FAIR_PLAY


class BarredTogether(Barred):
    """The bar is between the two players alone."""

    sentence = _("Such a game with this player is possible from {until} on. {page} says why.")


class BarredTogetherForGood(BarredForGood):
    """A decision without an end is about the two players alone."""

    sentence = _("You cannot begin such a game with this player. {page} says why.")


class Linked(TableError):
    """The two accounts share a browser or a network, and nobody has confirmed two people."""

    code = "linked"
    sentence = _(
        "You and this player have logged in from the same browser or network. Such accounts"
        " cannot play each other for credits, until a moderator confirms that you are two"
        " people."
    )


class OpenerBarred(TableError):
    """The player who opened the table or made the challenge is kept from it since."""

    code = "opener_barred"
    sentence = _("The other player cannot begin such a game at the moment.")


def bar_place(
    *,
    user_id: int,
    kind: str,
    reference: str,
    ends_at: datetime | None = None,
    other_id: int | None = None,
) -> Bar:
    """Place a bar; a second call of the same reference, player and kind changes nothing."""
    bar, _ = Bar.objects.get_or_create(
        user_id=user_id,
        kind=kind,
        reference=reference,
        defaults={"ends_at": ends_at, "other_id": other_id},
    )
    return bar


def bar_lift(*, reference: str) -> int:
    """Lift every bar of a reference; return how many were in force."""
    now = timezone.now()
    return _in_force().filter(reference=reference).update(lifted_at=now)


def bars_of(user_id: int) -> list[Bar]:
    """The bars of one account that are in force, and those between it and others."""
    found = _in_force().filter(Q(user=user_id) | Q(other=user_id))
    return list(found.select_related("user", "other").order_by("placed_at", "pk"))


def bar_check(user_id: int, terms: Terms) -> None:
    """Do nothing if this account may begin a table on these terms.

    Raises `Barred`, `BarredForGood`.
    """
    kinds = _kinds(terms)
    if kinds:
        _raise_longest(_in_force().filter(user=user_id, kind__in=kinds))


def opener_check(user_id: int, terms: Terms) -> None:
    """Do nothing if the opener or challenger may still begin; raises `OpenerBarred` to the other.

    The other player learns neither why nor until when.
    """
    try:
        bar_check(user_id, terms)
    except (Barred, BarredForGood) as error:
        raise OpenerBarred("the other player cannot begin such a game now") from error


def barred_among(user_ids: Collection[int]) -> set[int]:
    """Those of these people who are under a bar of their own."""
    found = _in_force().filter(user__in=user_ids, other__isnull=True)
    return set(found.values_list("user_id", flat=True))


def meeting_check(one_id: int, other_id: int, terms: Terms) -> None:
    """Do nothing if these two may meet on these terms.

    Raises `Linked`, `Barred`, `BarredForGood`.
    """
    if BarKind.RATED not in _kinds(terms) or one_id == other_id:
        return
    if terms.stake_cents and are_linked(one_id, other_id):
        raise Linked("linked accounts do not play each other for credits")
    _raise_longest(_between(one_id, other_id), together=True)


def kept_apart(one_id: int, other_id: int) -> bool:
    """Whether a bar keeps these two from games that count against each other."""
    return _between(one_id, other_id).exists()


def _between(one_id: int, other_id: int) -> QuerySet[Bar]:
    user, other = sorted((one_id, other_id))
    return _in_force().filter(user=user, other=other, kind=BarKind.MEETING)


def _kinds(terms: Terms) -> list[BarKind]:
    """The kinds of bars that keep an account from a table on these terms."""
    mode = mode_of(terms)
    if mode.is_practice:
        return []
    kinds = [BarKind.LOBBY]
    if terms.stake_cents or mode.rated(terms):
        kinds.append(BarKind.RATED)
    if terms.stake_cents:
        kinds.append(BarKind.STAKES)
    return kinds


def _in_force() -> QuerySet[Bar]:
    return Bar.objects.filter(
        Q(ends_at__isnull=True) | Q(ends_at__gt=timezone.now()), lifted_at__isnull=True
    )


def _raise_longest(found: QuerySet[Bar], *, together: bool = False) -> None:
    """Raise the refusal of the bar that ends last; `together`: it is between two players."""
    bars = list(found.values_list("ends_at", "reference"))
    if any(end is None for end, _reference in bars):
        raise (BarredTogetherForGood if together else BarredForGood)("a decision is in force")
    if bars:
        until, reference = max((end, reference) for end, reference in bars if end is not None)
        kind = BarredTogether if together else Barred
        if reference.startswith(LEAVER):
            kind = BarredForLeaving
        raise kind(f"until {until:%Y-%m-%dT%H:%M:%SZ}", until_ms=ceil(until.timestamp() * 1000))
