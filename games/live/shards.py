"""A connection to every primary of a cluster, used like one: a channel belongs to one of them.

Publications are sharded: a message goes to the server that has the slot of its channel, and whoever
listens subscribes there. A slot that moves, a server that goes and one that is replaced all end the
whole, and the hub connects again to the servers as they are then.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Final

import hiredis
from redis.exceptions import RedisError

from games.live.valkey import CONNECT_SECONDS, Reply, Wire, connect, connect_primary, pack
from kit.valkey.address import Cluster, cluster_of
from kit.valkey.cluster import Place, Slots, slots_asked
from kit.valkey.primary import ASK_EVERY_SECONDS

#: answers of a server that no longer has the slot, or has no majority behind it.
ELSEWHERE: Final = ("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "READONLY")

#: what a server says about channels of a shard, and the same about other channels.
PLAIN: Final = {
    b"smessage": b"message",
    b"ssubscribe": b"subscribe",
    b"sunsubscribe": b"unsubscribe",
}


class Shards:
    """Connections to the primaries of a cluster. Use `connect_all`."""

    def __init__(
        self, slots: Slots, hear: Callable[[Reply], None], lost: Callable[[], None]
    ) -> None:
        self.closed = False
        self.drained: Callable[[], None] = lambda: None
        self.slots = slots
        self._hear, self._lost = hear, lost
        self._wires: dict[Place, Wire] = {}
        self._given_up: Counter[bytes] = Counter()
        self._opened = False
        self._following: asyncio.Task[None] | None = None

    async def open(self, told: Cluster, name: str) -> None:
        """Connect to every primary at once. Raises `OSError` or `redis.RedisError`."""
        places = set(self.slots.places)
        try:
            await asyncio.gather(*(self._open(told, place, name) for place in places))
        except BaseException:
            self.close()
            raise
        if self.closed:
            raise ConnectionError("a server of the cluster closed the connection")
        self._opened = True
        self._following = asyncio.create_task(self._while_so(told))

    async def _open(self, told: Cluster, place: Place, name: str) -> None:
        wire = await connect_primary(told.server, place, self._heard, lost=self.close, name=name)
        wire.drained = self._drained
        self._wires[place] = wire
        if self.closed:  # another one failed meanwhile
            wire.close()

    @property
    def writable(self) -> bool:
        """Whether every server keeps up."""
        return all(wire.writable for wire in self._wires.values())

    def publish(self, batch: Sequence[tuple[str, bytes]]) -> None:
        """Publish messages at their channels; in this order at each server."""
        commands: dict[Place, list[bytes]] = {}
        for channel, message in batch:
            place = self.slots.place(channel.encode())
            commands.setdefault(place, []).append(pack(("SPUBLISH", channel, message)))
        self._send(commands)

    def subscribe(self, channels: Collection[str]) -> None:
        """Receive what is published at these channels; their servers confirm each."""
        self._command("SSUBSCRIBE", channels)

    def unsubscribe(self, channels: Collection[str]) -> None:
        """Receive no more of these channels."""
        self._given_up.update(channel.encode() for channel in channels)
        self._command("SUNSUBSCRIBE", channels)

    def close(self) -> None:
        """End all connections; what has not been sent is dropped."""
        if self.closed:
            return
        self.closed = True
        if self._following is not None:
            self._following.cancel()
        for wire in self._wires.values():
            wire.close()
        if self._opened:
            self._lost()

    def _command(self, word: str, channels: Collection[str]) -> None:
        """One command for each channel: those of one command have to be in one slot."""
        commands: dict[Place, list[bytes]] = {}
        for channel in channels:
            place = self.slots.place(channel.encode())
            commands.setdefault(place, []).append(pack((word, channel)))
        self._send(commands)

    def _send(self, commands: dict[Place, list[bytes]]) -> None:
        for place, packed in commands.items():
            self._wires[place].send(packed)

    def _heard(self, reply: Reply) -> None:
        if isinstance(reply, hiredis.ReplyError) and str(reply).startswith(ELSEWHERE):
            self.close()
            return
        if type(reply) is list and reply[0] in PLAIN:
            if reply[0] == b"sunsubscribe":
                if not self._given_up[reply[1]]:  # its slot has moved to another server
                    self.close()
                    return
                self._given_up -= Counter((reply[1],))
            reply[0] = PLAIN[reply[0]]
        self._hear(reply)

    def _drained(self) -> None:
        if self.writable:
            self.drained()

    async def _while_so(self, told: Cluster) -> None:
        """End this once the cluster names other primaries."""
        while not self.closed:
            await asyncio.sleep(ASK_EVERY_SECONDS)
            with contextlib.suppress(RedisError, OSError):  # none answers: nothing is known
                if await slots_asked(told) != self.slots:
                    self.close()


async def connect_all(
    url: str,
    hear: Callable[[Reply], None],
    *,
    lost: Callable[[], None] = lambda: None,
    name: str = "",
) -> Wire | Shards:
    """A connection to Valkey at an address of any kind; see `games.live.valkey.connect`.

    Raises `OSError`, `TimeoutError` (an `OSError`) or `redis.RedisError`, whatever is wrong.
    """
    told = cluster_of(url)
    if told is None:
        return await connect(url, hear, lost=lost, name=name)
    async with asyncio.timeout(CONNECT_SECONDS):
        made = Shards(await slots_asked(told), hear, lost)
        await made.open(told, name)
    return made
