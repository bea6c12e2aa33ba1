"""The house bot plays at once with whoever looks for a person; one who comes is offered."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import BarKind, Match, StandIn, Table
from games.modes.registry import mode_of
from games.selectors import table_state
from games.services.bars import bar_place
from games.services.lobby import LobbyPairing, quick_pair, tables_close_of
from games.services.stand_ins import (
    ANSWER_WITHIN,
    OfferOver,
    asked_for,
    offer_accept,
    search_end,
    searches_end_due,
    stand_in_of,
    stand_in_open,
)
from games.services.tables import table_close, table_join
from games.table import commands as cmd
from games.table.errors import TableFull
from kit.sentences import sentence
from ledger.models import Account
from tests.pages.test_pages import text_of
from tests.practice.conftest import give
from tests.racing import racers, tries

pytestmark = pytest.mark.django_db(transaction=True)

FREE = {"mode": "normal"}
TRIES = tries(4, long=40)


def stranger() -> Client:
    return Client(headers={"accept-language": "en"})


def logged_in(user: User) -> Client:
    client = stranger()
    client.force_login(user)
    return client


def at_the_bot(user: User, **wishes: Any) -> Table:
    """The open table of a player who plays the house bot meanwhile."""
    pairing = quick_pair(user=user, **{**FREE, **wishes})
    assert not pairing.found
    stand_in_open(user=user, table_id=pairing.table.pk, strength="beginner")
    return pairing.table


def comes(user: User, **wishes: Any) -> Table:
    """The table of a person who comes while another plays the house bot, who is asked."""
    pairing = quick_pair(user=user, **{**FREE, **wishes})
    assert (pairing.found, pairing.asks) == (False, True)
    return pairing.table


def time_over() -> None:
    StandIn.objects.exclude(offered=None).update(answer_by=timezone.now() - timedelta(seconds=1))


def with_people() -> int:
    return Match.objects.exclude(mode="practice").count()


# --- the tap --------------------------------------------------------------------------------------
@pytest.mark.parametrize("address", ["play_now", "quick"])
def test_with_nobody_waiting_the_answer_is_a_game_with_the_bot(address: str) -> None:
    browser = stranger()
    game = browser.post(reverse(address), {"mode": "match", "tile": "5:fast"})
    table = Table.objects.get(mode="practice")
    assert game["location"] == reverse("table", args=[table.pk])
    page = text_of(browser.get(game["location"]))
    assert "You play Mira Pasch (Beginner). If another player comes, we ask you." in page
    terms = table_state(table).terms
    assert (terms.clock, terms.has_cube, terms.stake_cents) == ("none", False, 0)
    assert table.people[1]["plays_as"] == "beginner"
    assert not mode_of(terms).rated(terms)
    assert Table.objects.get(phase="open").stand_in.game == table


def test_whoever_has_finished_a_game_meets_a_better_bot_with_the_cube(hilde: User) -> None:
    browser = logged_in(hilde)
    browser.post(reverse("play_now"))
    table = Table.objects.get(mode="practice")
    give(table, hilde, cmd.Roll())
    give(table, hilde, cmd.Leave())
    search_end(hilde.pk)
    browser.post(reverse("play_now"))
    left = Table.objects.filter(mode="practice").latest("created_at")
    assert left.people[1]["plays_as"] == "beginner", "to leave is not to finish"
    Match.objects.update(ending="borne_off", ended_at=timezone.now())
    search_end(hilde.pk)
    browser.post(reverse("play_now"))
    game = Table.objects.filter(mode="practice").latest("created_at")
    terms = table_state(game).terms
    assert game.people[1]["plays_as"] == "intermediate"
    assert (terms.clock, terms.has_cube) == ("none", True)


def test_a_second_tap_leads_to_the_same_game(hilde: User) -> None:
    browser = logged_in(hilde)
    first, second = (browser.post(reverse("play_now"))["location"] for _ in range(2))
    assert first == second
    assert Table.objects.filter(phase="open").count() == 1


def test_another_quick_game_takes_the_place_of_the_search(hilde: User) -> None:
    at_the_bot(hilde)
    quick_pair(user=hilde, mode="match", target_points=5)
    assert Table.objects.get(phase="open").mode == "match"


def test_a_guest_who_may_play_no_more_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.services import guests

    monkeypatch.setattr(guests, "GUEST_TABLES_MAX", 1)
    answer = stranger().post(reverse("play_now"), follow=True)
    assert sentence(guests.GuestPlayedEnough()) in text_of(answer)


# --- one who comes is offered ---------------------------------------------------------------------
def test_who_comes_is_offered_and_seated_by_a_yes(magriel: User, hilde: User) -> None:
    own = at_the_bot(magriel)
    game = own.stand_in.game
    table = comes(hilde)
    assert with_people() == 0
    browser = logged_in(magriel)
    page = text_of(browser.get(reverse("table", args=[game.pk])))
    assert "hilde is here" in page
    assert "You can finish your game with Mira Pasch later." in page
    answer = browser.post(reverse("seat_offer"), {"accept": str(table.pk)})
    assert answer["location"] == reverse("table", args=[table.pk])
    match = Match.objects.exclude(mode="practice").get()
    assert match.players == (hilde.pk, magriel.pk)
    assert not Table.objects.filter(phase="open").exists()
    assert Match.objects.get(table=game).ended_at is None
    again = browser.post(reverse("seat_offer"), {"accept": str(table.pk)})
    assert again["location"] == reverse("table", args=[table.pk])
    assert with_people() == 1


def test_every_page_but_the_games_own_says_in_its_header_who_has_come(
    magriel: User, hilde: User
) -> None:
    game = at_the_bot(magriel).stand_in.game
    browser, page = logged_in(magriel), reverse("running")
    assert "hilde" not in text_of(browser.get(page))
    comes(hilde)
    link = f'href="{reverse("table", args=[game.pk])}"'
    header = browser.get(page)
    assert "hilde is here" in text_of(header)
    assert link in header.content.decode()
    assert "hilde" not in text_of(browser.get(page, {"besides": str(game.pk)}))
    time_over()
    assert "hilde" not in text_of(browser.get(page))


def test_a_guest_is_offered_and_moves_too(hilde: User) -> None:
    browser = stranger()
    browser.post(reverse("play_now"))
    clock = table_state(Table.objects.get(phase="open")).terms.clock
    table = comes(hilde, clock=clock)
    answer = browser.post(reverse("seat_offer"), {"accept": str(table.pk)})
    assert answer["location"] == reverse("table", args=[table.pk])
    assert with_people() == 1


def test_to_stay_ends_the_search_and_lets_the_other_go_on(magriel: User, hilde: User) -> None:
    own = at_the_bot(magriel)
    waits = logged_in(hilde).post(reverse("play_now"))["location"]
    table = Table.objects.get(opener=hilde)
    assert waits == reverse("table_wait", args=[table.pk])
    page = text_of(logged_in(hilde).get(waits))
    assert "magriel plays the house bot at the moment, and is asked" in page
    polled = logged_in(hilde).get(waits, headers={"HX-Request": "true"})
    assert "HX-Trigger" not in polled.headers
    answer = logged_in(magriel).post(reverse("seat_offer"), {"stay": ""})
    assert answer["location"] == reverse("table", args=[own.stand_in.game_id])
    own.refresh_from_db()
    assert own.phase == "closed"
    assert logged_in(magriel).get(reverse("seat_offer")).content.strip() == b""
    polled = logged_in(hilde).get(waits, headers={"HX-Request": "true"})
    assert polled["HX-Trigger"] == "wait:over"
    game = logged_in(hilde).post(waits, {"instead": "bot"})["location"]
    assert game == reverse("table", args=[Table.objects.get(opener=hilde, mode="practice").pk])
    table.refresh_from_db()
    assert table.phase == "open"
    assert logged_in(hilde).get(waits)["location"] == game
    with pytest.raises(OfferOver):
        offer_accept(user=magriel, table_id=table.pk)


def test_no_answer_is_to_stay(magriel: User, hilde: User, tilo: User) -> None:
    own, table = at_the_bot(magriel), comes(hilde)
    assert searches_end_due() == 0
    assert StandIn.objects.get().answer_by - timezone.now() <= ANSWER_WITHIN
    time_over()
    assert asked_for(table.pk) is None
    with pytest.raises(OfferOver):
        offer_accept(user=magriel, table_id=table.pk)
    stand_in_open(user=hilde, table_id=table.pk, strength="beginner")
    assert asked_for(comes(tilo).pk).table == table, "who did not answer is not asked again"
    assert searches_end_due() == 1
    own.refresh_from_db()
    assert own.phase == "closed"
    assert stand_in_of(magriel.pk) is None
    assert stand_in_of(hilde.pk) is not None


def test_one_who_leaves_meanwhile_costs_nobody_the_search(magriel: User, hilde: User, tilo) -> None:
    own, table = at_the_bot(magriel), comes(hilde)
    table_close(user=hilde, table_id=table.pk)
    with pytest.raises(OfferOver):
        offer_accept(user=magriel, table_id=table.pk)
    assert "hilde is here" not in text_of(logged_in(magriel).get(reverse("seat_offer")))
    time_over()
    assert searches_end_due() == 0
    assert asked_for(comes(tilo).pk).table == own


def test_one_who_takes_the_bot_before_the_time_is_over_is_offered_no_longer(
    magriel: User, hilde: User
) -> None:
    own, table = at_the_bot(magriel), comes(hilde)
    stand_in_open(user=hilde, table_id=table.pk, strength="beginner")
    with pytest.raises(OfferOver):
        offer_accept(user=magriel, table_id=table.pk)
    time_over()
    assert searches_end_due() == 0
    own.refresh_from_db()
    assert own.phase == "open"


def test_a_third_who_comes_is_seated_with_the_one_who_waits(
    magriel: User, hilde: User, tilo: User
) -> None:
    at_the_bot(magriel)
    table = comes(hilde)
    assert quick_pair(user=tilo, **FREE) == LobbyPairing(table, found=True)
    with pytest.raises(OfferOver):
        offer_accept(user=magriel, table_id=table.pk)
    assert stand_in_of(magriel.pk) is not None


def test_nobody_sits_down_without_an_answer(magriel: User, hilde: User) -> None:
    """The lobby lists such a table for its opener alone, and its address leads to no seat."""
    own = at_the_bot(magriel)
    with pytest.raises(TableFull):
        table_join(user=hilde, table_id=own.pk)
    row = f'data-table="{own.pk}"'
    assert row not in logged_in(hilde).get(reverse("lobby")).content.decode()
    assert row in logged_in(magriel).get(reverse("lobby")).content.decode()


def test_two_who_may_not_meet_are_not_offered(magriel: User, hilde: User) -> None:
    at_the_bot(magriel)
    magriel.email = hilde.email = "h@example.org"
    magriel.save()
    hilde.save()
    assert not quick_pair(user=hilde, **FREE).asks


def test_one_who_is_barred_meanwhile_is_not_seated(magriel: User, hilde: User) -> None:
    at_the_bot(magriel)
    table = comes(hilde)
    bar_place(user_id=magriel.pk, kind=BarKind.LOBBY, reference="test")
    answer = logged_in(magriel).post(reverse("seat_offer"), {"accept": str(table.pk)}, follow=True)
    assert "You cannot begin such a game." in text_of(answer)
    assert with_people() == 0


def test_a_closed_page_ends_the_search_with_its_player(magriel: User, hilde: User) -> None:
    at_the_bot(magriel)
    assert tables_close_of([magriel.pk]) == 1
    pairing = quick_pair(user=hilde, **FREE)
    assert (pairing.found, pairing.asks) == (False, False)


def test_credits_are_played_for_with_nobody_but_people(magriel: User) -> None:
    staked = quick_pair(user=magriel, mode="prize5", stake_cents=250).table
    assert stand_in_open(user=magriel, table_id=staked.pk, strength="beginner") is None
    assert not Account.objects.filter(key__startswith="escrow:").exists()


def test_without_valkey_people_are_offered_all_the_same(
    settings: Any, magriel: User, hilde: User
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    browser = logged_in(magriel)
    browser.post(reverse("play_now"))
    terms = table_state(Table.objects.get(phase="open")).terms
    table = comes(hilde, clock=terms.clock)
    assert "hilde is here" in text_of(browser.get(reverse("seat_offer")))
    browser.post(reverse("seat_offer"), {"accept": str(table.pk)})
    assert with_people() == 1


# --- at the same instant --------------------------------------------------------------------------
def cleared() -> None:
    """End everything before the next try."""
    StandIn.objects.all().delete()
    running = Match.objects.filter(ended_at=None)
    Table.objects.filter(matches__in=running).update(phase="closed")
    running.update(ended_at=timezone.now(), ending="left")
    for table in Table.objects.filter(phase="open"):
        table_close(user=table.opener, table_id=table.pk)


def test_two_who_come_at_once_meet_each_other_or_one_is_offered(
    magriel: User, hilde: User, tilo: User
) -> None:
    with racers(4) as race:
        for number in range(1, TRIES + 1):
            at_the_bot(magriel)
            came = race([partial(quick_pair, user=user, **FREE) for user in (hilde, tilo)])
            assert sorted((c.found, c.asks) for c in came) == [(False, True), (True, False)]
            assert with_people() == number
            cleared()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["leaves", "takes the bot", "is found", "time"])
def test_a_yes_at_the_very_moment_has_one_outcome(
    magriel: User, hilde: User, tilo: User, what: str
) -> None:
    with racers(4) as race:
        for _ in range(TRIES):
            before = with_people()
            at_the_bot(magriel)
            table = comes(hilde)
            if what == "time":
                time_over()
                StandIn.objects.update(answer_by=timezone.now() + timedelta(milliseconds=20))
            other = {
                "leaves": partial(table_close, user=hilde, table_id=table.pk),
                "takes the bot": partial(
                    stand_in_open, user=hilde, table_id=table.pk, strength="beginner"
                ),
                "is found": partial(quick_pair, user=tilo, **FREE),
                "time": searches_end_due,
            }[what]
            yes, _ = race([partial(offer_accept, user=magriel, table_id=table.pk), other])
            table.refresh_from_db()
            assert isinstance(yes, Table | OfferOver), yes
            assert (table.guest_id == magriel.pk) is isinstance(yes, Table)
            assert with_people() - before <= 1
            running = Match.objects.filter(ended_at=None).exclude(mode="practice")
            assert sum(magriel.pk in match.players for match in running) <= 1
            cleared()


def test_two_taps_at_once_never_leave_two_people_alone(magriel: User, hilde: User) -> None:
    """The second finds the first at an open table or at the bot: seated, or the first is asked."""

    def tapped(user: User) -> str:
        return logged_in(user).post(reverse("play_now"))["location"]

    with racers(2) as race:
        for _ in range(TRIES):
            before = with_people()
            race([partial(tapped, user) for user in (magriel, hilde)])
            asked = StandIn.objects.filter(offered__phase="open").count()
            assert with_people() - before + asked == 1
            cleared()
