"""The pages of players: profile, list of matches, two players compared."""

import re
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Match, PlayerMatch
from games.services.figures import figures_make
from harness.logins import logged_in
from pasch.pages.players import MATCH_ROWS, RECENT
from ratings.chart import POINTS_MAX
from ratings.models import Rating, RatingChange
from tests.aging import guards_off
from tests.services.endings import NORMAL
from tests.services.test_figures import resigned, scripted

__all__ = ["scripted"]

pytestmark = pytest.mark.django_db(transaction=True)


def page(client: Client, address: str, *people: str, **asked: str) -> str:
    answer = client.get(reverse(address, args=people), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def listed(shown: str) -> list[str]:
    """The ids of the matches that a page lists, in order."""
    return re.findall(r'<td><a href="/match/([0-9a-f-]{36})/">', shown)


def copies(match: Match, count: int) -> list[Match]:
    """As many more matches like this one, each a minute later than the last."""
    rows = []
    for number in range(1, count + 1):
        later = match.ended_at + timedelta(minutes=number)
        rows.append(Match(
            table=match.table, number=number + 1, mode=match.mode, variant=match.variant,
            player_0=match.player_0, player_1=match.player_1, stake_cents=0, terms=match.terms,
            winner_seat=0, ending="resigned", score=[1, 0], started_at=later, ended_at=later,
        ))  # fmt: skip
    Match.objects.bulk_create(rows)
    sides = [
        PlayerMatch(
            match=row, seat=seat, player_id=row.players[seat], opponent_id=row.players[1 - seat],
            is_open=True, ended_at=row.ended_at,
        )
        for row in rows
        for seat in (0, 1)
    ]  # fmt: skip
    PlayerMatch.objects.bulk_create(sides)
    return rows


def test_profile_shows_what_was_played(client: Client, magriel: User, hilde: User) -> None:
    match = resigned(magriel, hilde)
    figures_make()
    shown = page(client, "player", "magriel")
    assert "100% won" in shown
    assert listed(shown) == [str(match.pk)]
    assert 'href="/player/magriel/vs/hilde/"' in shown
    assert "rating-chart" in shown, "the chart shows the first pool with a rating"
    assert "rating-chart" not in page(client, "player", "magriel", pool="prize")
    for span in ("3m", "1y", "all", "nonsense"):
        assert "rating-chart" in page(client, "player", "magriel", pool="normal", span=span)


def test_profile_takes_the_same_few_queries_however_many_matches(
    client: Client, magriel: User, hilde: User
) -> None:
    match = resigned(magriel, hilde)
    figures_make()
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            page(client, "player", "magriel")
        counts.append(len(asked))
        if len(counts) == 1:
            copies(match, 40)
    assert counts == [11, 11]
    assert len(listed(page(client, "player", "magriel"))) == RECENT


def move(match: Match, day: date) -> None:
    """Let this match have ended and been rated on this day."""
    match.ended_at = datetime.combine(day, time(20), UTC)
    with guards_off():
        match.save()
        PlayerMatch.objects.filter(match=match).update(ended_at=match.ended_at)
        RatingChange.objects.filter(reference=match.reference).update(created=match.ended_at)


def drawn(client: Client, name: str = "magriel") -> list[tuple[str, int]]:
    """The days and ratings of the line on a player's page; the first is the day before."""
    shown = page(client, "player", name, pool="normal")
    found = re.search(r'data-start="([\d-]+)" data-days="([\d ]+)" data-elos="([\d ]+)"', shown)
    assert found, "no line"
    start, days, elos = date.fromisoformat(found[1]), found[2].split(), found[3].split()
    return [
        (str(start + timedelta(days=int(day))), int(elo))
        for day, elo in zip(days, elos, strict=True)
    ]


def test_the_line_has_no_day_of_a_private_match(
    client: Client, magriel: User, hilde: User, tilo: User
) -> None:
    """Others see its effect on the next day that they may see, at the latest today."""
    private = {**NORMAL, "private": True}
    played = [resigned(magriel, hilde, **wishes) for wishes in (NORMAL, private, NORMAL, private)]
    figures_make()
    days = [date(2026, 3, number) for number in (2, 5, 9, 12)]
    for match, day in zip(played, days, strict=True):
        move(match, day)
    own = Client()
    own.force_login(magriel)
    line, today = drawn(own), str(datetime.now(UTC).date())
    assert [day for day, _elo in line] == ["2026-03-01", *map(str, days)]
    for reader in (client, logged_in(Client(), tilo)):
        seen = drawn(reader)
        assert [day for day, _elo in seen] == ["2026-03-01", "2026-03-02", "2026-03-09", today]
        assert [elo for _day, elo in seen] == [line[number][1] for number in (0, 1, 3, 4)]
    assert drawn(logged_in(Client(), hilde), "magriel") == line


def test_of_many_days_some_are_drawn_and_always_the_last(
    client: Client, magriel: User, hilde: User
) -> None:
    match = resigned(magriel, hilde)
    figures_make()
    move(match, date(2024, 1, 1))
    rows = copies(match, 2 * POINTS_MAX + 10)
    changes = [
        RatingChange(
            reference=row.reference, kind="result", pool="normal", user=magriel, opponent=hilde,
            won=True, n=1, before=1500 + number, after=1501 + number, experience_before=number,
            experience_after=number + 1, sequence=number + 2,
            created=match.ended_at + timedelta(days=number + 1),
        )
        for number, row in enumerate(rows)
    ]  # fmt: skip
    with guards_off():
        RatingChange.objects.bulk_create(changes)
        Rating.objects.filter(user=magriel).update(elo=1500 + len(rows))
    line = drawn(client)
    assert POINTS_MAX // 2 < len(line) <= POINTS_MAX + 1
    assert line[-1] == (str(changes[-1].created.date()), 1500 + len(rows))
    days = [date.fromisoformat(day) for day, _elo in line]
    assert {(later - day).days for day, later in pairwise(days[1:])} == {3}


def test_pages_of_matches_follow_each_other_without_a_gap(
    client: Client, magriel: User, hilde: User
) -> None:
    match = resigned(magriel, hilde)
    figures_make()
    rows = [match, *copies(match, 2 * MATCH_ROWS + 3)]
    found, after = [], ""
    for _ in range(3):
        shown = page(client, "player_matches", "magriel", after=after)
        found += listed(shown)
        older = re.search(r'rel="next" href="\?after=([^"]+)"', shown)
        after = older[1] if older else ""
    assert found == [str(row.pk) for row in reversed(rows)]
    assert after == ""


MOMENT = "20260101T000000.000000"


@pytest.mark.parametrize(
    "after", ["x", MOMENT, f"{MOMENT}~-1", f"{MOMENT}~²", "9" * 11, "\x00", f"{MOMENT}~{'9' * 30}"]
)
def test_strange_places_show_the_newest(
    client: Client, magriel: User, hilde: User, after: str
) -> None:
    match = resigned(magriel, hilde)
    figures_make()
    assert listed(page(client, "player_matches", "magriel", after=after)) == [str(match.pk)]


@pytest.mark.slow
def test_private_matches_are_listed_for_their_players_only(
    client: Client, magriel: User, hilde: User, tilo: User
) -> None:
    match = resigned(magriel, hilde, **NORMAL, private=True)
    figures_make()
    addresses = (("player", "magriel"), ("player_matches", "magriel"),
                 ("player_versus", "magriel", "hilde"))  # fmt: skip
    for reader, sees in ((None, False), (tilo, False), (magriel, True), (hilde, True)):
        own = Client()
        if reader is not None:
            own.force_login(reader)
        for name, *people in addresses:
            shown = page(own, name, *people)
            assert (str(match.pk) in shown) is sees, (reader, name)
        versus = page(own, "player_versus", "magriel", "hilde")
        assert ("1 : 0" in versus) is sees


def test_two_players_are_compared_in_either_order(
    client: Client, magriel: User, hilde: User, tilo: User
) -> None:
    for _ in range(2):
        resigned(magriel, hilde)
    resigned(magriel, tilo)
    figures_make()
    assert "2 : 0" in page(client, "player_versus", "magriel", "hilde")
    assert "0 : 2" in page(client, "player_versus", "hilde", "magriel")
    assert "They have not met yet" in page(client, "player_versus", "hilde", "tilo")
    assert client.get("/player/MAGRIEL/vs/hilde/").url == "/player/magriel/vs/hilde/"
    assert client.get("/player/magriel/vs/magriel/").url == "/player/magriel/"
    assert client.get("/player/magriel/vs/?name=Hilde").url == "/player/magriel/vs/hilde/"
    asked = page(client, "player_compare", "magriel", name="nobody")
    assert "There is no other player with this name." in asked
    for name in ("nobody", "\x00"):
        assert client.get(f"/player/magriel/vs/{name}/").status_code == 404


def test_no_page_names_a_link_to_a_closed_account(
    client: Client, magriel: User, hilde: User
) -> None:
    resigned(magriel, hilde)
    figures_make()
    User.objects.filter(pk=hilde.pk).update(is_active=False)
    shown = page(client, "player", "magriel")
    assert "hilde" in shown
    assert 'href="/player/hilde/' not in shown
    assert 'href="/player/magriel/vs/hilde/' not in shown


def test_the_page_is_not_wider_than_a_phone(live: str, page: Any, magriel: User) -> None:
    for pool in ("normal", "russian:normal"):
        Rating.objects.create(user=magriel, pool=pool, elo=1500, games=1)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("", "ratings/"):
        page.goto(f"{live}/player/magriel/{path}?pool=normal")
        assert page.evaluate("document.documentElement.scrollWidth") == 390, path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "words"),
    [("de", ["Erste", "Zurück", "Weiter", "Letzte"]), ("en", ["First", "Back", "Next", "Last"])],
)
def test_the_links_through_a_list_fit_on_a_phone(
    live: str, page: Any, magriel: User, hilde: User, language: str, words: list[str]
) -> None:
    copies(resigned(magriel, hilde), 3 * MATCH_ROWS)
    figures_make()
    page.set_viewport_size({"width": 360, "height": 740})
    page.set_extra_http_headers({"accept-language": language})
    page.goto(f"{live}/player/magriel/matches/")
    links = page.locator(".pager a")
    assert [text.strip() for text in links.all_inner_texts()] == words[2:]
    links.first.click()
    page.wait_for_url("**/matches/?after=*")
    assert [text.strip() for text in links.all_inner_texts()] == words
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("link", name=words[3], exact=True).click()
    page.wait_for_url("**/matches/?until=end")
    assert [text.strip() for text in links.all_inner_texts()] == words[:2]
    page.get_by_role("link", name=words[0], exact=True).click()
    page.wait_for_url("**/matches/?")
    assert [text.strip() for text in links.all_inner_texts()] == words[2:]
