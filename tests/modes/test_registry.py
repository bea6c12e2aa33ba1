"""Every mode is found by its key and has all its attributes; an unknown key is an error."""

import ast
import re
from collections.abc import Iterator

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator

from accounts.models import User
from games.desk.stops import StopForm
from games.forms.filters import ArchiveForm, FilterForm
from games.forms.names import MODE_NAMES
from games.forms.quick import CreditsQuickForm, FreeQuickForm
from games.forms.tables import CHOICE_LABELS, TableForm
from games.modes.choices import RULE_FIELDS
from games.modes.mode import AMOUNTS
from games.modes.prices import Prices
from games.modes.registry import ALL, OPENED, by_key, mode_of
from games.modes.terms import CLOCKS, KEYS, Terms, UnknownMode, Wishes
from games.prizes import PrizeEnding, PrizeResult, payout
from games.table.errors import BadTerms
from games.table.setup import terms_of
from games.templatetags.table_words import table_words
from games.templatetags.tables import mode_name
from games.wire.schema import protocol_schema
from harness.logins import logged_in
from pasch.desk.money_words import examples
from tests.architecture.sources import ROOT, named
from tests.pages.test_pages import text_of

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


# --- where modes are listed -----------------------------------------------------------------------
EVERY = [mode.key for mode in ALL]
BETWEEN_PEOPLE = [mode.key for mode in OPENED]


def keys_of(field) -> list[str]:
    return [key for key, _name in field.choices if key]


def test_filters_offer_every_mode_in_the_order_of_their_places():
    assert keys_of(FilterForm().fields["mode"]) == BETWEEN_PEOPLE
    assert keys_of(ArchiveForm().fields["mode"]) == EVERY


def test_the_interfaces_name_every_mode():
    parts = SchemaGenerator().get_schema(public=True)["components"]["schemas"]
    wishes = parts["TableWishes"]["properties"]["mode"]
    assert set(parts[wishes["$ref"].rpartition("/")[2]]["enum"]) == set(BETWEEN_PEOPLE)
    assert set(protocol_schema()["$defs"]["View"]["properties"]["mode"]["enum"]) == set(EVERY)


def test_stakes_of_every_mode_that_has_them_can_be_stopped():
    stopped = [key.removeprefix("mode:") for key in keys_of(StopForm().fields["what"])]
    assert stopped == ["house", *(mode.key for mode in OPENED if mode.is_staked), "user"]


def test_whoever_decides_prices_sees_what_each_mode_would_pay():
    told = {facts.label: facts for facts in examples(Prices(), Prices(rake_bps=500))}
    for mode in OPENED:
        if mode.is_staked:
            label = mode.preview_label.partition("%")[0]
            assert any(name.startswith(label) for name in told), mode.key
    assert all(facts.now != facts.then for facts in told.values())


def test_what_a_mode_offers_can_be_had_in_one_click():
    offered = {mode.key for mode in (*FreeQuickForm.modes(), *CreditsQuickForm.modes())}
    assert offered == {mode.key for mode in OPENED if mode.is_quick}


@pytest.mark.django_db
def test_the_form_offers_every_mode():
    assert keys_of(TableForm.of({}, shows=True).fields["mode"]) == BETWEEN_PEOPLE


@pytest.mark.django_db
def test_the_rules_page_and_the_form_show_every_mode():
    client = Client(headers={"accept-language": "en"})
    page = client.get(reverse("rules"))
    shown = re.findall(r'<h3 id="(\w+)">', page.content.decode())
    assert [key for key in shown if key in EVERY] == BETWEEN_PEOPLE
    logged_in(client, User.objects.create_user("magriel"))
    for mode in OPENED:
        assert mode.name in text_of(page)
        assert mode.summary in text_of(client.get(reverse("table_open"), {"mode": mode.key}))


# --- keys of modes in the code --------------------------------------------------------------------
ASKED = re.compile(r"""\bmode\s*(?:[!=]==?|in)\s*["'(\[]\W*(?:{})\b""".format("|".join(KEYS)))
NAMED = re.compile(r"""mode.*["'](?:{})["']""".format("|".join(KEYS)), re.DOTALL)
FOLDERS = (
    *("accounts", "games", "house", "kit", "ledger", "platform", "ratings"),
    *("static/js", "templates"),
)


def comparisons(source: str) -> list[str]:
    """The comparisons of a mode with a key in a Python file."""
    found: list[str] = []
    if not NAMED.search(source):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            constants = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
            text = ast.unparse(node)
            if constants & set(KEYS) and re.search(r"\bmode\b", text):
                found.append(text)
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_code_and_no_template_compares_the_key_of_a_mode(folder: str) -> None:
    found = {}
    for path in sorted((ROOT / folder).rglob("*")):
        if "migrations" in path.parts or "vendor" in path.parts:
            continue
        if path.suffix == ".py":
            asked = comparisons(path.read_text())
        elif path.suffix in (".js", ".html"):
            asked = ASKED.findall(path.read_text())
        else:
            continue
        if asked:
            found[named(path)] = asked
    assert found == {}


def test_a_comparison_is_found() -> None:
    assert comparisons("if terms.mode in ('stake', 'normal') or row['mode'] != 'practice': pass")
    assert not comparisons("game.mode == 'L' or clock == 'normal'")
    for line in ('view.mode === "practice"', 'mode == "prize5"', "mode in ['single', 1]"):
        assert ASKED.search(line), line
    assert not ASKED.search('fair.mode === "L"')
