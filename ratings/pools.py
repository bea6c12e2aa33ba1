"""Names of the pools: "normal", "prize", and "<variant>:normal", "<variant>:prize".

Ratings are independent of games: a variant is the key before the colon here, named by the page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _

MAIN_POOLS: Final = ("prize", "normal")


@dataclass(frozen=True, slots=True)
class PoolLabel:
    """The label of a pool: the key of its variant ("" for the main pools) and its kind."""

    variant: str
    kind: str


def pool_label(pool: str) -> PoolLabel:
    """Return what a page calls a pool by: ("", "Prize games"), ("tapa", "Normal games")."""
    variant, _colon, kind = pool.rpartition(":")
    names = {"prize": _("Prize games"), "normal": _("Normal games")}
    return PoolLabel(variant, names.get(kind, kind))


def pool_order(pool: str) -> tuple[str, int]:
    """Sort pools: standard backgammon first, the variants by name, prize before normal."""
    variant, _colon, kind = pool.rpartition(":")
    return variant, MAIN_POOLS.index(kind) if kind in MAIN_POOLS else len(MAIN_POOLS)


def pool_groups(pools: Iterable[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Group pools as a menu shows them: ("tapa", [("tapa:normal", "Normal games")]).

    The main pools have the key "" and come first.
    """
    found = groupby(sorted(pools, key=pool_order), key=lambda pool: pool_label(pool).variant)
    return [(variant, [(pool, pool_label(pool).kind) for pool in own]) for variant, own in found]


def pool_chosen(pools: Sequence[str], asked: str) -> str:
    """Return the requested pool if it is one of these, else the first."""
    return asked if asked in pools else pools[0]
