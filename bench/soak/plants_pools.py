"""Planted faults in tournaments: what belongs in one transaction is done after it, and dice."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.soak.late import after_the_commit
from bench.soak.swapping import swap


def _prizes_after_the_commit() -> None:
    from tournaments.services import running

    right = running._pay

    def pay(work: Any, prizes: dict[int, int]) -> None:
        after_the_commit(partial(right, work, prizes))

    swap(running, "_pay", pay)


def _meetings_after_the_commit() -> None:
    from tournaments.services import running

    right = running._meetings_keep

    def keep(work: Any) -> None:
        after_the_commit(partial(right, work))

    swap(running, "_meetings_keep", keep)


def _dice_by_the_stake() -> None:
    from games.services.dice import stored

    def mode(terms: Any) -> str:
        return "L" if terms.stake_cents else "K"

    swap(stored, "dice_mode", mode)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    "prizes_after_the_commit": _prizes_after_the_commit,
    "meetings_after_the_commit": _meetings_after_the_commit,
    "dice_of_events_in_mode_k": _dice_by_the_stake,
}
