"""A player for Pasch in about a hundred lines, written from docs/protocol.md.

    python examples/bot.py wss://HOST/ws/table/TABLE/ --token pasch_…
    python examples/bot.py wss://HOST/ws/table/TABLE/ --session NAME=VALUE

Sits at one table until its match is over and plays at random. A bot brings its token; `--session`
is the cookie of a person's login. Needs the package `websockets`.
"""

import argparse
import asyncio
import json
import random
import uuid
from urllib.parse import urlsplit

from fair_dice import Part
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

# The first of these that the table allows is the answer.
ANSWERS = ("take", "accept_resignation", "roll", "drop", "refuse_resignation", "ready")
SILENCE_SECONDS = 15  # after which we ask whether we have missed something
PAUSE_SECONDS = 0.04  # between two commands: sending faster for long is refused, `too_fast`


def complete_play(graph):
    """Walk through the graph of legal plays at random, to a node without edges."""
    node, moves = 0, []
    while graph[node]:
        *move, node = random.choice(graph[node])
        moves.append(move)
    return moves


def decide(view, seat):
    """The command to give now, or None when nothing is ours to do."""
    allowed = view["actions"][seat]
    if "play" in allowed:
        return {"type": "play", "moves": complete_play(view["graph"])}
    if "name_double" in allowed:
        return {"type": "name_double", "number": random.randint(1, 6)}
    if "double" in allowed and random.random() < 0.05:
        return {"type": "double"}
    return next(({"type": name} for name in ANSWERS if name in allowed), None)


class Player:
    """One connection to a table: the newest view, and the command that waits for its answer."""

    def __init__(self, socket):
        self.socket, self.seat, self.seq, self.view, self.waits = socket, None, 0, None, None

    async def send(self, **frame):
        await self.socket.send(json.dumps(frame))

    async def hear(self, frame):
        """Take in one frame and answer it; True once the match is over."""
        if frame["type"] == "welcome":
            self.seat = frame["seat"]
            self.dice = Part(self.seat)
            await self.send(type="resume", since=0)
        elif frame["type"] in ("snapshot", "update") and frame["seq"] > self.seq:
            self.seq, self.view = frame["seq"], frame["view"]
        elif frame["type"] == "fair" and self.view and frame["seq"] >= self.seq:
            self.view["fair"] = frame["fair"]
        elif frame["type"] in ("accepted", "rejected") and frame["id"] == self.waits:
            self.waits = None
            if frame["type"] == "rejected" or frame["seq"] > self.seq:
                return await self.send(type="resume", since=self.seq)
        elif frame["type"] == "error" and frame["code"] == "too_fast":
            await asyncio.sleep(1)  # nothing has happened: say it again, a little later
            self.waits = None
        return await self.act() if self.view else False

    async def act(self):
        """Give our part in the dice and the command that is ours to give."""
        for part in self.dice.frames(self.view):
            await self.send(**part)
        command = None if self.waits else decide(self.view, self.seat)
        if command:
            await asyncio.sleep(PAUSE_SECONDS)
            self.waits = str(uuid.uuid4())
            await self.send(type="command", id=self.waits, seq=self.seq, command=command)
        return self.view["phase"] in ("over", "closed")


async def play(url, headers):
    """Play one match to its end, through lost connections; return the result."""
    origin = urlsplit(url)._replace(scheme=url.split(":")[0].replace("ws", "http"), path="")
    async for socket in connect(url, additional_headers=headers, origin=origin.geturl()):
        try:
            player = Player(socket)
            while True:
                try:
                    text = await asyncio.wait_for(socket.recv(), SILENCE_SECONDS)
                except TimeoutError:  # an update may have got lost, and nothing followed it
                    await player.send(type="resume", since=player.seq)
                    continue
                if await player.hear(json.loads(text)):
                    successor = player.view["successor"]
                    if successor is None or player.seat == 1:
                        return player.view["result"]
                    # the guest stood up before the first roll: wait for another one
                    return await play(url.replace(player.view["table"], successor), headers)
        except ConnectionClosed:
            continue


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("url")
    for way in ("--token", "--session"):
        parser.add_argument(way)
    asked = parser.parse_args()
    way_in = {"Authorization": f"Bearer {asked.token}"} if asked.token else {}
    print(json.dumps(asyncio.run(play(asked.url, way_in or {"Cookie": asked.session}))))  # noqa: T201 (its answer)
