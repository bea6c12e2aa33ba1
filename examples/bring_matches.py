"""Brings files of matches, or ZIPs with them, and prints what was found in each.
    python examples/bring_matches.py https://HOST --token pasch_… FILE…
Needs a token with `matches` and `read`; the reports come by themselves.
"""

import argparse
import json
import time
import urllib.parse
import urllib.request
from pathlib import Path

COUNTS = ("files", "new", "known", "in_part", "unread")


def asked(house, token, address, body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
    request = urllib.request.Request(f"{house}/api/v1/matches/import/{address}", body, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def bring(house, token, path):
    """Send one file, and wait until it is read."""
    told = asked(house, token, f"?path={urllib.parse.quote(path.name)}", path.read_bytes())
    while not told["is_read"]:
        time.sleep(1)
        told = asked(house, token, f"{told['id']}/")
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("house")
    parser.add_argument("--token", required=True)
    parser.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    for file in given.files:
        told = bring(given.house, given.token, file)
        print(file, *(f"{name} {told[name]}" for name in COUNTS))  # noqa: T201 (its answer)
        for fault in told["faults"]:
            print("   ", fault["file"], fault["message"])  # noqa: T201 (its answer)
