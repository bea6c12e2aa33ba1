"""Every form of terms accepts what its mode offers in the variant, gives just that, and no more."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django.utils import translation

from backgammon.tests.amounts import amount
from games.forms.practice import PracticeForm
from games.forms.tables import ChallengeForm, TableForm, TermsForm
from games.modes.choices import CUBE_RULES, RULE_FIELDS, RuleChoice
from games.modes.mode import Mode
from games.modes.registry import ALL, by_key
from games.modes.terms import Terms

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Forms speak English, whatever language the test before left."""
    with translation.override("en"):
        yield


#: what a choice needs beside itself; a form without it refuses the choice by name.
NEEDS = {
    "raccoons": {"beavers": "on"},
    "holland": {"crawford": "on"},
    "auto_doubles_max": {"start_rule": "roll_off_use"},
}
GAMES = [(mode.key, variant) for mode in ALL for variant in mode.variants]
AMOUNTS = {"base": "0.50"}

every_game = pytest.mark.parametrize(("key", "variant"), GAMES)


def form_class(mode: Mode) -> type[TermsForm]:
    return PracticeForm if mode.is_practice else TableForm


def blank(mode: Mode, variant: str, made: type[TermsForm] | None = None) -> dict[str, str]:
    """What the form sends if nobody changes anything; a box without its tick is not sent."""
    form = (made or form_class(mode))((mode, variant))
    return {**form.blank(), **{n: t for n, t in AMOUNTS.items() if n in form.fields}}


def filled(mode: Mode, data: dict[str, str], made: type[TermsForm] | None = None) -> TermsForm:
    return (made or form_class(mode)).of({name: text for name, text in data.items() if text})


def text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else ""
    return str(value)


def values_tried(rule: RuleChoice) -> tuple[Any, ...]:
    """All values but the default, which the plain form has; daily the last of a long list."""
    others = tuple(value for value in rule.values if value != rule.default)
    return others if len(others) <= amount(3, long=100) else others[-1:]


def choices_of(mode: Mode, variant: str) -> Iterator[tuple[RuleChoice, Any]]:
    for rule in mode.rules_offered(variant):
        for value in values_tried(rule):
            yield rule, value


def needed_by(field: str, mode: Mode, variant: str) -> dict[str, str]:
    offered = {rule.field for rule in mode.rules_offered(variant)}
    return {name: text for name, text in NEEDS.get(field, {}).items() if name in offered}


def rules_in(terms: Terms, mode: Mode, variant: str) -> dict[str, Any]:
    return {r.field: getattr(terms, r.field) for r in mode.rules_offered(variant)}


@every_game
def test_every_choice_on_offer_is_granted_and_changes_nothing_else(key: str, variant: str) -> None:
    mode = by_key(key)
    usual = blank(mode, variant)
    plain = filled(mode, usual)
    assert plain.is_valid(), plain.errors
    assert plain.terms is not None
    assert rules_in(plain.terms, mode, variant) == {
        rule.field: rule.default for rule in mode.rules_offered(variant)
    }
    for rule, value in choices_of(mode, variant):
        needed = needed_by(rule.field, mode, variant)
        form = filled(mode, {**usual, **needed, rule.field: text_of(value)})
        assert form.is_valid(), (rule.field, value, form.errors)
        assert form.terms is not None
        found = rules_in(form.terms, mode, variant)
        assert found[rule.field] == value
        expected = {**rules_in(plain.terms, mode, variant), rule.field: value}
        expected |= {name: text == "on" or text for name, text in needed.items()}
        if rule.field == "has_cube":  # its rules go with it
            expected |= {name: off for name, off in CUBE_RULES.items() if name in expected}
        assert found == expected, (rule.field, value)


@every_game
def test_what_is_not_on_offer_is_refused_by_its_name(key: str, variant: str) -> None:
    mode = by_key(key)
    usual = blank(mode, variant)
    offered = {rule.field for rule in mode.rules_offered(variant)}
    for field in sorted(set(RULE_FIELDS) - offered):
        form = filled(mode, {**usual, field: "on"})
        assert not form.is_valid()
        assert list(form.errors) == ["__all__"], field
        assert f"“{field}”" in str(form.errors["__all__"])
        assert form.terms is None
    for rule in mode.rules_offered(variant):
        if rule.is_switch:
            continue  # a box has no other values
        form = filled(mode, {**usual, rule.field: "4711"})
        assert list(form.errors) == [rule.field], rule.field
        assert form.terms is None


@every_game
def test_what_needs_another_rule_is_refused_at_its_field(key: str, variant: str) -> None:
    mode = by_key(key)
    usual = blank(mode, variant)
    offered = {rule.field: rule for rule in mode.rules_offered(variant)}
    for field, needed in NEEDS.items():
        if field not in offered:
            continue
        data = {**usual, field: text_of(offered[field].values[-1])}
        for name in needed:
            data[name] = "winner_starts" if name == "start_rule" else ""
        form = filled(mode, data)
        if all(name in offered for name in needed):
            assert list(form.errors) == [field], (field, form.errors)
        else:
            assert form.is_valid(), form.errors


@pytest.mark.parametrize("key", [mode.key for mode in ALL if not mode.is_practice])
def test_a_challenge_comes_to_the_terms_of_a_table(key: str) -> None:
    mode = by_key(key)
    variant = mode.variants[-1]
    table = filled(mode, blank(mode, variant))
    challenge = filled(mode, blank(mode, variant, ChallengeForm), ChallengeForm)
    assert challenge.is_valid(), challenge.errors
    assert table.is_valid()
    assert challenge.terms is not None
    assert msgspec.to_builtins(challenge.terms) == msgspec.to_builtins(table.terms)
