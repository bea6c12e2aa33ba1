"""What a house offers and states: games, limits, languages and its operator."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import User
from games.forms.quick import CreditsQuickForm, FreeQuickForm
from games.forms.tables import TableForm
from games.models import StandIn, Table
from games.modes.prices import Prices, figures_of
from games.offered import terms_open
from games.services.tables import table_open
from games.table.errors import BadTerms
from house.history import part_number
from house.languages import Language
from house.models import HouseChange
from house.parts import HousePart, content_of
from house.reader import house_now, house_read, house_refresh
from ledger.errors import NotAllowed
from ledger.models import Proposal
from ledger.selectors import wallet_balance
from ledger.selectors_player import payout_minimum_cents
from ledger.services.proposals import proposal_confirm, proposal_make
from pasch.house_identity import operator_now
from pasch.operator import FACTS
from pasch.staff.house import check_house, house_change, subject_of
from tests.desk.conftest import at_desk
from tests.desk.test_house_settings import as_application, send
from tests.house_settings import house_has
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


# --- two people -----------------------------------------------------------------------------------
def test_two_administrators_change_the_offers(anna: User, bert: User) -> None:
    words = send(at_desk(anna), "offers", modes=["normal", "match"], stake_cents_most="7,50")
    assert "Proposed. Another administrator confirms or refuses it." in words
    assert not HouseChange.objects.exists()
    (waiting,) = Proposal.objects.all()
    assert "Highest stake of each player no limit" in words.replace("default: ", "")
    address = reverse("desk:proposal_confirm", args=[waiting.pk])
    assert "You may not do this" in text_of(at_desk(anna).post(address, follow=True))
    assert "carried out" in text_of(at_desk(bert).post(address, follow=True))
    row = HouseChange.objects.get()
    assert (row.changed_by, row.confirmed_by, row.proposal_id) == (anna, bert, waiting.pk)
    assert row.content == {"modes": ["normal", "match"], "stake_cents_most": 750}
    assert list(check_house()) == []
    house_refresh()
    assert "proposed by anna, confirmed by bert" in text_of(
        at_desk(anna).get(reverse("desk:house_part", args=["offers"]))
    )


@pytest.mark.parametrize(
    ("part", "content"),
    [(HousePart.LIMITS, {"minimum_age": 0}), (HousePart.PRICES, figures_of(Prices(rake_bps=0)))],
)
def test_nobody_changes_alone_what_takes_two(anna: User, part: HousePart, content: Any) -> None:
    said = {"number": 0, "reason": "r", "verified_at": timezone.now()}
    with pytest.raises(NotAllowed):
        house_change(actor=anna, part=part, content=content, **said)
    row = {"number": 1, "part": part, "content": content, "reason": "r", "changed_by": anna}
    with pytest.raises(DatabaseError, match="house_by_two"):
        as_application(lambda: HouseChange.objects.create(**row))


@pytest.mark.django_db(transaction=True)
def test_a_row_must_be_what_a_confirmed_proposal_decided(anna: User, bert: User) -> None:
    proposal = proposal_make(
        actor=anna,
        kind="house.change",
        subject=subject_of(HousePart.LIMITS),
        content={"content": {"minimum_age": 21}},
        before={"number": 0},
        reason="r",
        verified_at=timezone.now(),
    )
    row = {
        "number": 1,
        "part": "limits",
        "content": {"minimum_age": 21},
        "reason": "r",
        "changed_by": anna,
        "confirmed_by": bert,
        "proposal_id": proposal.pk,
    }
    with pytest.raises(DatabaseError, match="did not decide"):
        HouseChange.objects.create(**row)  # no one has confirmed it
    proposal_confirm(proposal_id=proposal.pk, actor=bert, verified_at=timezone.now())
    with pytest.raises(DatabaseError):
        HouseChange.objects.create(**{**row, "number": 2, "content": {"minimum_age": 0}})
    assert operator_now().minimum_age == 21


# --- games ----------------------------------------------------------------------------------------
def test_a_house_without_rows_offers_everything() -> None:
    assert len(TableForm.modes()) == len(TableForm.every)
    assert terms_open(mode="match", target_points=25).target_points == 25


@pytest.mark.parametrize(
    ("offers", "wishes", "field"),
    [
        ({"modes": ["normal"]}, {"mode": "match"}, "mode"),
        ({"variants": ["nackgammon"]}, {"mode": "normal", "variant": "backgammon"}, "variant"),
        ({"length_most": 7}, {"mode": "match", "target_points": 9}, "target_points"),
        ({"stake_cents_most": 250}, {"mode": "prize5", "stake_cents": 500}, "stake_cents"),
    ],
)
def test_what_is_not_on_offer_is_refused_with_its_field(offers, wishes, field) -> None:
    terms_open(**wishes)
    house_has(HousePart.OFFERS, **offers)
    with pytest.raises(BadTerms) as refused:
        terms_open(**wishes)
    assert refused.value.fields["field"] == field
    user = User.objects.create_user("hilde")
    with pytest.raises(BadTerms):
        table_open(user=user, **wishes)
    assert not Table.objects.exists()


def test_forms_pages_and_programs_see_what_is_on_offer() -> None:
    house_has(HousePart.OFFERS, modes=["normal", "match"], variants=["backgammon"], length_most=5)
    form = TableForm.of({"mode": "match"}, shows=True)
    assert [key for key, _name in form.fields["mode"].choices] == ["match", "normal"]
    assert [key for key, _name in form.fields["variant"].choices] == ["backgammon"]
    assert max(form.offered["target_points"].values) == 5
    assert form.is_valid(), form.errors
    quick = FreeQuickForm.of({"mode": "match"}, shows=True)
    assert {int(key) for key, _tiles in quick.rows()} <= {1, 3, 5}
    offered = json.loads(Client().get("/api/v1/modes/").content)
    assert [mode["key"] for mode in offered["modes"]] == ["match", "normal"]
    assert {each["key"] for each in offered["modes"][0]["variants"]} == {"backgammon"}


def test_a_table_that_is_open_keeps_its_terms() -> None:
    table = table_open(user=User.objects.create_user("hilde"), mode="match", target_points=9)
    house_has(HousePart.OFFERS, modes=["normal"], length_most=1)
    assert Client().get(reverse("lobby")).status_code == 200
    table.refresh_from_db()
    assert table.phase == "open"
    assert table.state["terms"]["target_points"] == 9


def test_a_house_that_names_only_modes_it_does_not_have_offers_all() -> None:
    house_has(HousePart.OFFERS, modes=["chess"], variants=["chess"])
    assert terms_open(mode="normal").variant == "backgammon"


def test_stakes_above_the_highest_one_are_no_choices() -> None:
    """Choices of forms and tiles end at the highest stake; a list above it stays as it is."""

    def stakes(**wishes: str) -> list[str]:
        form = TableForm.of(wishes, shows=True)
        return [key for key, _name in form.fields[form.choice_name].choices]

    assert stakes(mode="match") == ["0", "250", "500", "1000", "2000"]
    house_has(HousePart.OFFERS, stake_cents_most=500)
    assert stakes(mode="match") == ["0", "250", "500"]
    assert stakes(mode="prize5") == ["250", "500"]
    assert {"match", "prize5"} <= {mode.key for mode in TableForm.modes()}
    assert "single" not in {mode.key for mode in TableForm.modes()}, "its lowest limit is 10.00"
    house_has(HousePart.OFFERS, stake_cents_most=250)
    assert stakes(mode="prize5") == ["250"]
    quick = CreditsQuickForm.of({"mode": "prize5"}, shows=True)
    assert [key for key, _tiles in quick.rows()] == ["250"]


def test_programs_see_only_what_fits_under_the_highest_stake() -> None:
    """The same modes and amounts as in the forms, and the highest stake for ranges of amounts."""

    def offer() -> dict[str, Any]:
        return json.loads(Client().get("/api/v1/modes/").content)

    assert offer()["stake_cents_most"] is None
    house_has(HousePart.OFFERS, stake_cents_most=500)
    offered = offer()
    assert offered["stake_cents_most"] == 500
    assert [mode["key"] for mode in offered["modes"]] == [m.key for m in TableForm.modes()]
    amounts = {mode["key"]: mode["amounts"] for mode in offered["modes"]}
    assert amounts["match"][0]["values"] == [0, 250, 500]
    assert amounts["prize5"][0]["values"] == [250, 500]


def test_the_pages_of_offers_and_of_stakes_link_each_other(anna: User) -> None:
    desk, offers = at_desk(anna), reverse("desk:house_part", args=["offers"])
    words = text_of(desk.get(offers))
    assert "The lists of stakes, with prices and rake, are on the page Money" in words
    assert f'href="{offers}"' in desk.get(reverse("desk:money")).content.decode()


# --- the home page --------------------------------------------------------------------------------
def pressed() -> Client:
    """A stranger who has pressed "Play now"."""
    stranger = Client()
    stranger.post(reverse("play_now"))
    return stranger


def test_the_home_page_has_only_games_on_offer() -> None:
    house_has(HousePart.OFFERS, modes=["match"], variants=["nackgammon"], length_most=3)
    words = text_of(Client().get(reverse("home")))
    assert "Match to 3 Nackgammon · about 12 min" in words
    assert "One game" not in words
    assert "Match to 5" not in words
    assert "Play now" in words
    pressed()
    table = Table.objects.get(phase="open")
    assert (table.mode, table.variant) == ("match", "nackgammon")
    assert table.state["terms"]["target_points"] <= 3


def test_play_now_meets_the_one_who_waits_in_another_variant() -> None:
    house_has(HousePart.OFFERS, variants=["nackgammon"])
    pressed()
    pressed()
    one, two = StandIn.objects.select_related("table", "offered")
    assert {(each.table.mode, each.table.variant) for each in (one, two)} == {
        ("normal", "nackgammon")
    }
    assert (one.offered, two.offered) == (two.table, one.table)


def test_a_house_without_free_games_offers_none_on_its_home_page() -> None:
    house_has(HousePart.OFFERS, modes=["prize5"])
    page = Client().get(reverse("home"))
    words = text_of(page)
    assert "Play now" not in words
    assert "All tables, also for credits" not in words
    assert reverse("play_now") not in page.content.decode()
    answer = Client().post(reverse("play_now"), follow=True)
    assert "The house does not offer a table on these terms." in text_of(answer)
    assert not Table.objects.exists()


# --- languages ------------------------------------------------------------------------------------
def page_language(**cookies_and_headers: str) -> str:
    client = Client()
    if cookie := cookies_and_headers.pop("cookie", ""):
        client.cookies["django_language"] = cookie
    page = client.get(reverse("ranking"), headers=cookies_and_headers).content.decode()
    return page.split('<html lang="')[1][:2]


def test_a_house_shows_its_own_languages_only() -> None:
    assert (page_language(), page_language(accept_language="de")) == ("en", "de")
    house_has(HousePart.LANGUAGES, usual="de")
    assert page_language() == "de"
    assert page_language(accept_language="fr, en-GB;q=0.5") == "en"
    house_has(HousePart.LANGUAGES, offered=["de"])
    assert page_language(accept_language="en") == "de"
    assert page_language(cookie="en") == "de"
    page = Client().get(reverse("settings")).content.decode()
    assert 'value="en"' not in page
    assert house_now().language("en") == "de"
    assert 'name="language"' not in Client().get(reverse("ranking")).content.decode()


def test_a_usual_language_is_one_on_offer(anna: User) -> None:
    words = send(at_desk(anna), "languages", offered=["de"], usual="en")
    assert "This language is not on offer." in words
    assert set(Language.values) == {"de", "en"}


# --- limits and operator --------------------------------------------------------------------------
def test_limits_follow_the_house() -> None:
    assert payout_minimum_cents() == 100
    house_has(HousePart.LIMITS, payout_minimum_cents=700, minimum_age=21)
    assert payout_minimum_cents() == 700
    assert "at least 21 years old" in text_of(Client().get(reverse("minimum_age")))


def test_welcome_credits_follow_the_house(settings) -> None:
    settings.LEDGER_WELCOME_CENTS = 300
    assert wallet_balance(User.objects.create_user("first").pk) == 300
    house_has(HousePart.LIMITS, welcome_cents=1_250)
    assert wallet_balance(User.objects.create_user("second").pk) == 1_250
    assert "12.50" in text_of(Client().get(reverse("home")))
    house_has(HousePart.LIMITS, welcome_cents=0)
    assert wallet_balance(User.objects.create_user("third").pk) == 0


def test_no_welcome_credits_can_be_chosen_at_the_desk(anna: User, settings) -> None:
    settings.LEDGER_WELCOME_CENTS = 300
    send(at_desk(anna), "limits", welcome_cents="0", signups_per_hour="7")
    (waiting,) = Proposal.objects.all()
    assert waiting.content["content"] == {"welcome_cents": 0, "signups_per_hour": 7}


def test_the_imprint_shows_the_facts_of_the_desk_over_those_of_the_environment(settings) -> None:
    assert "not stated yet" in text_of(Client().get(reverse("imprint")))
    facts = {fact.variable.lower(): "-" for fact in FACTS}
    facts |= {"operator_name": "Tric Trac e. V.", "operator_address": "Ring 1|12345 Town"}
    facts |= {"operator_mail": "house@example.org", "log_days": "7"}
    house_has(HousePart.OPERATOR, **facts)
    words = text_of(Client().get(reverse("imprint")))
    assert "Tric Trac e. V." in words
    assert "Ring 1 12345 Town" in words
    assert "not stated yet" not in words
    assert operator_now().missing == []
    assert operator_now().phone == ""


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("operator_mail", "nobody", "This is no mail address."),
        ("helpline_url", "javascript:alert(1)", "A website begins with https://."),
        ("log_days", "0", "must be between 1 and 36500"),
    ],
)
def test_a_fact_that_cannot_be_shown_is_refused(anna, field, text, sentence) -> None:
    assert sentence in send(at_desk(anna), "operator", **{field: text})
    assert not Proposal.objects.exists()


# --- at the server --------------------------------------------------------------------------------
def test_the_operator_sets_a_part_at_the_server(capsys, settings) -> None:
    call_command("house", "name", "name=Tric Trac", reason="first day")
    assert "Tric Trac" in capsys.readouterr().out
    with pytest.raises(CommandError, match="two administrators change this"):
        call_command("house", "offers", "modes=normal,match", reason="r")
    settings.LEDGER_SINGLE_ADMINISTRATOR = True
    call_command("house", "offers", "modes=normal,match", reason="r", json=True)
    said = json.loads(capsys.readouterr().out)
    assert said["parts"]["offers"] == {"modes": ["normal", "match"]}
    assert (house_read().name, part_number(HousePart.OFFERS)) == ("Tric Trac", 2)
    with pytest.raises(CommandError, match="Say why"):
        call_command("house", "name", "name=X")


def test_every_fact_of_the_operator_has_a_field() -> None:
    facts = {fact.variable.lower(): "1" for fact in FACTS}
    assert set(content_of(HousePart.OPERATOR, dict.fromkeys(facts, "-"))) == set(facts)
    with translation.override("de"):
        assert house_now().languages == ("de", "en")
