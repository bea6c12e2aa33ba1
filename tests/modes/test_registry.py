"""Every mode is found by its key and has all its attributes; an unknown key is an error."""

from collections.abc import Iterator

import msgspec
import pytest
from django.utils.translation import override

from games.forms.names import MODE_NAMES
from games.forms.tables import CHOICE_LABELS
from games.modes.choices import RULE_FIELDS
from games.modes.mode import AMOUNTS
from games.modes.prices import Prices
from games.modes.registry import ALL, OPENED, by_key, mode_of
from games.modes.terms import CLOCKS, KEYS, Terms, UnknownMode, Wishes
from games.prizes.payout import PrizeEnding, PrizeResult, payout
from games.table.errors import BadTerms
from games.table.setup import terms_of
from games.templatetags.table_words import table_words
from games.templatetags.tables import mode_name

HOUSE = Prices()


def every_terms(mode) -> list[Terms]:
    """The terms of all choices, examples and previews of a mode."""
    wishes = [choice.wishes for choice in mode.choices(HOUSE)]
    wishes += [*mode.examples(HOUSE), *mode.previews(HOUSE)] or [{}]
    return [terms_of(Wishes(mode=mode.key, **each), HOUSE) for each in wishes]


def test_every_key_has_its_mode_and_every_place_is_taken_once():
    assert {mode.key for mode in ALL} == set(KEYS)
    assert [by_key(mode.key) for mode in ALL] == list(ALL)
    assert len({mode.place for mode in ALL}) == len(ALL)


@pytest.mark.parametrize("key", ["", "chess", "Prize5", "prize6", None, ()])
def test_an_unknown_mode_is_an_error_everywhere(key):
    with pytest.raises(UnknownMode):
        by_key(key)
    with pytest.raises(UnknownMode):
        mode_of(Terms(mode=key))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"mode": key}, Terms)
    with pytest.raises((KeyError, TypeError)):
        mode_name(key)


@pytest.mark.parametrize("mode", ALL, ids=lambda mode: mode.key)
def test_every_mode_has_a_name_and_the_table_brings_it_in_both_languages(mode):
    for language in ("en", "de"):
        with override(language):
            named = table_words()["modes"][mode.key]
            assert named == mode_name(mode.key) == str(MODE_NAMES[mode.key])
            assert language == "de" or named == mode.name


@pytest.mark.parametrize("mode", OPENED, ids=lambda mode: mode.key)
def test_every_mode_between_people_is_explained_and_can_be_asked_for(mode):
    assert mode.summary
    assert mode.rules
    assert set(mode.asks) <= {"base", "variant", *RULE_FIELDS}
    assert not mode.choice_field or mode.choice_field in CHOICE_LABELS
    assert bool(mode.examples_label) == bool(mode.preview_label) == mode.is_staked


@pytest.mark.parametrize("mode", ALL, ids=lambda mode: mode.key)
def test_what_a_mode_offers_it_makes_terms_of_and_pays_out_to_the_cent(mode):
    for terms in every_terms(mode):
        assert mode_of(terms) is mode
        assert mode.is_staked or not terms.stake_cents
        assert terms.variant == mode.match_format(terms).cycle[0]
        purse = mode.purse(terms)
        for winner in (0, 1, None):
            paid = payout(
                purse, PrizeResult(winner, PrizeEnding.BORNE_OFF, 1 if winner is not None else 0)
            )
            assert sum(paid.paid_cents) + paid.rake_cents == terms.pot_cents
            assert paid.rated_points == (mode.rated(terms) if winner is not None else 0)


@pytest.mark.parametrize("mode", ALL, ids=lambda mode: mode.key)
def test_the_reserve_grows_with_what_is_played(mode):
    (terms, *_) = every_terms(mode)
    _, per_point_ms = CLOCKS[terms.clock]
    assert terms.reserve_ms == mode.reserve(terms) * per_point_ms


def test_only_practice_is_without_other_people_and_never_rated():
    alone = [mode for mode in ALL if mode.is_practice]
    assert [mode.key for mode in alone] == ["practice"]
    assert not any(mode.rated_points or mode.is_staked for mode in alone)
    assert all(mode.rated_points for mode in OPENED)


def test_without_a_wish_a_variant_has_the_rules_that_are_usual_in_it():
    def usual(variant: str, **wishes: object) -> Terms:
        return terms_of(Wishes(mode="normal", variant=variant, **wishes), HOUSE)

    assert usual("hypergammon").jacoby
    assert not usual("hypergammon", has_cube=False).jacoby
    assert not usual("hypergammon", jacoby=False).jacoby
    assert not usual("backgammon").jacoby


@pytest.mark.parametrize(
    ("mode", "more", "start_rule"),
    [
        ("normal", {"variant": "backgammon"}, "opener_alternates"),
        ("normal", {"variant": "plakoto"}, "opener_alternates"),
        ("normal", {"start_rule": "roll_off_use"}, "roll_off_use"),
        ("prize3", {"stake_cents": 250}, "opener_alternates"),
        ("prize5", {"stake_cents": 250}, "opener_alternates"),
        ("single", {"rate_cents": 100, "limit_cents": 1000}, "opener_alternates"),
        ("match", {"variant": "plakoto"}, "winner_starts"),
        ("match", {}, "roll_off_use"),
        ("stake", {"stake_cents": 50}, "roll_off_use"),
        ("session", {"stake_cents": 50}, "roll_off_use"),
        ("tavli", {}, "winner_starts"),
    ],
)
def test_who_starts_without_a_wish(mode: str, more: dict[str, object], start_rule: str):
    assert terms_of(Wishes(mode=mode, **more), HOUSE).start_rule == start_rule


def every_rule(mode, terms: Terms) -> Iterator[Terms]:
    """These terms with each value of each rule of the mode, in each of its variants."""
    amounts = {name: wish for name, wish in mode.wishes_of(terms).items() if name in AMOUNTS}
    for variant in mode.variants:
        named = {"variant": variant} if "variant" in mode.asks else {}
        for offer in mode.rules_offered(variant):
            for value in offer.values:
                wishes = {**amounts, **named, offer.field: value, "clock": "fast"}
                try:
                    yield terms_of(Wishes(mode=mode.key, watchers=False, **wishes), HOUSE)
                except BadTerms:
                    continue  # rules that go together only


@pytest.mark.parametrize("mode", ALL, ids=lambda mode: mode.key)
def test_the_wishes_of_terms_lead_to_the_same_terms(mode):
    usual = every_terms(mode)
    for terms in [*usual, *every_rule(mode, usual[0])]:
        assert terms_of(Wishes(**mode.wishes_of(terms)), HOUSE) == terms
