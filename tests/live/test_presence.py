"""Presence is only taken for absence where Valkey has had every entry for long enough."""

import asyncio
import time
from typing import Any

import pytest
from django.conf import settings
from redis.exceptions import RedisError

from games.live.presence import Attendants, known_since_key
from kit.valkey.clients import client
from tests.live.test_stopgap import NO_VALKEY

pytestmark = pytest.mark.usefixtures("servers")


def known_since() -> float:
    found = client(settings.REDIS_URL).get(known_since_key())
    assert isinstance(found, bytes)
    return float(found)


def test_renewals_at_the_same_time_leave_alone_since_when_presence_is_known() -> None:
    async def story() -> None:
        here = Attendants()
        await here._renew(["a"])
        before = known_since()
        await asyncio.gather(*(here._renew([table]) for table in ("a", "b", "c")))
        assert known_since() == before

    asyncio.run(story())


def test_the_first_renewal_after_one_that_failed_sets_it_anew(settings: Any) -> None:
    async def story() -> None:
        here = Attendants()
        await here._renew(["a"])
        before, with_valkey = known_since(), settings.REDIS_URL
        settings.REDIS_URL = NO_VALKEY
        here._client = None
        with pytest.raises(RedisError):
            await here._renew(["a"])
        settings.REDIS_URL = with_valkey
        here._client = None
        began = time.time()
        await here._renew(["a"])
        assert known_since() >= began > before
        after = known_since()
        await here._renew(["a"])
        assert known_since() == after

    asyncio.run(story())
