"""The files that a house offers, by their address; runs with the code of any version.

`python first_house_files.py` prints them as JSON. Everything is fetched as the pages offer it, by a
client that is logged in as the person who may have the file.
"""

import json
import sys
from io import BytesIO
from zipfile import ZipFile

import django

django.setup()

# ruff: noqa: E402 (Django is set up first)
from django.test import Client

from accounts.models import User
from games.models import Match, Table

FORMATS = ("mat", "sgf", "json")


def fetched(address: str, user: User | None = None) -> str | None:
    """The text at an address; None where the house has none for this person."""
    client = Client(HTTP_HOST="127.0.0.1", HTTP_ACCEPT_LANGUAGE="en")
    if user is not None:
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    answer = client.get(address)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode() if answer.status_code == 200 else None


def zipped(address: str, user: User) -> dict[str, str]:
    """The files of an archive by their names."""
    client = Client(HTTP_HOST="127.0.0.1", HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    with ZipFile(BytesIO(client.get(address).content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def offered() -> dict[str, str | dict[str, str] | None]:
    """Every file that a match, a running table, a person and the public log have."""
    files: dict[str, str | dict[str, str] | None] = {"/fair/log.txt": fetched("/fair/log.txt")}
    for match in Match.objects.order_by("started_at"):
        names = [f"/match/{match.pk}/{key}/" for key in FORMATS if match.ended_at]
        for address in (*names, f"/match/{match.pk}/dice.json"):
            files[address] = fetched(address, User.objects.get(pk=match.player_0_id))
    for table in Table.objects.exclude(phase__in=("open", "closed", "over")).order_by("created_at"):
        address = f"/table/{table.pk}/envelope.json"
        files[address] = fetched(address, User.objects.get(pk=table.opener_id))
    for user in User.objects.filter(is_guest=False, is_staff=False).order_by("pk"):
        files[f"{user.username} /wallet/entries.csv"] = fetched("/wallet/entries.csv", user)
        files[f"{user.username} /matches/files/mat/"] = zipped("/matches/files/mat/", user)
    return files


if __name__ == "__main__":
    sys.stdout.write(json.dumps(offered(), sort_keys=True))
