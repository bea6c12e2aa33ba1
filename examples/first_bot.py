"""A first bot in some sixty lines: finds an opponent and plays one match at random.
    python examples/first_bot.py https://HOST --token pasch_… [--variant hypergammon]
Needs `websockets` and a token with `read`, `play` and `tables`; bot.py sends parts of the dice too.
"""

import argparse
import json
import random
import time
import urllib.request
import uuid

from websockets.sync.client import connect

EASY = ("take", "accept_resignation", "roll", "ready")


def post(house, token, address, body):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    asked = urllib.request.Request(f"{house}/api/v1/{address}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked) as answer:
        return json.load(answer)


def choose(view, seat):
    allowed = view["actions"][seat]
    if "play" in allowed:
        node, moves = 0, []
        while view["graph"][node]:
            *move, node = random.choice(view["graph"][node])
            moves.append(move)
        return {"type": "play", "moves": moves}
    return next(({"type": name} for name in EASY if name in allowed), None)


def play(house, token, table):
    """Play at this table until the match is over, and return its result."""
    url = f"{house.replace('http', 'ws', 1)}/ws/table/{table}/"
    with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        seat, seen = json.loads(socket.recv())["seat"], 0
        resume = json.dumps({"type": "resume", "since": 0})
        socket.send(resume)
        for frame in map(json.loads, socket):
            if frame["type"] == "error":  # too fast: nothing has happened, so ask and answer again
                time.sleep(1)
                seen = 0
                socket.send(resume)
            if frame["type"] not in ("snapshot", "update") or frame["seq"] <= seen:
                continue
            if frame["view"]["phase"] in ("over", "closed"):
                return frame["view"]["result"]
            seen = frame["seq"]
            if command := choose(frame["view"], seat):
                time.sleep(0.05)  # sending faster for long is refused
                named = {"id": str(uuid.uuid4()), "seq": seen, "command": command}
                socket.send(json.dumps({"type": "command", **named}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("house")
    parser.add_argument("--token", required=True)
    parser.add_argument("--variant", default="backgammon")
    asked = parser.parse_args()
    wanted = {"mode": "normal", "variant": asked.variant}
    found = post(asked.house, asked.token, "tables/pair/", wanted)["table"]["id"]
    print(json.dumps(play(asked.house, asked.token, found)))  # noqa: T201 (its answer)
