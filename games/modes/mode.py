"""The base of modes: the one place for everything that differs between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import msgspec

from backgammon.rules.errors import UnknownVariant
from backgammon.rules.match import SERIES, MatchFormat, exactly, match_to, unlimited
from backgammon.rules.start import StartRule
from backgammon.rules.variant import Variant
from backgammon.rules.variants import KEYS as VARIANT_KEYS
from backgammon.rules.variants import by_key as variant_by_key
from games.modes.choices import (
    CUBE_RULES,
    RULE_FIELDS,
    RuleChoice,
    length_choice,
    rule_choice,
)
from games.modes.prices import PriceFault, Prices
from games.modes.terms import (
    CLOCKS,
    BadWishes,
    ClockName,
    Contest,
    Terms,
    Wishes,
    cube_rules_of,
)
from games.prizes import Purse, PurseKind

#: the wishes that are amounts; a mode takes only those that `Mode.amounts` names.
AMOUNTS: Final = ("stake_cents", "rate_cents", "limit_cents", "bank_cents")


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """One of the games a mode is offered as: a key that is part of addresses, and its wishes."""

    key: str
    wishes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between which cents an amount lies, where it is no value of a list.

    With `times_of` it also lies between `least_times` and `most_times` the amount of that name.
    """

    least: int
    most: int
    times_of: str | None = None
    least_times: int | None = None
    most_times: int | None = None


class Mode(ABC):
    """One mode. A file in `kinds/` states its data first, then what it does otherwise.

    Instances carry no state; there is one of each, found by `games.modes.registry.by_key`. Texts
    are marked by `gettext_noop` and translated by the faces (`backgammon.rules.naming`).
    """

    key: ClassVar[str]
    """The name of the file, and of the mode in rows, events, the protocol and the API."""
    place: ClassVar[int]
    """Its place wherever modes are listed: the lowest stands first."""
    name: ClassVar[str]
    """Its name for people."""
    summary: ClassVar[str] = ""
    """A description in one line, beside the form that opens a table; empty in practice."""
    rules: ClassVar[tuple[str, ...]] = ()
    """The sentences that explain it on the rules page. They are %-formats: figures of the house
    may stand in them by name, as in `%(factor_with_cube)s`; a percent sign is written twice."""
    examples_label: ClassVar[str] = ""
    """The content of the table of examples on the rules page; empty without one."""
    remark: ClassVar[str] = ""
    """A sentence that stands behind the examples."""
    preview_label: ClassVar[str] = ""
    """A table of this mode where prices are decided, with `%(stake)s`, `%(rate)s`, `%(limit)s`."""

    is_staked: ClassVar[bool] = True
    """Whether credits can be at stake, so that they can also be stopped."""
    is_practice: ClassVar[bool] = False
    """Whether it is played against the house bot or alone: with hints and taking back, by guests
    too, with no seat for another player, and with no lasting record of plays and dice."""
    contest: ClassVar[Contest]
    """The form of a match: a number of points or of games, a single game, or a session."""
    target_points: ClassVar[int] = 0
    """The points of a match; where `lengths` may be chosen, those without a wish."""
    lengths: ClassVar[tuple[int, ...]] = ()
    """The points that a match may go to, where the opener chooses them."""
    rated_points: ClassVar[int]
    """As how many points a match is rated; 0: never."""
    reserve_points: ClassVar[int] = 3
    """For how many points the clock gives its reserve."""
    start_usual: ClassVar[str] = ""
    """The start rule without a wish; empty: as the variant has it."""
    clocks: ClassVar[Mapping[str, tuple[int, int]]] = CLOCKS
    """The clocks that may be wished."""
    clock_usual: ClassVar[ClockName] = "normal"
    """The clock that a form begins with."""
    asks: ClassVar[tuple[str, ...]] = ()
    """The wishes, beside amounts, clock and watchers, that the opener may state."""
    amounts: ClassVar[tuple[str, ...]] = ()
    """The wishes among `AMOUNTS` that the opener may state."""
    choice_field: ClassVar[str] = ""
    """The field of the form by which one of `choices` is taken; empty where there is none."""
    is_quick: ClassVar[bool] = True
    """Whether its choices are also offered in one click, and in challenges."""

    def choices(self, prices: Prices) -> tuple[ModeChoice, ...]:
        """The games that the house offers in this mode; one without a key where it is only one."""
        return ()

    def examples(self, prices: Prices) -> tuple[Mapping[str, Any], ...]:
        """The wishes whose cost and payout the rules page shows."""
        return tuple(choice.wishes for choice in self.choices(prices))

    def previews(self, prices: Prices) -> tuple[Mapping[str, Any], ...]:
        """The wishes that show administrators what figures would mean."""
        return tuple(choice.wishes for choice in self.choices(prices))

    def price_faults(self, prices: Prices) -> Iterator[PriceFault]:
        """The faults of figures that are sound one by one, as far as this mode uses them."""
        yield from ()

    # --- from wishes to terms ---------------------------------------------------------------------

    @property
    def variants(self) -> tuple[str, ...]:
        """The keys of the variants that may be wished."""
        return VARIANT_KEYS if "variant" in self.asks else ("backgammon",)

    def stakes(self, prices: Prices) -> tuple[int, ...]:
        """The stakes in cents that `stake_cents` may be where the house has a list; 0 is free."""
        return ()

    def bounds(self, amount: str, prices: Prices) -> Bounds | None:
        """The bounds of one of `amounts`; None where the house has a list of its values."""
        return None

    def rules_offered(self, variant: str) -> tuple[RuleChoice, ...]:
        """The rules that may be chosen in this variant, with what holds without a wish.

        :raises BadWishes: if the mode is not played in this variant.
        """
        rules = _variant(variant)
        if variant not in self.variants:
            raise BadWishes(f"{self.key} is not played in {variant}", field="variant")
        is_match = self.contest in ("points", "games")
        choices = (self._choice(field, rules, is_match) for field in RULE_FIELDS)
        return tuple(choice for choice in choices if choice is not None)

    def _choice(self, field: str, variant: Variant, is_match: bool) -> RuleChoice | None:
        if field not in self.asks:
            return None
        if field == "target_points":
            return length_choice(self.lengths, self.target_points)
        rule = rule_choice(field, variant, is_match=is_match)
        if rule is not None and field == "start_rule" and self.start_usual:
            return replace(rule, default=self.start_usual)
        return rule

    def chosen(self, wishes: Wishes, variant: str) -> dict[str, Any]:
        """The rules of a table on these wishes, by field. Raises `BadWishes`."""
        offers = self.rules_offered(variant)
        rules = {offer.field: offer.chosen(getattr(wishes, offer.field)) for offer in offers}
        if not rules.get("has_cube", True):
            rules |= {field: CUBE_RULES[field] for field in CUBE_RULES.keys() & rules.keys()}
        return rules

    def terms(self, wishes: Wishes, prices: Prices) -> Terms:
        """The terms of a table on these wishes.

        :raises BadWishes: naming what the house does not offer, or not together.
        """
        clock = self.clock_usual if wishes.clock is None else wishes.clock
        if clock not in self.clocks:
            known = ", ".join(self.clocks)
            raise BadWishes(f"there is no clock {clock!r} (there are: {known})", field="clock")
        for amount in AMOUNTS:
            if getattr(wishes, amount) and amount not in self.amounts:
                raise BadWishes(f"{self.key} is played without {amount}", field=amount)
        terms = self.offer(wishes, prices)
        self._check(terms, wishes)
        return msgspec.structs.replace(self._with_clock(terms, clock), watchers=wishes.watchers)

    @abstractmethod
    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        """The terms without clock and watchers. Raises `BadWishes` for a stake not offered."""

    def wishes_of(self, terms: Terms) -> dict[str, Any]:
        """The wishes that lead to these terms again, where the house still offers them."""
        rules = (offer.field for offer in self.rules_offered(terms.variant))
        named = ("variant",) if "variant" in self.asks else ()
        kept = (*named, *rules, "clock", "watchers")
        amounts = self.amounts_of(terms)
        return {"mode": self.key, **amounts, **{name: getattr(terms, name) for name in kept}}

    def amounts_of(self, terms: Terms) -> dict[str, int]:
        """The amounts that were wished at a table on these terms."""
        return {"stake_cents": terms.stake_cents} if "stake_cents" in self.amounts else {}

    def _check(self, terms: Terms, wishes: Wishes) -> None:
        """Refuse wishes that would be ignored, so that the rules never differ from the request."""
        for rule in ("variant", *RULE_FIELDS):
            wish = getattr(wishes, rule)
            if wish is not None and getattr(terms, rule) != wish:
                raise BadWishes(f"{self.key} is not played with {rule} {wish!r}", field=rule)
        if terms.raccoons and not terms.beavers:
            raise BadWishes("raccoons answer beavers, so they need them", field="raccoons")
        if terms.holland and not terms.crawford:
            raise BadWishes("Holland's rule follows a Crawford game", field="holland")
        if terms.auto_doubles_max and terms.start is not StartRule.ROLL_OFF_USE:
            raise BadWishes(
                "automatic doubles need a roll-off whose numbers are used", field="auto_doubles_max"
            )
        cube_rules_of(terms).check(is_match=terms.is_match)

    def _with_clock(self, terms: Terms, clock: str) -> Terms:
        delay_ms, per_point_ms = self.clocks[clock]
        reserve_ms = self.reserve(terms) * per_point_ms
        return msgspec.structs.replace(terms, clock=clock, delay_ms=delay_ms, reserve_ms=reserve_ms)

    def reserve(self, terms: Terms) -> int:
        """For how many points the clock gives its reserve at a table on these terms."""
        return self.reserve_points

    # --- what follows from terms ------------------------------------------------------------------

    def rated(self, terms: Terms) -> int:
        """As how many points a match on these terms is rated; 0: not at all."""
        return self.rated_points

    def purse(self, terms: Terms) -> Purse:
        """How the stakes are divided when the match ends, and as how many points it is rated."""
        rated = self.rated(terms)
        if not terms.stake_cents:
            return Purse(PurseKind.NOTHING, rated_points=rated)
        kind = PurseKind.PER_POINT if terms.rate_cents else PurseKind.POT
        if terms.contest == "session":
            kind = PurseKind.SESSION
        return Purse(
            kind,
            terms.stake_cents,
            terms.rate_cents,
            terms.rake_bps,
            rated,
            game_limit_cents=terms.game_limit_cents,
        )

    def match_format(self, terms: Terms) -> MatchFormat:
        """Which games are played, and when the match is over."""
        if terms.series:
            return SERIES[terms.series](terms.target_points)
        variant = variant_by_key(terms.variant)
        if terms.contest == "points":
            return match_to(
                terms.target_points, variant, cube=terms.has_cube, crawford=terms.crawford
            )
        if terms.contest == "session":
            return unlimited(variant, cube=terms.has_cube)
        return exactly(terms.games_max, variant)


def offered(field: str, value: int, amounts: Sequence[int]) -> None:
    """Do nothing for one of these amounts in cents. Raises `BadWishes` for any other."""
    if value not in amounts:
        known = ", ".join(map(str, amounts))
        raise BadWishes(f"{field} {value} is not offered (offered: {known})", field=field)


def _variant(key: str) -> Variant:
    try:
        return variant_by_key(key)
    except UnknownVariant as error:
        raise BadWishes(str(error), field="variant") from error
