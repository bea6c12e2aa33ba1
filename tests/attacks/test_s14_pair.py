"""S14: one pair carried a rating from 1500 to 1865 in 25 seconds, with 49 matches.

A house with a pair limit rates only so many matches of the same two players within 24 hours.
The others are played and paid, and both players see before they sit down that they do not count.
"""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match, Table
from games.selectors import table_state, view_frame
from games.services.challenges import challenge_make
from games.services.tables import table_command, table_join, table_open
from games.table import commands as cmd
from harness.logins import logged_in
from harness.prices import house_prices
from harness.voice import Voice, socket_of
from ledger.audit import run
from pasch.audits.matches import check_rated
from ratings.models import RatingChange
from ratings.selectors import rating_of
from ratings.services import rating_void
from tests.api.conftest import Program
from tests.pages.test_pages import text_of
from tests.racing import Runner, racers, tries

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

LIMIT = 5


@pytest.fixture
def magriel(transactional_db: None) -> User:
    return User.objects.create_user("magriel", "magriel@example.org")


@pytest.fixture
def hilde(transactional_db: None) -> User:
    return User.objects.create_user("hilde", "hilde@example.org")


@pytest.fixture
def tilo(transactional_db: None) -> User:
    return User.objects.create_user("tilo", "tilo@example.org")


@pytest.fixture(autouse=True)
def _dice(settings: Any) -> None:
    settings.DICE_SOURCE = "harness.dice.ScriptedDice"


@pytest.fixture
def race() -> Iterator[Runner]:
    with racers(2) as runner:
        yield runner


def begin(one: User, other: User, **wishes: Any) -> Table:
    """Seat the two and make the first roll: leaving loses from now on."""
    table = table_open(user=one, **({"mode": "normal"} | wishes))
    table_join(user=other, table_id=table.pk)
    roll(table, one)
    return table


def roll(table: Table, who: User) -> None:
    if table_state(Table.objects.get(pk=table.pk)).phase in ("roll", "roll_off"):
        state = table_state(Table.objects.get(pk=table.pk))
        give(table, state.seats[state.game.on_roll], cmd.Roll())


def give(table: Table, user_id: int, command: cmd.PlayerCommand) -> None:
    table_command(
        table_id=table.pk,
        user_id=user_id,
        command_id=str(uuid4()),
        seen_seq=Table.objects.get(pk=table.pk).seq,
        command=command,
    )


def lose(one: User, other: User, **wishes: Any) -> Table:
    """Play one match, which `other` loses on purpose."""
    table = begin(one, other, **wishes)
    give(table, other.pk, cmd.Leave())
    return table


def rated(user: User) -> int:
    return RatingChange.objects.filter(user=user, kind="result").count()


def test_a_pair_cannot_carry_a_rating_up(magriel: User, hilde: User, tilo: User) -> None:
    house_prices(pair_limit=LIMIT)
    elos = []
    for _ in range(2 * LIMIT + 2):
        lose(magriel, hilde)
        elos.append(rating_of(magriel.pk, "normal").elo)
    assert elos[LIMIT - 1] == elos[-1], "only the first five count"
    assert rated(magriel) == rated(hilde) == LIMIT
    lose(magriel, tilo)
    assert rated(magriel) == LIMIT + 1, "others count as before"
    assert list(check_rated()) == []
    assert [result.code for result in run().results if result.findings] == []


def test_over_http_and_sockets_only_the_first_matches_count(
    live: str, magriel: User, hilde: User
) -> None:
    """The attack: sit down over REST, lose on purpose over a socket."""
    house_prices(pair_limit=2)
    told = []
    for _ in range(4):
        table = Program(magriel).post("tables/open/", {"mode": "normal"}).json()
        shown = Program(hilde).post(f"tables/{table['id']}/join/").json()
        told.append(shown["rated"])
        sockets = [socket_of(player, live, table["id"]) for player in (magriel, hilde)]
        with sockets[0], sockets[1]:
            voices = [Voice(socket) for socket in sockets]
            for voice in voices:
                assert voice.resume()["view"]["rated"] is shown["rated"]
            on_roll = table_state(Table.objects.get(pk=table["id"])).game.on_roll
            assert voices[on_roll].command({"type": "roll"})["type"] == "accepted"
            voices[1].resume()
            assert voices[1].command({"type": "leave"})["type"] == "accepted"
    assert told == [True, True, False, False]
    assert rated(magriel) == 2


def test_all_modes_and_rematches_count_together(magriel: User, hilde: User) -> None:
    house_prices(pair_limit=2)
    lose(hilde, magriel, mode="prize5", stake_cents=250)
    table = begin(magriel, hilde)
    resign(table)
    for player in (magriel, hilde):
        give(table, player.pk, cmd.Rematch())
    roll(table, magriel)
    give(table, hilde.pk, cmd.Leave())
    assert list(table.matches.order_by("number").values_list("rated", flat=True)) == [True, False]
    lose(magriel, hilde, mode="prize3", stake_cents=250)
    assert rated(magriel) == 2
    paid = Match.objects.get(mode="prize3")
    assert paid.paid_cents == [450, 0], "it is paid all the same"
    assert not paid.rated


def test_a_voided_match_uses_nothing_up(magriel: User, hilde: User) -> None:
    house_prices(pair_limit=1)
    lose(magriel, hilde)
    rating_void(reference=Match.objects.get().reference)
    lose(magriel, hilde)
    assert RatingChange.objects.filter(user=magriel, kind="result").count() == 2


def test_matches_that_run_side_by_side_are_counted_when_they_begin(
    magriel: User, hilde: User, race: Runner
) -> None:
    house_prices(pair_limit=1)
    tables = [begin(magriel, hilde), begin(hilde, magriel)]
    assert [m.rated for m in Match.objects.order_by("started_at")] == [True, False]
    outcomes = race([lambda t=t: give(t, hilde.pk, cmd.Leave()) for t in tables])
    assert outcomes == [None, None]
    assert rated(magriel) == 1
    assert list(check_rated()) == []


def test_two_that_begin_at_once_are_counted_one_after_the_other(race: Runner) -> None:
    """At two tables the offered rematch is accepted at the same instant."""
    house_prices(pair_limit=3)
    for number in range(tries(4, long=30)):
        one, other = (User.objects.create_user(f"{name}{number}") for name in ("anne", "karl"))
        tables = [begin(one, other), begin(other, one)]
        for table in tables:
            resign(table)
            give(table, one.pk, cmd.Rematch())
        outcomes = race([lambda t=t, o=other: give(t, o.pk, cmd.Rematch()) for t in tables])
        assert outcomes == [None, None]
        again = Match.objects.filter(table__in=tables, number=2)
        assert sorted(again.values_list("rated", flat=True)) == [False, True]


def resign(table: Table) -> None:
    """The decider resigns the game, and the other player accepts."""
    state = table_state(Table.objects.get(pk=table.pk))
    loser = state.decider
    give(table, state.seats[loser], cmd.OfferResignation(level=1))
    give(table, state.seats[1 - loser], cmd.AcceptResignation())


def test_both_are_told_before_they_sit_down(
    magriel: User,
    hilde: User,
    tilo: User,
) -> None:
    house_prices(pair_limit=1)
    table = table_open(user=magriel, mode="normal")
    sentence = "unrated: you two have 1 rated match within 24 hours"
    pages = [reverse("lobby"), reverse("table_join", args=[table.pk])]
    for page in pages:
        assert sentence not in text_of(english(hilde).get(page))
    assert Program(hilde).get("tables/").json()[0]["rated"] is True
    table_join(user=hilde, table_id=table.pk)
    roll(table, magriel)
    give(table, hilde.pk, cmd.Leave())
    table = table_open(user=magriel, mode="normal")
    pages = [reverse("lobby"), reverse("table_join", args=[table.pk])]
    for page in pages:
        assert sentence in text_of(english(hilde).get(page)), page
        assert sentence not in text_of(english(tilo).get(page)), page
    (row,) = Program(hilde).get("tables/").json()
    assert (row["rated"], row["pair_matches"]) == (False, 1)
    (row,) = Program(tilo).get("tables/").json()
    assert (row["rated"], row["pair_matches"]) == (True, 0)
    table_join(user=hilde, table_id=table.pk)
    table = Table.objects.get(pk=table.pk)
    assert view_frame(table, table_state(table)).rated is False


def test_a_challenge_says_it_to_both(magriel: User, hilde: User) -> None:
    house_prices(pair_limit=1)
    lose(magriel, hilde)
    asked = challenge_make(user=magriel, opponent_id=hilde.pk, mode="normal")
    page = reverse("challenge", args=[asked.pk])
    for reader in (magriel, hilde):
        assert "unrated: you two have 1 rated match" in text_of(english(reader).get(page))
    assert "unrated: you two have 1" in text_of(
        english(hilde).get(reverse("challenge_make", args=["magriel"]))
    )


def english(user: User) -> Client:
    return logged_in(Client(headers={"accept-language": "en"}), user)
