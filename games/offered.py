"""The part of all modes, variants and lengths that this house offers for new tables.

Administrators choose it at the desk (`house`). Tables that are open or being played keep
their terms, rematches included, and so do tournaments and chouettes, which have offers of their
own.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from games.modes.choices import RuleChoice
from games.modes.mode import Mode
from games.modes.prices import Prices
from games.modes.registry import OPENED, by_key
from games.modes.terms import Terms
from games.selectors import terms_offered
from games.table.errors import BadTerms
from house.parts import HousePart
from house.reader import house_now

LENGTH: Final = "target_points"
USUAL_VARIANT: Final = "backgammon"


def _offers(name: str) -> Any:
    return house_now().content(HousePart.OFFERS).get(name)


def modes_offered(modes: Iterable[Mode] = OPENED) -> tuple[Mode, ...]:
    """Those of these modes that the house offers; all of them if it has chosen none of them."""
    every, chosen = tuple(modes), _offers("modes")
    return tuple(mode for mode in every if not chosen or mode.key in chosen) or every


def variants_offered(mode: Mode) -> tuple[str, ...]:
    """The variants in which the house offers a mode; all if it has chosen none of them."""
    chosen = _offers("variants")
    found = tuple(key for key in mode.variants if not chosen or key in chosen)
    return found or mode.variants


def variant_usual(mode: Mode) -> str:
    """The variant of a mode where nobody has wished one: backgammon, or the first on offer."""
    offered = variants_offered(mode)
    return USUAL_VARIANT if USUAL_VARIANT in offered else offered[0]


def stake_offered_most() -> int | None:
    """The highest stake of each player at a new table in cents; None where the house has none."""
    most: int | None = _offers("stake_cents_most")
    return most


def stake_offered(stake_cents: int) -> bool:
    """Whether a new table may have this stake of each player."""
    most = stake_offered_most()
    return most is None or stake_cents <= most


def choices_offered(mode: Mode, prices: Prices) -> dict[str, Mapping[str, int]]:
    """The wishes of each choice of a mode on offer, by its key; without choices, of each stake.

    All of them where each is above the highest stake.
    """
    every = _choices(mode, prices)
    return {key: wishes for key, wishes in every.items() if _choice_fits(wishes)} or every


def modes_playable(modes: Iterable[Mode], prices: Callable[[], Prices]) -> tuple[Mode, ...]:
    """Those of these modes on offer that have a stake on offer, at these prices; all if none has.

    The prices are read where the house has a highest stake.
    """
    found = modes_offered(modes)
    if stake_offered_most() is None:
        return found
    figures = prices()
    every = ((mode, _choices(mode, figures).values()) for mode in found)
    return tuple(m for m, wishes in every if not wishes or any(map(_choice_fits, wishes))) or found


def _choices(mode: Mode, prices: Prices) -> dict[str, Mapping[str, int]]:
    if mode.choice_field:
        return {choice.key: choice.wishes for choice in mode.choices(prices)}
    return {str(cents): {"stake_cents": cents} for cents in mode.stakes(prices)}


def _choice_fits(wishes: Mapping[str, int]) -> bool:
    """Whether what a choice puts at stake for each player is on offer."""
    return stake_offered(max(wishes.get("stake_cents", 0), wishes.get("limit_cents", 0)))


def free_game() -> dict[str, Any] | None:
    """The wishes for the usual free game of this house; None where it offers none."""
    for mode in sorted(modes_offered(), key=lambda mode: mode.is_staked):
        if mode.is_quick and (not mode.is_staked or 0 in mode.stakes(Prices())):
            variant = variant_usual(mode)
            named = {"variant": variant} if "variant" in mode.asks else {}
            rules = rules_offered(mode, variant)
            lengths = {rule.field: rule.default for rule in rules if rule.field == LENGTH}
            return {"mode": mode.key, **named, **lengths}
    return None


def rules_offered(mode: Mode, variant: str) -> tuple[RuleChoice, ...]:
    """The rules that a table of this mode may choose, with the lengths that the house offers."""
    return tuple(
        _shorter(rule) if rule.field == LENGTH else rule for rule in mode.rules_offered(variant)
    )


def _shorter(rule: RuleChoice) -> RuleChoice:
    most = _offers("length_most")
    lengths = tuple(length for length in rule.values if most is None or length <= most)
    if not lengths or lengths == rule.values:
        return rule
    return replace(rule, values=lengths, default=min(rule.default, lengths[-1]))


def terms_open(**wishes: object) -> Terms:
    """The terms for these wishes (fields of `Wishes`) at a new table.

    Raises `BadTerms` where the modes refuse them or the house does not offer them.
    """
    terms = terms_offered(**wishes)
    offered_check(terms)
    return terms


def offered_check(terms: Terms) -> None:
    """Raise `BadTerms`, with the field, where the house offers no new table on these terms."""
    mode = by_key(terms.mode)
    if mode.is_practice:
        return
    if mode not in modes_offered():
        raise BadTerms(f"the house offers no tables of the mode {terms.mode}", field="mode")
    if terms.game_key in mode.variants and terms.game_key not in variants_offered(mode):
        raise BadTerms(f"the house does not offer {terms.game_key}", field="variant")
    most = _offers("length_most")
    if mode.lengths and most is not None and min(mode.lengths) <= most < terms.target_points:
        raise BadTerms(f"the house offers matches of up to {most} points", field=LENGTH)
    if not stake_offered(terms.stake_cents):
        most = stake_offered_most()
        raise BadTerms(f"a stake is at most {most} cents here", field="stake_cents")
