"""Doors through which few come for nothing, and everybody else by a proof of work.

A network and the house have a number of new accounts, guests and announcements an hour that cost
nothing. Beyond it a browser solves a puzzle: a number that, behind a signed challenge, gives a
SHA-256 beginning with so many zero bits. A second's work for a person, and twice as much each time
the crowd has doubled, so a crowd slows itself down and closes the door to nobody. A challenge holds
for minutes, for one door, and once.
"""

import hashlib
import logging
import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

from house.parts import HousePart
from house.reader import house_now
from kit.throttle import Rate, count, counted, network_of, uncount

#: of IPv6, a home or an office has a network of this size or smaller.
IPV6_PREFIX: Final = 56

SALT: Final = "accounts.crowds"
CHALLENGE_SECONDS: Final = 900
#: about 130,000 tries: half a second in a browser on a desk, two seconds on an old phone.
BITS: Final = 17
BITS_MAX: Final = 24
PROVED: Final = Rate(10**9, 3_600)

logger = logging.getLogger("security")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A challenge, the text to put before the number, and how many zero bits it asks for."""

    text: str
    bits: int


@dataclass(frozen=True, slots=True)
class CrowdDoor:
    """Something that a network and the house do so often without a proof."""

    name: str
    of_network: Rate
    of_house: Callable[[], Rate]

    def enter(self, address: str, proof: str) -> tuple[str, ...] | None:
        """Count one who comes from this address; None if a proof is needed and there is none.

        The answer is for `uncount`. None while Valkey is down.
        """
        network = network_of(address, IPV6_PREFIX)
        ours = count(f"{self.name}-network", network, self.of_network)
        if ours is not None:
            house = count(self.name, "house", self.of_house())
            if house is not None:
                return ours, house
            uncount(ours)
        if not self._is_proved(proof):
            return None
        proved = (count(f"{self.name}-proved", who, PROVED) for who in (network, "house"))
        return tuple(key for key in proved if key is not None)

    def puzzle(self, address: str) -> Puzzle:
        """Return a new puzzle for this address."""
        network = network_of(address, IPV6_PREFIX)
        crowd = max(
            counted(f"{self.name}-proved", network, PROVED) / self.of_network.count,
            counted(f"{self.name}-proved", "house", PROVED) / self.of_house().count,
        )
        bits = min(BITS_MAX, BITS + math.floor(math.log2(1 + crowd)))
        once = {"bits": bits, "once": secrets.token_urlsafe(12)}
        return Puzzle(signing.dumps(once, salt=self._salt), bits)

    def is_crowded(self, address: str) -> bool:
        """Return True if a proof may be needed soon: the page gives its browser a puzzle then."""
        network = network_of(address, IPV6_PREFIX)
        house = self.of_house()
        return (
            2 * counted(f"{self.name}-network", network, self.of_network) >= self.of_network.count
            or 2 * counted(self.name, "house", house) >= house.count
        )

    @property
    def _salt(self) -> str:
        return f"{SALT}.{self.name}"

    def _is_proved(self, proof: str) -> bool:
        """Return True if a challenge of this door is solved, for the first time."""
        challenge, _, number = proof.rpartition(".")
        if not number.isascii() or not number.isdigit() or len(number) > 15:
            return False
        try:
            known = signing.loads(challenge, salt=self._salt, max_age=CHALLENGE_SECONDS)
        except signing.BadSignature:
            return False
        digest = hashlib.sha256(proof.encode()).digest()
        if int.from_bytes(digest) >> (256 - int(known["bits"])):
            return False
        try:
            used = hashlib.sha256(challenge.encode()).hexdigest()
            return bool(cache.add(f"{self.name}-proof:{used}", 1, CHALLENGE_SECONDS))
        except RedisError:
            return False


class Crowded(Exception):
    """Somebody needs a proof to come through this door, and has none."""

    def __init__(self, door: CrowdDoor) -> None:
        super().__init__(f"too many come through the door {door.name} without a proof")
        self.door = door


def door_pass(request: HttpRequest, door: CrowdDoor) -> tuple[str, ...]:
    """Let this request through the door; the answer is for `uncount`. Raises `Crowded`."""
    passed = door.enter(request.META.get("REMOTE_ADDR", ""), request.POST.get("proof", ""))
    if passed is None:
        event = {"event": "crowded", "door": door.name}
        logger.warning("crowded", extra={"event": event})
        raise Crowded(door)
    return passed


def _signups_of_house() -> Rate:
    chosen = house_now().content(HousePart.LIMITS).get("signups_per_hour")
    return Rate(chosen or settings.SIGNUPS_PER_HOUR, 3_600)


SIGN_UP: Final = CrowdDoor("signup", Rate(10, 3_600), _signups_of_house)
