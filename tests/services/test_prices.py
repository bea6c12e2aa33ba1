"""The figures of the house: impossible figures are refused before they are stored."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from accounts.models import User
from backgammon.tests.amounts import amount
from games.models import Table
from games.modes.prices import (
    FIGURES,
    OFFERED_MOST,
    BadPrices,
    Figure,
    Prices,
    figures_of,
)
from games.modes.registry import mode_of, prices_of
from games.modes.terms import Terms, Wishes
from games.pages.words import terms_facts
from games.prizes import PrizeEnding, PrizeResult, payout
from games.selectors import prices, table_state
from games.services.tables import table_join, table_open
from games.table.setup import terms_of
from harness.prices import house_prices
from house.models import HouseChange

REFUSED = [
    ({"prize_stakes_cents": []}, "prize_stakes_cents", "empty"),
    ({"single_rates_cents": []}, "single_rates_cents", "empty"),
    ({"single_limits_cents": []}, "single_limits_cents", "empty"),
    ({"prize_stakes_cents": [250, 0]}, "prize_stakes_cents", "low"),
    ({"single_limits_cents": [1000, -5]}, "single_limits_cents", "low"),
    ({"single_rates_cents": [100, 100]}, "single_rates_cents", "twice"),
    ({"prize_stakes_cents": [1, 2, 3, 4, 5, 6, 7]}, "prize_stakes_cents", "many"),
    ({"prize_stakes_cents": [10_000_001]}, "prize_stakes_cents", "high"),
    ({"base_stake_cents_min": 0}, "base_stake_cents_min", "low"),
    ({"base_stake_cents_max": 10**7, "factor_with_cube": 2}, "factor_with_cube", "factor"),
    (
        {"base_stake_cents_min": 500, "base_stake_cents_max": 400},
        "base_stake_cents_min",
        "base_order",
    ),
    ({"factor_with_cube": 0}, "factor_with_cube", "low"),
    ({"rake_bps": 10_000}, "rake_bps", "high"),
    ({"rake_bps": 4_901}, "rake_bps", "high"),
    ({"rake_bps": -1}, "rake_bps", "low"),
    ({"rake_bps": True}, "rake_bps", "type"),
    ({"rake_bps": None}, "rake_bps", "type"),
    ({"pair_limit": 0}, "pair_limit", "low"),
    ({"pair_limit": 1001}, "pair_limit", "high"),
    ({"single_rates_cents": [1001]}, "single_limits_cents", "limit"),
    ({"prize_stakes": [250]}, "prize_stakes", "unknown"),
    ({"prize_stakes_cents": [2.5]}, "prize_stakes_cents", "type"),
    ({"prize_stakes_cents": 250}, "prize_stakes_cents", "type"),
    ([250], "", "type"),
]


@pytest.mark.parametrize(("figures", "name", "code"), REFUSED, ids=[str(r[0]) for r in REFUSED])
def test_figures_no_house_can_offer_are_refused_with_a_sentence(figures, name, code):
    with pytest.raises(BadPrices) as refused:
        prices_of(figures)
    assert (name, code) in [(fault.name, fault.code) for fault in refused.value.faults]
    assert name in str(refused.value)


def test_every_fault_is_told_at_once():
    with pytest.raises(BadPrices) as refused:
        prices_of({"prize_stakes_cents": [], "single_rates_cents": [], "colour": "red"})
    assert len(refused.value.faults) == 3


def test_the_list_describes_every_figure_and_the_defaults_are_sound():
    assert {figure.name for figure in FIGURES} == set(Prices.__struct_fields__)
    assert prices_of({}) == Prices() == prices_of(figures_of(Prices()))


def test_the_handbook_has_every_figure_with_its_bounds():
    text = (Path(__file__).parents[2] / "docs/operations-reference.md").read_text()
    for figure in FIGURES:
        default = figure.default
        shown = {None: "off"}.get(default, str(default)) if not figure.many else ""
        shown = shown or ", ".join(map(str, default))
        unit = f"{figure.unit}, 1 to {OFFERED_MOST} of them" if figure.many else figure.unit
        assert f"| `{figure.name}` | {unit} | {figure.least} | {figure.most} | {shown} |" in text


# --- any figures at all ---------------------------------------------------------------------------
def numbers(figure: Figure) -> st.SearchStrategy[int]:
    """Mostly numbers that a house may choose, and those around the bounds."""
    edges = [figure.least - 1, figure.least, figure.most, figure.most + 1]
    return st.one_of(
        st.integers(figure.least, min(figure.most, 2000)),
        st.sampled_from(edges),
        st.integers(figure.least, figure.most),
    )


def values(figure: Figure) -> st.SearchStrategy[Any]:
    one = numbers(figure)
    if figure.many:
        return st.lists(one, max_size=OFFERED_MOST + 1)
    return one | st.none() if figure.optional else one


ANY_FIGURES = st.fixed_dictionaries({}, optional={f.name: values(f) for f in FIGURES})


@pytest.mark.slow
@pytest.mark.django_db
@settings(
    max_examples=amount(40, long=400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(figures=ANY_FIGURES)
@example(figures={})
@example(figures={"rake_bps": 4900, "prize_stakes_cents": [1], "single_rates_cents": [1]})
@example(figures={"single_rates_cents": [10**7], "single_limits_cents": [10**7]})
@example(figures={"base_stake_cents_max": 10**7, "factor_with_cube": 1, "factor_without_cube": 1})
def test_accepted_figures_work_everywhere_and_refused_ones_change_nothing(figures):
    with transaction.atomic():
        try:
            accepted = prices_of(figures)
        except BadPrices:
            _the_database_refuses_too(figures)
        else:
            house_prices(**figures)
            assert prices() == accepted
            _every_page_answers()
            for terms in offers(accepted):
                _every_payout_is_exact(terms)
        transaction.set_rollback(True)


def _the_database_refuses_too(figures: dict[str, Any]) -> None:
    said = {**figures_of(Prices()), **figures}
    if any(len(v) != len(set(v)) for v in said.values() if isinstance(v, list)):
        return  # a stake that is offered twice does no harm: the database does not check for it
    with pytest.raises(DatabaseError), transaction.atomic():
        HouseChange.objects.create(number=1, part="prices", content=said, reason="out of bounds")
    assert prices() == Prices()


def _every_page_answers() -> None:
    client = Client()
    client.force_login(User.objects.create_user("reader"))
    for name in ("home", "rules", "lobby", "challenges"):
        assert client.get(reverse(name)).status_code == 200, name
    for mode in ("prize5", "prize3", "single", "stake", "normal"):
        assert client.get(reverse("table_terms"), {"mode": mode}).status_code == 200, mode


def offers(house: Prices) -> list[Terms]:
    """Every table with a stake that the house offers."""
    wishes = [
        Wishes(mode=mode, stake_cents=c)
        for mode in ("prize5", "prize3")
        for c in house.prize_stakes_cents
    ]
    wishes += [
        Wishes(mode="single", rate_cents=rate, limit_cents=limit)
        for rate in house.single_rates_cents
        for limit in house.single_limits_cents
    ]
    wishes += [
        Wishes(mode="stake", stake_cents=cents, has_cube=has_cube)
        for cents in (house.base_stake_cents_min, house.base_stake_cents_max)
        for has_cube in (False, True)
    ]
    return [terms_of(wish, house) for wish in wishes]


def _every_payout_is_exact(terms: Terms) -> None:
    for winner in (0, 1, None):
        for points in (1, 3, 1000):
            paid = payout(
                mode_of(terms).purse(terms), PrizeResult(winner, PrizeEnding.BORNE_OFF, points)
            )
            assert sum(paid.paid_cents) + paid.rake_cents == terms.pot_cents
            assert min(*paid.paid_cents, paid.rake_cents) >= 0
            if winner is not None:
                assert paid.paid_cents[winner] > terms.stake_cents, "a winner gains something"
    assert terms_facts(terms)["break_even_percent"] < 100


# --- the history ----------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_newest_figures_count_and_the_older_ones_stay():
    house_prices(prize_stakes_cents=[300], rake_bps=0)
    house_prices(pair_limit=5)
    assert prices() == Prices(prize_stakes_cents=(300,), rake_bps=0, pair_limit=5)
    rows = HouseChange.objects.order_by("number")
    kept = [(row.content["rake_bps"], row.content["pair_limit"]) for row in rows]
    assert kept == [(0, None), (0, 5)]


@pytest.mark.django_db(transaction=True)
def test_tables_keep_the_prices_they_were_opened_at():
    magriel, hilde = (User.objects.create_user(name) for name in ("magriel", "hilde"))
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    house_prices(rake_bps=2_000, prize_stakes_cents=[900])
    table_join(user=hilde, table_id=table.pk)
    table = Table.objects.get(pk=table.pk)
    assert table_state(table).terms.rake_bps == 1000
    assert table.stake_cents == 250


# --- at the server --------------------------------------------------------------------------------
def command(*arguments: str, capsys: Any) -> dict[str, Any]:
    call_command("prices", *arguments, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.mark.django_db
def test_a_new_house_begins_with_figures_of_its_own(capsys):
    wanted = ["rake_bps=500", "prize_stakes_cents=300,900", "pair_limit=20"]
    said = command(*wanted, "--reason", "the house opens", capsys=capsys)
    assert said["number"] == 1
    assert said["figures"]["prize_stakes_cents"] == [300, 900]
    assert prices() == Prices(rake_bps=500, prize_stakes_cents=(300, 900), pair_limit=20)
    command("pair_limit=off", "--reason", "no limit after all", capsys=capsys)
    assert prices().pair_limit is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rake_bps=10000", "--reason", "x"], "rake_bps must be 4900 or less"),
        (["rake_bps=1e3", "--reason", "x"], "rake_bps is no whole number"),
        (["colour=3", "--reason", "x"], "no figure 'colour'"),
        (["rake_bps", "--reason", "x"], "is not NAME=VALUE"),
        (["rake_bps=500"], "Say why"),
    ],
)
def test_the_command_refuses_with_a_sentence(arguments, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("prices", *arguments)
    assert not HouseChange.objects.exists()


@pytest.mark.django_db
def test_once_tables_were_opened_two_people_decide_prices(settings, capsys):
    magriel = User.objects.create_user("magriel")
    Table.objects.create(
        opener=magriel,
        mode="normal",
        variant="backgammon",
        stake_cents=0,
        phase="closed",
        seq=0,
        state={},
    )
    with pytest.raises(CommandError, match="two administrators"):
        call_command("prices", "rake_bps=500", "--reason", "alone")
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    assert command("rake_bps=500", "--reason", "alone", capsys=capsys)["number"] == 1
