"""The settings of the house as they are now, in every process, without a query for a request.

The first use in a process reads them and starts a thread that looks for changes every
`HOUSE_POLL_SECONDS`. So a change is in force everywhere some seconds after its commit. While the
database is away, the last known settings stay; before the first answer there are the defaults.
"""

import logging
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Max

from house.board import HouseBoard, board_of
from house.colours import ACCENTS
from house.languages import Language, words_use
from house.models import HouseChange
from house.parts import Content, HousePart, contents_usable
from kit.png import Png, png_of

SIGN: Final = "ℂ"
"""The sign of the currency in a house that has set none."""

FIRST_WAIT_SECONDS: Final = 3.0
"""So long the first reader of a process waits for the database before it takes the defaults."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class House:
    """The settings in force; `number` is that of the newest change, 0 in a house without one."""

    number: int = 0
    contents: Mapping[HousePart, Content] = field(default_factory=dict)

    def content(self, part: HousePart) -> Content:
        """The content of a part; empty while the house has changed nothing in it."""
        return self.contents.get(part, {})

    @property
    def name(self) -> str:
        """The name of the house: as set at the desk, else `HOUSE_NAME`."""
        return str(self.content(HousePart.NAME).get("name") or settings.OPERATOR.house)

    @property
    def sign(self) -> str:
        """The sign of the currency, as it stands behind an amount."""
        return str(self.content(HousePart.CURRENCY).get("sign") or SIGN)

    @property
    def accents(self) -> tuple[str, str] | None:
        """The accent on light and on dark pages; None while it is that of the style sheets."""
        chosen = self.content(HousePart.COLOURS)
        if not chosen.keys() & {"accent_light", "accent_dark"}:
            return None
        light, dark = (str(chosen.get(f"accent_{scheme}", ACCENTS[scheme])) for scheme in ACCENTS)
        return light, dark

    @property
    def board(self) -> HouseBoard | None:
        """The colours of the board; None while it is that of the style sheets."""
        return board_of(self.content(HousePart.COLOURS))

    @property
    def logo(self) -> Png | None:
        """The logo; None in a house without one."""
        png = self.content(HousePart.LOGO).get("png")
        return png_of(str(png)) if png else None

    @property
    def name_beside_logo(self) -> bool:
        """Whether the head of the pages has the name of the house beside the logo."""
        return self.logo is None or self.content(HousePart.LOGO).get("shown") != "alone"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that are offered, as codes."""
        chosen = self.content(HousePart.LANGUAGES).get("offered")
        return tuple(key for key in Language.values if not chosen or key in chosen)

    @property
    def usual_language(self) -> str:
        """The language for somebody who has chosen none and whose browser asks for none of them."""
        usual = str(self.content(HousePart.LANGUAGES).get("usual") or settings.LANGUAGE_CODE)
        return usual if usual in self.languages else self.languages[0]

    def language(self, wished: str) -> str:
        """The wished language if it is offered, else the usual one."""
        return wished if wished in self.languages else self.usual_language


_previewed: ContextVar[House | None] = ContextVar("house in a preview", default=None)


def house_now() -> House:
    """The settings of this house, some seconds old at most. Never raises."""
    return _previewed.get() or _reader.house or _reader.begin()


def house_edition() -> int | None:
    """A number that changes with the settings of this process; None within a preview of others."""
    return None if _previewed.get() else _reader.edition


@contextmanager
def house_previewed(contents: Mapping[HousePart, Content]) -> Iterator[None]:
    """Within this block the house has these contents over those in force."""
    house = house_now()
    token = _previewed.set(replace(house, contents={**house.contents, **contents}))
    try:
        yield
    finally:
        _previewed.reset(token)


def house_read() -> House:
    """The settings as the database has them at this moment."""
    rows = HouseChange.objects.order_by("part", "-number").distinct("part")
    newest = {row.part: row for row in rows}
    contents = dict(contents_usable({part: row.content for part, row in newest.items()}))
    return House(max((row.number for row in newest.values()), default=0), contents)


def house_refresh() -> House:
    """Read the settings anew if there was a change, and use them in this process."""
    known = _reader.house
    newest = HouseChange.objects.aggregate(newest=Max("number"))["newest"] or 0
    if known is None or known.number != newest:
        house_use(house_read())
    return _reader.house or House()


def house_rest() -> None:
    """Forget the settings and stop looking for changes, until the next use in this process."""
    _reader.rest()


def house_use(house: House | None) -> None:
    """Use these settings in this process from now on; None: those of the next reading."""
    _reader.house = house
    words_use(house.content(HousePart.CURRENCY) if house else {})
    _reader.edition += 1  # last: what was rendered meanwhile is kept under the number of before


class _Reader:
    """The settings that this process has, and the thread that keeps them new."""

    def __init__(self) -> None:
        self.edition = 0
        self.reset()

    def reset(self) -> None:
        """Begin anew; a forked process has no thread."""
        self.house: House | None = None
        self._lock = threading.Lock()
        self._was_read = threading.Event()
        self._resting = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> House:
        """Wait for the first reading."""
        if not settings.HOUSE_POLL_SECONDS:
            return House()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="house", daemon=True)
                self._thread.start()
        self._was_read.wait(FIRST_WAIT_SECONDS)
        return self.house or House()

    def rest(self) -> None:
        """End the thread, so that this process can be forked; the next use begins anew."""
        if self._thread is not None:
            self._resting.set()
            self._thread.join()
        self.reset()

    def _watch(self) -> None:
        while seconds := settings.HOUSE_POLL_SECONDS:
            self._look()
            self._was_read.set()
            if self._resting.wait(seconds):
                break

    def _look(self) -> None:
        try:
            house_refresh()
        except DatabaseError as error:
            logger.debug("the settings of the house could not be read: %s", error)
            if self.house is None:
                house_use(House())
        finally:
            connection.close()


_reader: Final = _Reader()
os.register_at_fork(after_in_child=_reader.reset)


def house_changed(**_kept: Any) -> None:
    """Read the settings again in this process, after the commit of a change."""
    house_use(house_read())
