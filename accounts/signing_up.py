"""How many may sign up, and the proof of work that opens the door to everybody else.

A network and the house have a number of new accounts an hour that cost nothing. Beyond it a browser
solves a puzzle: a number that, behind a signed challenge, gives a SHA-256 beginning with so many
zero bits. A second's work for a person, and twice as much each time the crowd has doubled, so a
crowd slows itself down and closes the door to nobody. A challenge holds for minutes, and once.
"""

import hashlib
import math
import secrets
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.cache import cache
from redis.exceptions import RedisError

from accounts.house.parts import Part
from accounts.house.reader import house_now
from accounts.throttle import Rate, count, counted, network_of, uncount

#: how many new accounts one network makes without a proof, so that it leaves some to others.
SIGNUPS_PER_NETWORK: Final = Rate(10, 3_600)
#: of IPv6, a home or an office has a network of this size or smaller.
IPV6_PREFIX: Final = 56

SALT: Final = "accounts.signing_up"
CHALLENGE_SECONDS: Final = 900
#: about 130,000 tries: half a second in a browser on a desk, two seconds on an old phone.
BITS: Final = 17
BITS_MAX: Final = 24
PROVED: Final = Rate(10**9, 3_600)


def signup_count(address: str, proof: str) -> tuple[str, ...] | None:
    """Count a sign-up for its network and the house; None if it needs a proof and has none.

    The answer is for `uncount`. None while Valkey is down.
    """
    network = _network(address)
    ours = count("signup-network", network, SIGNUPS_PER_NETWORK)
    if ours is not None:
        house = count("signup", "house", _house_rate())
        if house is not None:
            return ours, house
        uncount(ours)
    if not _is_proved(proof):
        return None
    proved = (count("signup-proved", who, PROVED) for who in (network, "house"))
    return tuple(key for key in proved if key is not None)


def challenge_for(address: str) -> str:
    """A new challenge for this address: text to put before the number, its bits in it."""
    network, house = _network(address), _house_rate()
    crowd = max(
        counted("signup-proved", network, PROVED) / SIGNUPS_PER_NETWORK.count,
        counted("signup-proved", "house", PROVED) / house.count,
    )
    bits = min(BITS_MAX, BITS + math.floor(math.log2(1 + crowd)))
    return signing.dumps({"bits": bits, "once": secrets.token_urlsafe(12)}, salt=SALT)


def is_crowded(address: str) -> bool:
    """Whether a proof may be needed soon: the page gives its browser a challenge then."""
    network = counted("signup-network", _network(address), SIGNUPS_PER_NETWORK)
    house = _house_rate()
    return 2 * network >= SIGNUPS_PER_NETWORK.count or 2 * counted("signup", "house", house) >= (
        house.count
    )


def bits_of(challenge: str) -> int:
    """How many zero bits a challenge of ours asks for. Raises `signing.BadSignature`."""
    return int(signing.loads(challenge, salt=SALT, max_age=CHALLENGE_SECONDS)["bits"])


def _is_proved(proof: str) -> bool:
    """Whether a challenge of ours is solved, for the first time."""
    challenge, _, number = proof.rpartition(".")
    if not number.isascii() or not number.isdigit() or len(number) > 15:
        return False
    try:
        bits = bits_of(challenge)
    except signing.BadSignature:
        return False
    digest = hashlib.sha256(proof.encode()).digest()
    if int.from_bytes(digest) >> (256 - bits):
        return False
    try:
        used = hashlib.sha256(challenge.encode()).hexdigest()
        return bool(cache.add(f"signup-proof:{used}", 1, CHALLENGE_SECONDS))
    except RedisError:
        return False


def _network(address: str) -> str:
    return network_of(address, IPV6_PREFIX)


def _house_rate() -> Rate:
    chosen = house_now().content(Part.LIMITS).get("signups_per_hour")
    return Rate(chosen or settings.SIGNUPS_PER_HOUR, 3_600)
