"""Opening a chouette, sitting down and standing up, and closing a table that nobody needs."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction

from accounts.models import User
from games.chouette import settlement
from games.chouette.engine.state import State
from games.chouette.engine.terms import PEOPLE_MOST, ChouetteTerms
from games.chouette.errors import (
    BadChouetteTerms,
    ChouettesNeedAccount,
    ChouetteStakeNotPossible,
    Closed,
    NoSuchChouette,
    SitsElsewhere,
)
from games.chouette.models import Circle, Place
from games.chouette.services.course import go_on
from games.chouette.services.store import JOURNAL, Work, as_staked
from games.selectors import prices
from games.services.commit import row_lock
from games.services.house_bots import house_bot
from games.services.people import account_check, apart_check
from games.services.seats import person_lock

#: what a point may be worth, and how many points a pair can lose in a game at most.
RATES_CENTS: Final = (0, 10, 25, 50, 100)
LIMITS_POINTS: Final = (4, 8, 16)

#: the house bots that sit down one after the other, by strength.
BOTS: Final = ("intermediate", "advanced", "expert")


def circle_open(
    *, user: User, rate_cents: int = 0, limit_points: int = 8, bots: int = 0, **rules: object
) -> Circle:
    """Open a table and sit down; so many house bots sit down as well where there are no credits.

    `rules` are fields of the engine's terms; with one cube there are no beavers. Raises `BadTerms`,
    `SitsElsewhere`, `ChouetteStakeNotPossible`, and what `account_check` does.
    """
    _wishes_check(rate_cents, limit_points, bots)
    terms = _terms(rules | {"limit_points": limit_points if rate_cents else 0})
    with transaction.atomic(durable=True):
        person_lock(user.pk)
        circle = Circle(
            founder=user,
            terms=msgspec.to_builtins(terms),
            rate_cents=rate_cents,
            limit_cents=rate_cents * limit_points,
            rake_bps=prices().rake_bps if rate_cents else 0,
            state=JOURNAL.plain(State(terms=terms)),
        )
        circle.save(force_insert=True)
        work = Work(circle)
        person_sits(work, user)
        for strength in BOTS[:bots]:
            _bot_sits(work, strength)
        go_on(work)
        return circle


def _terms(rules: Mapping[str, object]) -> ChouetteTerms:
    terms = msgspec.convert(rules, ChouetteTerms)
    if terms.lone_taker == "beavers" and not terms.lone_taker_beavers:
        raise BadChouetteTerms("the rule for the lone taker needs beavers", field="lone_taker")
    return msgspec.structs.replace(terms, beavers=terms.cube_rules.beavers)


def _wishes_check(rate_cents: int, limit_points: int, bots: int) -> None:
    if rate_cents not in RATES_CENTS:
        raise BadChouetteTerms(f"a point is worth one of {RATES_CENTS} cents", field="rate_cents")
    if limit_points not in LIMITS_POINTS:
        raise BadChouetteTerms(f"the limit is one of {LIMITS_POINTS} points", field="limit_points")
    if not 0 <= bots <= len(BOTS) or (bots and rate_cents):
        raise BadChouetteTerms("house bots sit down only where there are no credits", field="bots")


def bot_invite(work: Work, user: User) -> None:
    """Let the next house bot sit down, at the wish of somebody who sits here.

    Raises `NotSeated`, `BadTerms` where there are credits or no bot is left.
    """
    work.seated_check(user.pk)
    if work.circle.rate_cents:
        raise BadChouetteTerms("house bots sit down only where there are no credits", field="bots")
    left = [strength for strength in BOTS if strength not in work.bots.values()]
    if not left:
        raise BadChouetteTerms("all house bots sit here", field="bots")
    _bot_sits(work, left[0])


def locked(circle_id: UUID) -> Work:
    """Work on an open table, locked. Raises `NoSuchChouette`, `Busy`, `Closed`."""
    return work_on(row_lock(Circle, circle_id, NoSuchChouette))


def work_on(circle: Circle) -> Work:
    """Work on an open table that is locked already. Raises `Closed`."""
    if circle.closed_at is not None:
        raise Closed("this table is closed")
    return Work(circle)


def person_sits(work: Work, user: User) -> None:
    """Sit down, from the next game on; whoever sits there already stays. The person is locked.

    Raises `Refused` (full), `SitsElsewhere`, `ChouetteStakeNotPossible`, and what `account_check`
    and `apart_check` do.
    """
    if user.pk in work.state.people:
        return
    if user.is_guest:
        raise ChouettesNeedAccount("guests play at tables for two; a chouette needs an account")
    circle = work.circle
    terms = as_staked(circle)
    account_check(user.pk, terms)
    for other in work.state.people:
        if other not in work.bots:
            apart_check(user.pk, other, terms)
    elsewhere = Place.objects.filter(user=user, stood_up_at=None).first()
    if elsewhere is not None:
        raise SitsElsewhere("you sit at another chouette", circle=str(elsewhere.circle_id))
    if circle.rate_cents and settlement.balance_cents(user.pk) < circle.limit_cents:
        raise ChouetteStakeNotPossible("the wallet has too little", reason="insufficient_credits")
    _place(work, user, is_bot=False)


def _bot_sits(work: Work, strength: str) -> None:
    bot = house_bot(strength)
    _place(work, bot, is_bot=True)
    work.bots[bot.pk] = strength


def _place(work: Work, user: User, *, is_bot: bool) -> None:
    work.engine.sit(user.pk)
    try:
        with transaction.atomic():
            Place.objects.create(circle=work.circle, user=user, is_bot=is_bot, sat_at=work.now)
    except IntegrityError as error:
        raise SitsElsewhere("you sit at another chouette") from error


def places_free(state: State) -> int:
    """How many more people can sit down."""
    return PEOPLE_MOST - len(state.people)
