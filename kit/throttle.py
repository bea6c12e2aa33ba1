"""Rate limits: a number of requests within a time, counted in Valkey."""

import ipaddress
import time
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from redis.exceptions import RedisError

#: a client with one IPv6 address has a whole network of this size
IPV6_PREFIX: Final = 64


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `count` in every stretch of `seconds`; stretches begin at fixed times."""

    count: int
    seconds: int


def take(what: str, who: str, rate: Rate, amount: int = 1) -> bool:
    """Whether this may be done once more by this asker; counts it. Never while Valkey is down.

    `amount` is what it counts for.
    """
    return count(what, who, rate, amount) is not None


def count(what: str, who: str, rate: Rate, amount: int = 1) -> str | None:
    """Count this once more; None if it is too often. The answer is for `uncount`.

    What is too often is not counted. None while Valkey is down.
    """
    stretch = int(time.time()) // rate.seconds
    key = f"throttle:{what}:{who}:{stretch}"
    try:
        is_first = cache.add(key, amount, rate.seconds)
        number = amount if is_first else int(cache.incr(key, amount))
        if number > rate.count:
            cache.decr(key, amount)
            return None
    except (RedisError, ValueError):  # a stretch that ends between the two is not counted on
        return None
    return key


def counted(what: str, who: str, rate: Rate) -> int:
    """How often this was done in the running stretch; 0 while Valkey is down."""
    try:
        return int(cache.get(f"throttle:{what}:{who}:{int(time.time()) // rate.seconds}", 0))
    except RedisError:
        return 0


def uncount(key: str) -> None:
    """Take one count back, as far as its stretch still runs."""
    try:
        cache.decr(key)
    except (RedisError, ValueError):
        return


def network_of(address: str, ipv6_prefix: int = IPV6_PREFIX) -> str:
    """The network that an address belongs to, as far as one asker has it to himself."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 6:
        return str(ipaddress.ip_network(f"{found}/{ipv6_prefix}", strict=False))
    return str(found)
