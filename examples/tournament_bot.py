"""A bot that enters a free sit-and-go and plays it to the end, with the plays of first_bot.py.
    python examples/tournament_bot.py https://HOST --token pasch_…
Needs `websockets` and a token with `read`, `play` and `tables`. Prints the final standing.
"""

import argparse
import json
import secrets
import urllib.request
from contextlib import suppress

from first_bot import play, post
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

LOOK_SECONDS = 60  # without news: a report may be lost, so look once in a while all the same


def get(house, token, address):
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{house}/api/v1/{address}", headers=headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def free_one(house, token):
    """The free sit-and-go that is nearest to full."""
    found = [
        each
        for each in get(house, token, "tournaments/")
        if each["phase"] == "registering" and not each["fee_cents"] and not each["starts_at"]
    ]
    return min(found, key=lambda each: (each["most"] - each["taken"], each["most"]))["id"]


def compete(house, token):
    """Enter, come to every match that is called, and return the standing."""
    found = free_one(house, token)
    post(house, token, f"tournaments/{found}/enter/", {"part": secrets.token_hex(16)})
    url = f"{house.replace('http', 'ws', 1)}/ws/tournament/{found}/"
    headers = {"Authorization": f"Bearer {token}"}
    standing = None
    while standing is None:  # a socket that was closed is opened again, and begins with a report
        with suppress(ConnectionClosed), connect(url, additional_headers=headers) as news:
            while standing is None:
                wait_for(news)
                standing = act(house, token, f"tournaments/{found}/")
    return standing


def wait_for(news):
    """Wait for a report, and take all that have come: one look answers them together."""
    with suppress(TimeoutError):
        news.recv(timeout=LOOK_SECONDS)
        while True:
            news.recv(timeout=0)


def act(house, token, address):
    """Do what is to be done now; the standing once the tournament is over."""
    told = get(house, token, address)
    if told["phase"] in ("over", "called_off"):
        return told["standing"]
    call = told["call"]
    if call and not call["table"]:
        call = post(house, token, f"{address}ready/", {})["call"]
    if call and call["table"]:
        play(house, token, call["table"])
    return None


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("house")
    parser.add_argument("--token", required=True)
    asked = parser.parse_args()
    print(json.dumps(compete(asked.house, asked.token)))  # noqa: T201 (its answer)
