"""Furnish the intruder's house for one role; prints the data for the visitors as JSON.

Run inside the house as the owner of its database: `python -m bench.intruder.furnish ROLE`.
"""

import json
import os
import sys
import time
from typing import Any

HONEST_STAFF = ("adele", "bruno")
STAFF_ROLES = ("administrator", "moderator", "treasurer")
DESTINATION = "DE02 1203 0000 0000 2020 51"
PAID_IN_CENTS = 50_000
PASSWORD = "a-long-password-nobody-guesses"


def main() -> None:
    """Make the people and the rows of this role and print them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    import django

    django.setup()
    print(json.dumps(furnished(sys.argv[1])))


def furnished(role: str) -> dict[str, Any]:
    """The cast, the rows to aim at by the names of their parts in addresses, and all addresses."""
    from accounts.tokens import token_make

    honest = [_staff(name) for name in HONEST_STAFF]
    _open_for_stakes(honest[0])
    cast = {
        who: _person(f"{who}-{role}", is_bot=(who, role) == ("villain", "bot"))
        for who in ("villain", "accomplice", "victim", "witness")
    }
    villain = cast["villain"]
    if role in STAFF_ROLES:
        _make_staff(villain, role)
    sessions = {who: _session(user) for who, user in cast.items()}
    world = {
        "role": role,
        "people": {
            who: {"id": user.pk, "name": user.username, "session": sessions[who]}
            for who, user in cast.items()
        },
        "honest": [user.pk for user in honest],
        "token": "",
        "targets": _targets(cast, honest),
        "routes": sorted({route for route, _ in _routes()}),
    }
    if role == "bot":
        world["token"] = token_make(villain, "the intruder's")
    if role == "outsider":
        world["people"]["villain"]["session"] = ""
    return world


def _open_for_stakes(actor: Any) -> None:
    """Undo what an intruder before this one has stopped."""
    from ledger.models import StakesStop
    from ledger.services.limits import stakes_resume

    for stop in StakesStop.objects.all():
        stakes_resume(scope=stop.scope, actor=actor, reason="for the next intruder")


def _person(name: str, *, is_bot: bool = False) -> Any:
    """A player with a verified address and a wallet that is free to be paid out."""
    from allauth.account.models import EmailAddress

    from accounts.models import User
    from accounts.tokens import bot_become

    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    if is_bot:  # before it has credits, which would forbid it
        bot_become(user)
        user.refresh_from_db()
    _pay_in(user)
    return user


def _pay_in(user: Any) -> None:
    """Unlocked credits: they were paid for, as the owner of the books notes."""
    from ledger.models import Warrant
    from ledger.postings import lines_of, wallet_key
    from ledger.services.books import transfer_post

    key = f"purchase:{user.pk}"
    Warrant.objects.create(
        key=key, kind="purchase", user_id=user.pk, amount_cents=PAID_IN_CENTS, reason="paid in"
    )
    transfer_post(
        key=key,
        kind="purchase",
        reference="purchase:intruder",
        memo="paid in",
        lines=lines_of({"cash_in:intruder": -PAID_IN_CENTS, wallet_key(user.pk): PAID_IN_CENTS}),
    )


def _staff(name: str) -> Any:
    from accounts.models import User

    found = User.objects.filter(username=name).first()
    if found is None:
        found = _person(name)
        _make_staff(found, "administrator")
    return found


def _make_staff(user: Any, role: str) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    from accounts.roles import Role, role_give

    role_give(user, Role(role))
    TOTP.activate(user, generate_totp_secret())
    user.refresh_from_db()


def _session(user: Any) -> str:
    """A login in which the password and, where there is one, the second factor were just shown."""
    from allauth.mfa.utils import is_mfa_enabled
    from django.test import Client

    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    records = [{"method": "password", "at": time.time(), "username": user.username}]
    if is_mfa_enabled(user):
        records.append({"method": "mfa", "at": time.time(), "type": "totp"})
    session["account_authentication_methods"] = records
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    return str(session.session_key)


def _targets(cast: dict[str, Any], honest: list[Any]) -> dict[str, list[str]]:
    """Rows to aim at, by the parts of addresses that name them."""
    from django.utils import timezone

    from ledger.services.payouts import payout_approve
    from ledger.services.vouchers import voucher_make

    villain, accomplice, victim = (cast[who] for who in ("villain", "accomplice", "victim"))
    now = timezone.now()
    asked = [_payout(user, number) for number, user in enumerate((accomplice, victim, accomplice))]
    payout_approve(payout_id=asked[2].pk, actor=honest[0], verified_at=now)
    proposed = _adjustments(honest[0], [cast["witness"], victim])
    vouchers = voucher_make(
        actor=honest[1], amount_cents=1_000, count=2, note="for the intruder", verified_at=now
    )
    matches = [str(_match(one, two)) for one, two in ((accomplice, victim), (victim, accomplice))]
    people = [str(user.pk) for user in (accomplice, villain, victim, honest[0])]
    return {
        "int:payout_id": [str(payout.pk) for payout in asked],
        "int:proposal_id": [str(each) for each in proposed],
        "int:voucher_id": [str(new.voucher.pk) for new in vouchers],
        "uuid:match_id": matches,
        "uuid:table_id": [str(_table_of(match)) for match in matches],
        "int:user_id": people,
        "int:person_id": people,
        "str:username": [accomplice.username, honest[0].username],
        "path:object_id": people,
        "uuid:tournament_id": _tournaments(accomplice, victim, cast["witness"], honest[0]),
        "uuid:club_id": [_club(victim)],
        "uuid:circle_id": [_chouette(accomplice, victim, cast["witness"])],
    }


def _tournaments(*players: Any) -> list[str]:
    """One for credits that fills with others in it, and one that runs with everybody in it."""
    from tournaments.engine.terms import TournamentTerms
    from tournaments.services.entering import tournament_enter
    from tournaments.services.holding import tournament_hold
    from tournaments.services.running import tournament_move_on

    made = []
    for who in (players[1:3], players):
        terms = TournamentTerms("knockout", length=3, least=4, most=4)
        held = tournament_hold(
            founder=None,
            name="for the intruder",
            terms=terms,
            fee_cents=2_000,
            offer=f"intruder-{players[0].pk}-{len(made)}",
        )
        for player in who:
            tournament_enter(user=player, tournament_id=held.pk)
        tournament_move_on(held.pk)
        made.append(str(held.pk))
    return made


def _chouette(*players: Any) -> str:
    """A chouette with 8.00 of each pair at stake, in which a game has begun."""
    from games.chouette.commands import StartGame
    from games.chouette.models import Game
    from games.chouette.services.opening import circle_open
    from games.chouette.services.playing import chouette_command
    from harness.chouettes import circle_sit

    opener, *others = players
    circle = circle_open(user=opener, rate_cents=100, limit_points=8)
    for player in others:
        circle_sit(user=player, circle_id=circle.pk)
    chouette_command(user=opener, circle_id=circle.pk, command=StartGame())
    Game.objects.get(circle=circle, ended_at=None)
    return str(circle.pk)


def _club(director: Any) -> str:
    from tournaments.services.clubs import club_found

    return str(club_found(user=director, name=f"Closed club {director.pk}", is_open=False).pk)


def _payout(user: Any, number: int) -> Any:
    from django.utils import timezone

    from ledger.services.payouts import payout_request

    return payout_request(
        user=user,
        amount_cents=2_000,
        destination=DESTINATION,
        client_key=f"intruder-{number}",
        verified_at=timezone.now(),
    )


def _adjustments(proposer: Any, users: list[Any]) -> list[int]:
    from django.utils import timezone

    from ledger.services.adjustments import adjustment_make

    return [
        adjustment_make(
            actor=proposer,
            user=user,
            amount_cents=100_000,
            reason="proposed by somebody honest",
            client_key=f"intruder-{user.pk}",
            verified_at=timezone.now(),
        ).pk
        for user in users
    ]


def _match(one: Any, two: Any) -> Any:
    """A running single game with 20.00 a seat at stake, and the terms to lose them at once."""
    from games.models import Match
    from games.services.tables import table_join, table_open

    table = table_open(user=one, mode="single", rate_cents=200, limit_cents=2_000, clock="slow")
    table_join(user=two, table_id=table.pk)
    return Match.objects.get(table=table).pk


def _table_of(match_id: str) -> Any:
    from games.models import Match

    return Match.objects.get(pk=match_id).table_id


def _routes() -> Any:
    """(route, name) of every address of the site."""
    from django.urls import get_resolver
    from django.urls.resolvers import URLPattern

    def walk(patterns: Any, prefix: str) -> Any:
        for each in patterns:
            route = prefix + str(each.pattern)
            if isinstance(each, URLPattern):
                yield route, each.name or ""
            else:
                yield from walk(each.url_patterns, route)

    return walk(get_resolver().url_patterns, "")


if __name__ == "__main__":
    main()
