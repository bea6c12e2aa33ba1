"""Furnish the soak's house: players with logins, two administrators; prints them as JSON.

Run as the owner of the database, before the doors open: `python -m bench.soak.furnish PLAYERS`.
"""

import json
import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

ADMINISTRATORS = ("adele", "bruno")
BOUGHT_CENTS = 49_000


def main() -> None:
    """Make everybody and print name, user id and session of each."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    import django

    django.setup()
    from allauth.account.models import EmailAddress
    from django.test import Client

    from accounts.models import User
    from accounts.roles import Role, role_give
    from ledger.models import Warrant
    from ledger.postings import lines_of, wallet_key
    from ledger.services.books import transfer_post

    players = []
    for number in range(int(sys.argv[1])):
        user = User.objects.create_user(f"player{number:03}")
        address = f"{user.username}@example.org"
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
        key, why = f"purchase:{user.pk}", "bought for the soak"
        Warrant.objects.create(
            key=key, kind="purchase", user_id=user.pk, amount_cents=BOUGHT_CENTS, reason=why
        )
        transfer_post(
            key=key,
            kind="purchase",
            reference="purchase:soak",
            memo=why,
            lines=lines_of({"cash_in:soak": -BOUGHT_CENTS, wallet_key(user.pk): BOUGHT_CENTS}),
        )
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        session = _proved(client, user.pk)
        players.append({"name": user.username, "id": user.pk, "session": session})
    staff = []
    for name in ADMINISTRATORS:
        user = User.objects.create_user(name)
        role_give(user, Role.ADMINISTRATOR)
        staff.append({"name": name, "id": user.pk})
    print(json.dumps({"players": players, "staff": staff}))


def _proved(client: "Client", user_id: int) -> str:
    """The key of the session, in which the password was given just now, as at a login."""
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time()}]
    session["account_authentication_methods_user"] = str(user_id)
    session.save()
    return str(session.session_key)


if __name__ == "__main__":
    main()
