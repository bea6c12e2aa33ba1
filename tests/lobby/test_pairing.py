"""Open tables: listed and filtered, and paired so that people with the same wishes get one."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import settlement
from games.forms.names import GAME_NAMES
from games.models import Match, Table
from games.pages import lobby as page_of_lobby
from games.pages.waiting import _clock as clock_waiting
from games.selectors import table_state, table_terms
from games.selectors_lobby import OPEN, Sought, tables_counted, tables_open, tables_sought
from games.services import lobby as services_lobby
from games.services.lobby import quick_pair, tables_close_of, tables_close_unpayable
from games.services.people import SamePerson, StrengthOutside
from games.services.tables import OneOpenTable, table_join, table_open
from games.settlement import StakeNotPossible
from games.table.errors import BadTerms, TableFull
from harness.wallets import credits_spent
from kit.paging import END
from ledger.selectors import wallet_balance
from ratings.models import Rating
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)


PRIZE5 = {"mode": "prize5", "stake_cents": 250}


def test_the_first_waits_and_the_second_finds_him(magriel, hilde):
    first = quick_pair(user=magriel, **PRIZE5)
    second = quick_pair(user=hilde, **PRIZE5)
    assert (first.found, second.found) == (False, True)
    assert first.table.pk == second.table.pk
    match = Match.objects.get()
    assert match.players == (magriel.pk, hilde.pk)
    assert (wallet_balance(magriel.pk), wallet_balance(hilde.pk)) == (9_750, 9_750)


def test_a_table_opened_by_hand_is_found_too(magriel, hilde):
    waiting = table_open(user=magriel, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == waiting.pk


@pytest.mark.parametrize(
    "other",
    [
        {"mode": "prize5", "stake_cents": 500},
        {"mode": "prize3", "stake_cents": 250},
        {"mode": "prize5", "stake_cents": 250, "clock": "fast"},
        {"mode": "prize5", "stake_cents": 250, "holland": True},
    ],
)
def test_other_terms_do_not_fit(magriel, hilde, other):
    table_open(user=magriel, **other)
    assert not quick_pair(user=hilde, **PRIZE5).found


def test_who_asks_twice_waits_at_one_table(magriel):
    tables = {quick_pair(user=magriel, **PRIZE5).table.pk for _ in range(3)}
    assert len(tables) == 1
    with pytest.raises(OneOpenTable):
        quick_pair(user=magriel, mode="prize5", stake_cents=500)


def test_who_waits_himself_and_finds_somebody_leaves_no_table_behind(magriel, hilde):
    own = table_open(user=hilde, mode="prize5", stake_cents=500)
    table_open(user=magriel, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).found
    own.refresh_from_db()
    assert own.phase == "closed"


def test_the_oldest_table_comes_first(magriel, tilo, hilde):
    oldest = table_open(user=tilo, **PRIZE5)
    table_open(user=magriel, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == oldest.pk


def test_a_private_table_is_never_found(magriel, hilde):
    private = table_open(user=magriel, private=True, **PRIZE5)
    assert len(private.code) == 8
    assert not quick_pair(user=hilde, **PRIZE5).found


def test_both_ranges_of_strength_hold(magriel, ida, hilde):
    """ida is in group 1, the others in group 3."""
    choosy = quick_pair(user=magriel, strength_span=1, **PRIZE5)
    assert not quick_pair(user=ida, **PRIZE5).found
    with pytest.raises(StrengthOutside):
        table_join(user=ida, table_id=choosy.table.pk)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == choosy.table.pk


def test_the_guests_range_holds_as_well(ida, magriel):
    quick_pair(user=ida, **PRIZE5)
    assert not quick_pair(user=magriel, strength_span=1, **PRIZE5).found


def test_an_opener_who_cannot_pay_is_passed_over(magriel, tilo, hilde):
    table_open(user=magriel, **PRIZE5)
    credits_spent(magriel, 9_900)
    next_one = table_open(user=tilo, **PRIZE5)
    assert quick_pair(user=hilde, **PRIZE5).table.pk == next_one.pk
    assert Match.objects.count() == 1


def test_who_cannot_pay_is_told_and_nothing_opens(magriel):
    credits_spent(magriel, 9_900)
    with pytest.raises(StakeNotPossible) as refused:
        quick_pair(user=magriel, **PRIZE5)
    assert refused.value.fields["who"] == "you"
    assert not Table.objects.exists()


def test_terms_that_the_house_does_not_offer(magriel):
    with pytest.raises(BadTerms):
        quick_pair(user=magriel, mode="prize5", stake_cents=300)


# --- one person, two accounts ---------------------------------------------------------------------
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("h@example.org", "h@example.org"),
        ("h@example.org", "H@Example.org"),
        ("h@example.org", "h+second@example.org"),
    ],
)
def test_two_accounts_of_one_mailbox_never_meet(magriel, hilde, one, other):
    magriel.email, hilde.email = one, other
    magriel.save()
    hilde.save()
    table = table_open(user=magriel, **PRIZE5)
    with pytest.raises(SamePerson):
        table_join(user=hilde, table_id=table.pk)
    assert not quick_pair(user=hilde, **PRIZE5).found
    assert not Match.objects.exists()


def test_accounts_without_an_address_are_not_taken_for_one_person(magriel, hilde):
    table = table_open(user=magriel, **PRIZE5)
    assert table_join(user=hilde, table_id=table.pk).phase == "roll"


# --- tables that close by themselves --------------------------------------------------------------
def test_tables_of_people_who_have_gone_close(magriel, hilde):
    gone = table_open(user=magriel, **PRIZE5)
    stays = table_open(user=hilde, **PRIZE5)
    assert tables_close_of([magriel.pk]) == 1
    assert tables_close_of([magriel.pk]) == 0
    gone.refresh_from_db()
    stays.refresh_from_db()
    assert (gone.phase, stays.phase) == ("closed", "open")
    with pytest.raises(TableFull):
        table_join(user=hilde, table_id=gone.pk)


def test_a_running_match_is_no_open_table(sitting, magriel):
    assert tables_close_of([magriel.pk]) == 0
    assert sitting.table.phase == "roll"


def test_a_table_that_its_opener_cannot_pay_any_more_closes(magriel, hilde):
    poor = table_open(user=magriel, mode="prize5", stake_cents=500)
    table_open(user=hilde, mode="prize5", stake_cents=500)
    free = table_open(user=_broke(), mode="normal")
    credits_spent(magriel, 9_900)
    assert tables_close_unpayable() == 1
    assert Table.objects.get(pk=poor.pk).phase == "closed"
    assert Table.objects.get(pk=free.pk).phase == "open"


def _broke():
    from accounts.models import User

    user = User.objects.create_user("broke")
    credits_spent(user, 10_000)
    return user


# --- open tables ----------------------------------------------------------------------------------
At = Callable[[str], Client]
WISHES: tuple[dict[str, Any], ...] = (
    {"mode": "normal"},
    {"mode": "normal", "variant": "nackgammon"},
    {"mode": "prize5", "stake_cents": 500},
    {"mode": "match", "target_points": 3},
    {"mode": "stake", "stake_cents": 900, "variant": "nackgammon"},
    {"mode": "prize3", "stake_cents": 250},
)


@pytest.fixture
def waiting(at: At) -> list[Table]:
    """Six tables of six people, the oldest first; every second opener is strong for credits."""
    tables = []
    for number, wishes in enumerate(WISHES):
        user = User.objects.create_user(f"opener{number}")
        elo = 2000 if number % 2 else 1200
        for pool in ("prize", "nackgammon:prize"):
            Rating.objects.create(user=user, pool=pool, elo=elo, experience=100, games=20)
        tables.append(table_open(user=user, **wishes))
    return tables


@pytest.fixture
def of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of the list has two tables."""
    monkeypatch.setattr(page_of_lobby, "OPEN_TABLES_MAX", 2)


def shown(page: str) -> list[str]:
    """The tables on a page of the list, in its order."""
    return re.findall(r'data-table="([^"]+)"', page.partition("open-title")[2] or page)


def linked(page: str, which: str) -> str:
    """The address of the link to the next or the previous page; "" without one."""
    found = re.search(rf'rel="{which}" href="([^"]+)"', page)
    return found[1].replace("&amp;", "&") if found else ""


def test_a_filter_finds_a_table_behind_the_first_page(
    at: At, waiting: list[Table], of_two: None
) -> None:
    for name in ("lobby", "lobby_tables"):
        response = at("hilde").get(reverse(name), {"mode": "stake"})
        assert shown(response.content.decode()) == [str(waiting[4].pk)]
        assert "5 more tables do not fit the filters." in text_of(response)


def test_the_pages_show_every_table_once_and_lead_back(
    at: At, waiting: list[Table], of_two: None
) -> None:
    browser, seen, address = at("hilde"), [], "?"
    while address:
        page = browser.get(reverse("lobby") + address).content.decode()
        seen.append(shown(page))
        assert "6 open tables" in page
        address = linked(page, "next")
    every = [str(table.pk) for table in waiting]
    assert seen == [every[:2], every[2:4], every[4:]]
    page = browser.get(reverse("lobby") + linked(page, "prev")).content.decode()
    assert shown(page) == every[2:4]
    page = browser.get(reverse("lobby"), {"until": END}).content.decode()
    assert shown(page) == every[4:]


def test_a_later_page_stays_where_it_is_when_the_list_is_fetched_again(
    at: At, waiting: list[Table], of_two: None
) -> None:
    browser = at("hilde")
    place = OPEN.mark(waiting[1])
    asked = {"after": place, "mode": ""}
    page = browser.get(reverse("lobby"), asked).content.decode()
    assert f'<input type="hidden" name="after" value="{place}" data-place>' in page
    again = browser.get(reverse("lobby_tables"), asked)
    assert shown(again.content.decode()) == shown(page) == [str(t.pk) for t in waiting[2:4]]
    assert again.headers["HX-Replace-Url"] == f"{reverse('lobby')}?after={place}"


def test_ones_own_table_is_listed_whatever_the_filters_say(at: At, waiting: list[Table]) -> None:
    own = at("opener0").get(reverse("lobby"), {"variant": "nackgammon"}).content.decode()
    assert shown(own) == [str(waiting[number].pk) for number in (0, 1, 4)]


@pytest.mark.parametrize("elo", [1200, 1500, 2000])
def test_near_is_near_in_the_game_of_the_table(waiting: list[Table], hilde: User, elo: int) -> None:
    """The database's condition finds what follows from the strengths one by one."""
    Rating.objects.create(user=hilde, pool="nackgammon:prize", elo=elo, experience=100, games=20)
    strengths = settlement.strengths_in(GAME_NAMES, hilde.pk)
    expected = []
    for table in tables_open():
        terms = table_terms(table)
        pool = settlement.rating_pool(variant=terms.game_key, stake_cents=terms.stake_cents)
        own = settlement.strength_of(settlement.standings([hilde.pk], pool)[hilde.pk])
        if abs(own - table.people[0]["strength"]) <= 1:
            expected.append(table)
    found = Sought(strengths=strengths)
    assert list(tables_sought(found)) == expected
    assert 0 < len(expected) < len(waiting)
    assert tables_counted(found) == (len(expected), len(waiting) - len(expected))


def test_the_tiles_count_all_tables_but_ones_own(
    at: At, waiting: list[Table], of_two: None
) -> None:
    """The match to three points is the fourth of the list."""
    for name, count in (("hilde", 1), ("opener3", 0)):
        rows = at(name).get(reverse("quick")).context["quick"]["rows"]
        counts = {tile["value"]: tile["waiting"] for row in rows for tile in row["tiles"]}
        assert counts["3:normal"] == count
        tiles = at(name).get(reverse("lobby")).context["tiles"]
        assert [tile["waiting"] for tile in tiles if len(tile["stones"]) == 3] == [count]


def test_a_quick_pairing_finds_the_table_behind_others_of_its_mode(
    waiting: list[Table], hilde: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables before it are of the same mode and game, with another length."""
    monkeypatch.setattr(services_lobby, "CANDIDATES_MAX", 1)
    wanted = table_open(user=User.objects.create_user("late"), mode="match", target_points=7)
    found = quick_pair(user=hilde, mode="match", target_points=7)
    assert (found.found, found.table.pk) == (True, wanted.pk)


def test_play_now_takes_the_clock_of_whoever_waits_longest(at: At, waiting: list[Table]) -> None:
    """However many tables with other rules stand before theirs."""
    for number in range(25):
        user = User.objects.create_user(f"slow{number}")
        table_open(user=user, mode="match", target_points=5, clock="slow")
    table_open(user=User.objects.create_user("late"), mode="match", target_points=1, clock="fast")
    hilde = User.objects.get(username="hilde")
    game = {"mode": "match", "variant": "backgammon", "target_points": 1}
    assert clock_waiting(hilde, game) == "fast"


# --- watchers -------------------------------------------------------------------------------------
def logged_in(user) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("form", "welcome"),
    [
        ({}, True),
        ({"private": "on"}, False),
        ({"watchers": "no"}, False),
        ({"private": "on", "watchers": "yes"}, True),
    ],
)
def test_watchers_are_welcome_unless_the_table_is_private_or_the_opener_says_no(
    magriel, form, welcome
):
    data = {"mode": "prize5", "stake_cents": 250, "clock": "normal", **form}
    answer = logged_in(magriel).post(reverse("table_open"), data)
    assert answer.status_code == 302, answer.content.decode()
    assert table_state(Table.objects.get()).terms.watchers is welcome


def test_a_table_without_watchers_is_for_its_players_alone(magriel, hilde, tilo):
    table = table_open(user=magriel, mode="normal", watchers=False)
    page = reverse("table", args=[table.pk])
    assert "no watchers" in logged_in(hilde).get(reverse("lobby")).content.decode()
    join = reverse("table_join", args=[table.pk])
    assert "no watchers" in logged_in(hilde).get(join).content.decode()
    assert logged_in(hilde).get(page)["location"] == join
    table_join(user=hilde, table_id=table.pk)
    for player in (magriel, hilde):
        assert logged_in(player).get(page).status_code == 200
    for reader in (logged_in(tilo), Client(headers={"accept-language": "en"})):
        refused = reader.get(page)
        assert refused.status_code == 403
        assert "without watchers" in refused.content.decode()


def test_quick_pairing_keeps_apart_who_wants_watchers_and_who_does_not(magriel, hilde):
    table_open(user=magriel, mode="normal", watchers=False)
    assert not quick_pair(user=hilde, mode="normal").found
