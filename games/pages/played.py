"""How many matches are being played, as pages say it."""

import time
from typing import Final

from django.conf import settings

from games.selectors import tables_played_count


class _Counted:
    """The last count of this process, and until when pages show it."""

    def __init__(self) -> None:
        self.count = 0
        self.until = 0.0


_counted: Final = _Counted()


def played_count() -> int:
    """How many matches are being played, `PLAYED_COUNT_SECONDS` old at most.

    Counting goes through a thousand tables; the number is in the lobby and on the home page, where
    nobody decides anything by it.
    """
    now = time.monotonic()
    if now >= _counted.until:
        _counted.count = tables_played_count()
        _counted.until = now + settings.PLAYED_COUNT_SECONDS
    return _counted.count
