"""How often something may be asked for: so many times in a stretch of time, counted in Valkey."""

import ipaddress
import time
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from redis.exceptions import RedisError

#: whoever has one IPv6 address has a whole network of this size.
IPV6_PREFIX: Final = 64


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `count` in every stretch of `seconds`; stretches begin at fixed times."""

    count: int
    seconds: int


def take(what: str, who: str, rate: Rate) -> bool:
    """Whether this may be done once more by this asker; counts it. Never while Valkey is down."""
    stretch = int(time.time()) // rate.seconds
    key = f"throttle:{what}:{who}:{stretch}"
    try:
        if cache.add(key, 1, rate.seconds):
            return rate.count >= 1
        return int(cache.incr(key)) <= rate.count
    except (RedisError, ValueError):  # a stretch that ends between the two is not counted on
        return False


def network_of(address: str) -> str:
    """The network that an address belongs to, as far as one asker has it to himself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 6:
        return str(ipaddress.ip_network(f"{found}/{IPV6_PREFIX}", strict=False))
    return str(found)
