"""Furnish the soak's house: players with logins, two administrators; prints them as JSON.

Run as the owner of the database, before the doors open: `python -m bench.soak.furnish PLAYERS`.
"""

import json
import os
import sys

ADMINISTRATORS = ("adele", "bruno")


def main() -> None:
    """Make everybody and print name, user id and session of each."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    import django

    django.setup()
    from django.test import Client

    from accounts.models import User
    from accounts.roles import Role, role_give

    players = []
    for number in range(int(sys.argv[1])):
        user = User.objects.create_user(f"player{number:03}")
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        session = client.session.session_key
        players.append({"name": user.username, "id": user.pk, "session": session})
    staff = []
    for name in ADMINISTRATORS:
        user = User.objects.create_user(name)
        role_give(user, Role.ADMINISTRATOR)
        staff.append({"name": name, "id": user.pk})
    print(json.dumps({"players": players, "staff": staff}))


if __name__ == "__main__":
    main()
