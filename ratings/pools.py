"""Names of the pools: "normal", "prize", and "<variant>:normal", "<variant>:prize".

Ratings are independent of games: a variant is the key before the colon here, named by the page.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

MAIN_POOLS: Final = ("prize", "normal")


@dataclass(frozen=True, slots=True)
class PoolLabel:
    """What a pool is called: the key of its variant ("" for the main pools) and its kind."""

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
