"""Terms of tables as pages show them: what is reserved, what can be won and lost, which rules."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from games.forms.fields import value_text
from games.forms.names import GAME_NAMES, MODE_NAMES, VARIANT_NAMES, clock_label
from games.modes.choices import CUBE_RULES, RuleChoice
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.prizes import break_even_percent
from games.table.stakes import Ahead, stakes_ahead
from games.table.view_types import Worth
from kit.fragments import kept

Facts = dict[str, Any]

#: the game whose rating needs no name
STANDARD: Final = "backgammon"

#: how many levels are shown one by one; of more, the lowest and the highest
LEVELS_TOLD: Final = 3


def terms_facts(terms: Terms) -> Facts:
    """The costs and payouts of a table, shown before a player agrees to it. Amounts in cents.

    `kind` is "pot", "points" or "free". A pot has pot, rake and winner. A game by the point has its
    rate, and what the winner gains and the loser loses: at each level as the cube lies when the
    game begins (`levels`), and after a take (`taken`). In a session one game costs at most
    `game_limit_cents`; elsewhere that is 0. A free game has the name of its rating, empty in
    backgammon.
    """
    ahead = stakes_ahead(terms)
    facts: Facts = {
        "stake_cents": terms.stake_cents,
        "worst_case_cents": ahead.lost_cents,
        "rake_percent": rake_percent(terms.rake_bps),
    }
    if not terms.stake_cents:
        pool = "" if terms.game_key == STANDARD else str(GAME_NAMES[terms.game_key])
        return {"kind": "free", "pool_name": pool, **facts}
    if terms.rate_cents:
        return {"kind": "points", **facts, **_by_the_point(terms, ahead)}
    return {
        "kind": "pot",
        **facts,
        "pot_cents": terms.pot_cents,
        "rake_cents": ahead.rake_cents,
        "winner_cents": terms.stake_cents + ahead.won_cents,
        "tie_cents": terms.stake_cents + ahead.tie.change_cents[0] if ahead.tie else None,
        "break_even_percent": break_even_percent(terms.rake_bps),
    }


def _by_the_point(terms: Terms, ahead: Ahead) -> Facts:
    variant = by_key(terms.variant)
    return {
        "rate_cents": terms.rate_cents,
        "limit_points": terms.limit_points,
        "game_limit_cents": terms.game_limit_cents,
        "break_even_percent": even_percent_by_the_point(terms.rake_bps),
        "levels": [_level(variant, worth) for worth in _few(ahead.levels)],
        "taken": [_level(variant, worth) for worth in _few(ahead.taken)],
    }


def _few(worths: tuple[Worth, ...]) -> tuple[Worth, ...]:
    """Every ending, or the lowest and the highest of many."""
    return worths if len(worths) <= LEVELS_TOLD else (worths[0], worths[-1])


def _level(variant: Variant, worth: Worth) -> Facts:
    """An ending as the winner in seat 0 and the loser see it."""
    won_cents, change_cents = worth.change_cents
    return {
        "name": level_name(variant, worth.level),
        "won_cents": won_cents,
        "lost_cents": -change_cents,
        "rake_cents": worth.rake_cents,
        "capped": worth.capped,
    }


def level_name(variant: Variant, level: int) -> str:
    """A level in words: by its name, or by the checkers left where a variant counts those."""
    if max(variant.levels) > LEVELS_TOLD:
        return ngettext("%(count)s checker left", "%(count)s checkers left", level) % {
            "count": level
        }
    return {1: _("Plain win"), 2: _("Gammon"), 3: _("Backgammon")}[level]


def even_percent_by_the_point(rake_bps: int) -> Decimal:
    """How many of a hundred games by the point one must win to lose nothing, at equal levels.

    A win brings what it is worth less the rake, a loss costs what it is worth.
    """
    return (Decimal(100 * 10_000) / (20_000 - rake_bps)).quantize(Decimal("0.1"))


def rake_percent(rake_bps: int) -> Decimal:
    """The rake in percent, without needless zeros."""
    percent = Decimal(rake_bps) / 100
    return percent.quantize(Decimal(1)) if percent == percent.to_integral() else percent


def terms_words(terms: Terms) -> Facts:
    """Mode, clock, and what was agreed on, in words: the one source of every line about a table."""
    mode_name, clock, rules = _words(terms)
    return {"mode": terms.mode, "mode_name": mode_name, "clock_label": clock, "rules": rules}


@kept
def _words(terms: Terms) -> tuple[str, str, tuple[str, ...]]:
    """The mode, the clock and the rules: many tables have the same terms."""
    return str(MODE_NAMES[terms.mode]), clock_label(terms), tuple(_rules(terms))


def terms_line(terms: Terms) -> str:
    """The terms of a table in one line, without what it costs."""
    words = terms_words(terms)
    return " · ".join((words["mode_name"], *words["rules"], words["clock_label"]))


def _rules(terms: Terms) -> Iterator[str]:
    """Variant, length and cube where they can be chosen, and every rule that is not the default."""
    mode = mode_of(terms)
    if len(mode.variants) > 1:
        yield str(VARIANT_NAMES[terms.variant])
    if mode.is_practice and terms.contest == "points":  # it begins at a score, or in a tournament
        yield points_words(terms.target_points)
    for rule in mode.rules_offered(terms.variant):
        value = getattr(terms, rule.field)
        if rule.field == "target_points":
            yield points_words(value)
        elif rule.field == "has_cube":
            yield _("with the cube") if value else _("without the cube")
        elif value != rule.default and (terms.has_cube or rule.field not in CUBE_RULES):
            yield _rule_words(rule, value)
    if not terms.watchers:
        yield _("no watchers")


def points_words(count: int) -> str:
    """The length of a match."""
    return ngettext("%(count)s point", "%(count)s points", count) % {"count": count}


def _rule_words(rule: RuleChoice, value: Any) -> str:
    """A rule that differs from its default."""
    if rule.field == "start_rule":
        return value_text(rule, value)
    if len(rule.values) > 2:
        return f"{_(rule.name)}: {value_text(rule, value)}"
    return _(rule.name) if value else _("%(rule)s: no") % {"rule": _(rule.name)}


def code_text(code: str) -> str:
    """The code of a private table as people read it: four and four letters."""
    return f"{code[:4]}-{code[4:]}"
