"""A bot that enters a free sit-and-go and plays it to the end, with the plays of first_bot.py.
    python examples/tournament_bot.py https://HOST --token pasch_…
Needs a token with `read`, `play` and `tables`. Prints the final standing.
"""

import argparse
import json
import secrets
import time
import urllib.request

from first_bot import play, post


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
    address = f"tournaments/{free_one(house, token)}/"
    post(house, token, f"{address}enter/", {"part": secrets.token_hex(16)})
    while True:
        told = get(house, token, address)
        if told["phase"] in ("over", "called_off"):
            return told["standing"]
        if told["call"] and told["call"]["table"]:
            play(house, token, told["call"]["table"])
        elif told["call"]:
            post(house, token, f"{address}ready/", {})
        time.sleep(1)  # there is no stream of tournaments; one look a second is polite


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("house")
    parser.add_argument("--token", required=True)
    asked = parser.parse_args()
    print(json.dumps(compete(asked.house, asked.token)))  # noqa: T201 (its answer)
