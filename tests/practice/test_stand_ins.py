"""The house bot plays at once with whoever looks for a person; one who comes is offered."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import BarKind, Match, StandIn, Table
from games.modes.registry import mode_of
from games.selectors import table_state
from games.services import stand_ins
from games.services.attendance import attendance_note
from games.services.bars import bar_place
from games.services.lobby import LobbyPairing, offers_make, quick_pair, tables_close_of
from games.services.stand_ins import (
    OfferOver,
    asked_for,
    is_away,
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
from tests.practice.seekers import (
    FREE,
    at_the_bot,
    comes,
    time_over,
    two_at_the_bot,
    with_people,
)

pytestmark = pytest.mark.django_db(transaction=True)


def stranger() -> Client:
    return Client(headers={"accept-language": "en"})


def logged_in(user: User) -> Client:
    client = stranger()
    client.force_login(user)
    return client


def card(browser: Client) -> str:
    return text_of(browser.get(reverse("seat_offer")))


# --- the tap --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("address", "points"), [("play_now", 0), ("quick", 5)])
def test_with_nobody_waiting_the_answer_is_a_game_with_the_bot(address: str, points: int) -> None:
    browser = stranger()
    game = browser.post(reverse(address), {"mode": "match", "tile": "5:fast"})
    table = Table.objects.get(mode="practice")
    assert game["location"] == reverse("table", args=[table.pk])
    page = text_of(browser.get(game["location"]))
    assert "You play Mira Pasch (Beginner). If another player comes, we ask you." in page
    terms = table_state(table).terms
    assert (terms.clock, terms.has_cube, terms.stake_cents) == ("none", False, 0)
    assert (terms.is_match and terms.target_points) == points
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


# --- both are asked -------------------------------------------------------------------------------
@pytest.mark.parametrize("is_guest", [False, True])
def test_who_looks_for_a_person_again_goes_on_with_the_same_game(
    magriel: User, is_guest: bool
) -> None:
    User.objects.filter(pk=magriel.pk).update(is_guest=is_guest)
    magriel.refresh_from_db()
    at_the_bot(magriel)
    game = Table.objects.get(mode="practice")
    assert search_end(magriel.pk)
    again = quick_pair(user=magriel, **FREE).table
    assert stand_in_open(user=magriel, table_id=again.pk, strength="beginner") == game
    assert stand_in_of(magriel.pk).game == game
    assert search_end(magriel.pk)
    longer = quick_pair(user=magriel, mode="match", target_points=5).table
    match = stand_in_open(user=magriel, table_id=longer.pk, strength="beginner", points=5)
    assert (match == game) == is_guest, "a guest plays one game with the bot"


def test_a_yes_that_is_refused_says_why_and_no_other_look_takes_the_words(
    magriel: User, hilde: User
) -> None:
    two_at_the_bot(magriel, hilde)
    browser = logged_in(magriel)
    browser.post(reverse("seat_offer"), {"accept": str(uuid4())})
    assert "hilde is here" in card(browser)
    words = sentence(OfferOver("tested"))
    assert words in text_of(browser.get(reverse("seat_offer"), {"answered": "1"}))
    assert words not in text_of(browser.get(reverse("seat_offer"), {"answered": "1"}))


def test_one_whose_search_has_just_ended_is_away(magriel: User) -> None:
    table = at_the_bot(magriel)
    StandIn.objects.all().delete()
    assert is_away(table)


def test_who_comes_plays_the_bot_at_once_and_two_who_say_yes_meet(
    magriel: User, hilde: User
) -> None:
    at_the_bot(magriel)
    one, other = logged_in(magriel), logged_in(hilde)
    game = Table.objects.get(opener=magriel, mode="practice")
    page = other.post(reverse("play_now"), follow=True)
    assert Table.objects.get(opener=hilde, mode="practice").phase == "roll"
    assert "magriel is here" in text_of(page)
    assert "hilde is here" in text_of(one.get(reverse("table", args=[game.pk])))
    hers, his = (Table.objects.get(opener=user, phase="open") for user in (hilde, magriel))
    answer = one.post(reverse("seat_offer"), {"accept": str(hers.pk)})
    assert answer["location"] == reverse("table", args=[game.pk])
    assert "You said yes. If hilde does too" in card(one)
    assert with_people() == 0
    address = reverse("table", args=[his.pk])
    assert other.post(reverse("seat_offer"), {"accept": str(his.pk)})["location"] == address
    assert Match.objects.exclude(mode="practice").get().players == (magriel.pk, hilde.pk)
    assert Match.objects.filter(mode="practice", ended_at=None).count() == 2
    assert not Table.objects.filter(phase="open").exists()
    for browser, table, name in ((one, hers, "hilde"), (other, his, "magriel")):
        assert f'href="{address}"' in browser.get(reverse("seat_offer")).content.decode()
        assert f"Play {name}" in card(browser)
        again = browser.post(reverse("seat_offer"), {"accept": str(table.pk)})
        assert again["location"] == address
    answer = one.post(reverse("seat_offer"), {"accept": str(uuid4())})
    assert answer["location"] != address, "a yes to another person is not the one of before"
    searches_end_due()
    assert f'href="{address}"' in one.get(reverse("seat_offer")).content.decode()
    assert with_people() == 1


def test_one_yes_seats_nobody_and_who_is_silent_keeps_the_bot(magriel: User, hilde: User) -> None:
    own, table = two_at_the_bot(magriel, hilde)
    assert offer_accept(user=magriel, table_id=table.pk) is None
    with pytest.raises(TableFull):  # the yes was for one person
        table_join(user=User.objects.create_user("tilo"), table_id=own.pk)
    assert searches_end_due() == 0
    time_over()
    with pytest.raises(OfferOver):
        offer_accept(user=hilde, table_id=own.pk)
    assert searches_end_due() == 1
    assert (stand_in_of(hilde.pk), with_people()) == (None, 0)
    assert stand_in_of(magriel.pk) is not None
    assert "If another player comes, we ask you." in card(logged_in(magriel))


def test_two_who_are_silent_are_both_asked_no_more(magriel: User, hilde: User) -> None:
    two_at_the_bot(magriel, hilde)
    time_over()
    assert searches_end_due() == 2


def test_to_stay_ends_the_search_and_the_other_is_asked_about_the_next(
    magriel: User, hilde: User, tilo: User
) -> None:
    own, table = two_at_the_bot(magriel, hilde)
    third = at_the_bot(tilo)
    assert asked_for(third.pk) is None, "one is asked at a time"
    answer = logged_in(magriel).post(reverse("seat_offer"), {"stay": ""})
    assert answer["location"] == reverse("table", args=[own.stand_in.game_id])
    own.refresh_from_db()
    assert own.phase == "closed"
    assert logged_in(magriel).get(reverse("seat_offer")).content.strip() == b""
    assert "If another player comes" in card(logged_in(hilde))
    with pytest.raises(OfferOver):
        offer_accept(user=hilde, table_id=own.pk)
    assert (offers_make(), offers_make()) == (1, 0)
    assert asked_for(third.pk).table == table
    assert asked_for(table.pk).table == third


def test_one_who_has_left_the_game_is_asked_when_they_are_back(
    magriel: User, hilde: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = at_the_bot(magriel).stand_in.game
    attendance_note(table_id=game.pk, seat=0, present=False)
    monkeypatch.setattr(stand_ins, "AWAY_MS", -1)
    table = at_the_bot(hilde)
    assert (asked_for(table.pk), offers_make()) == (None, 0)
    attendance_note(table_id=game.pk, seat=0, present=True)
    assert offers_make() == 1
    assert asked_for(table.pk).table.opener == magriel


def test_one_who_has_left_a_moment_ago_is_asked(magriel: User, hilde: User) -> None:
    own = at_the_bot(magriel)
    attendance_note(table_id=own.stand_in.game_id, seat=0, present=False)
    assert asked_for(at_the_bot(hilde).pk).table == own


def test_one_who_leaves_meanwhile_costs_nobody_the_search(magriel: User, hilde: User, tilo) -> None:
    own, table = at_the_bot(magriel), comes(hilde)
    table_close(user=hilde, table_id=table.pk)
    with pytest.raises(OfferOver):
        offer_accept(user=magriel, table_id=table.pk)
    assert "hilde is here" not in text_of(logged_in(magriel).get(reverse("seat_offer")))
    time_over()
    assert searches_end_due() == 0
    assert asked_for(comes(tilo).pk).table == own


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
    assert asked_for(at_the_bot(hilde).pk) is None
    assert offers_make() == 0


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
    assert asked_for(at_the_bot(hilde).pk) is None


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
