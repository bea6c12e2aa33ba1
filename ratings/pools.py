"""Names of the pools: "normal", "prize", and "<variant>:normal", "<variant>:prize".

Ratings knows no game, so a variant is only the word before the colon here.
"""

from typing import Final

from django.utils.translation import gettext as _

MAIN_POOLS: Final = ("prize", "normal")


def pool_label(pool: str) -> str:
    """Return what a pool is called on a page: "Prize games", "Tapa: Normal games"."""
    variant, _colon, kind = pool.rpartition(":")
    name = {"prize": _("Prize games"), "normal": _("Normal games")}.get(kind, kind)
    return f"{variant.replace('_', ' ').title()}: {name}" if variant else name


def pool_order(pool: str) -> tuple[str, int]:
    """Sort pools: standard backgammon first, the variants by name, prize before normal."""
    variant, _colon, kind = pool.rpartition(":")
    return variant, MAIN_POOLS.index(kind) if kind in MAIN_POOLS else len(MAIN_POOLS)
