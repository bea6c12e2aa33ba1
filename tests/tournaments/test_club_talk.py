"""The talk of a club: who reads and writes it, what its directors take away, reports, the page."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
import requests
from django.db import connection, transaction

from accounts.models import User
from accounts.roles import Role, role_give
from games.models import ChatMessage, Mute, WordsReport
from games.services.chat import free_text_set, mute_set, room_say
from games.services.chat_reports import NoSuchMessage, room_report
from harness.logins import session_cookie
from tests.racing import wait_for_a_waiter
from tests.tournaments.test_pages import client_of
from tournaments.errors import NoSuchClub, NotDirector
from tournaments.models import Club
from tournaments.services.club_talk import ClubRoom, NotMember, line_remove
from tournaments.services.clubs import club_found, club_join, club_leave, member_set


def say(club: Club, user: User, text: str) -> ChatMessage:
    room = ClubRoom(club.pk)
    return room_say(room, user_id=user.pk, client_id=str(uuid4()), text=text)


def page(user: User | None, address: str) -> tuple[int, str]:
    answer = client_of(user).get(address)
    return answer.status_code, answer.content.decode()


def post(live: str, user: User, address: str, **form: str) -> requests.Response:
    """What a browser gets for a form, after the redirect."""
    token = "x" * 32
    name, value = session_cookie(user)
    with requests.Session() as http:
        http.cookies.update({name: value, "csrftoken": token})
        http.headers.update({"Origin": live, "Referer": live, "Accept-Language": "en"})
        return http.post(live + address, data={"csrfmiddlewaretoken": token, **form})


@contextmanager
def line_goes_after_one_look(line: ChatMessage) -> Iterator[None]:
    """A director removes the line as soon as this connection has read it once."""
    looked = False

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal looked
        found = execute(sql, *rest)
        if not looked and sql.startswith("SELECT") and 'FROM "games_chatmessage"' in sql:
            looked = True
            ChatMessage.objects.filter(pk=line.pk).delete()
        return found

    with connection.execute_wrapper(look):
        yield
    assert looked


@pytest.fixture
def closed(people) -> tuple[Club, User, User, User]:
    """A closed club with a director and a member, and somebody who has asked to join."""
    one, two, three = people(3)
    club = club_found(user=one, name="Closed", is_open=False)
    for user in (two, three):
        club_join(user=user, club_id=club.pk)
    member_set(director=one, club_id=club.pk, user_id=two.pk, standing="member")
    return club, one, two, three


def test_members_alone_read_and_write_in_a_closed_club(closed):
    club, one, two, three = closed
    said = say(club, two, "eight o'clock")
    with pytest.raises(NotMember):
        say(club, three, "let me in")
    with pytest.raises(NoSuchClub):
        room_say(ClubRoom(uuid4()), user_id=two.pk, client_id="x", text="nowhere")
    address = f"/clubs/{club.pk}/"
    for user, reads in ((one, True), (two, True), (three, False), (None, False)):
        status, text = page(user, address)
        assert (status, "eight o&#x27;clock" in text) == (200, reads)
        status, text = page(user, f"{address}talk/")
        assert (status, "eight o&#x27;clock" in text) == (200 if reads else 286, reads)
    assert page(three, f"{address}talk/{said.pk}/")[0] == 404
    with pytest.raises(NoSuchMessage):
        room_report(ClubRoom(club.pk), user_id=three.pk, message_id=said.pk, reason="spam")
    club_leave(user=two, club_id=club.pk)
    assert page(two, f"{address}talk/?seen=1-1-1") == (286, "")  # htmx empties it, and asks no more
    assert page(two, f"/clubs/{uuid4()}/talk/")[0] == 404


def test_everybody_reads_an_open_club_and_members_write(people):
    one, two = people(2)
    club = club_found(user=one, name="Open")
    say(club, one, "welcome")
    for user in (two, None):
        status, text = page(user, f"/clubs/{club.pk}/talk/")
        assert (status, "welcome" in text) == (200, True)
    with pytest.raises(NotMember):
        say(club, two, "hello")


def test_directors_take_a_line_away_and_a_report_keeps_it(closed):
    club, one, two, _three = closed
    said, own = say(club, two, "rude"), say(club, one, "now, now")
    room_report(ClubRoom(club.pk), user_id=one.pk, message_id=said.pk, reason="insult")
    with pytest.raises(NotDirector):
        line_remove(director_id=two.pk, club_id=club.pk, message_id=own.pk)
    line_remove(director_id=one.pk, club_id=club.pk, message_id=said.pk)
    with pytest.raises(NoSuchMessage):
        line_remove(director_id=one.pk, club_id=club.pk, message_id=said.pk)
    elsewhere = club_found(user=two, name="Elsewhere")
    with pytest.raises(NoSuchMessage):
        line_remove(director_id=two.pk, club_id=elsewhere.pk, message_id=own.pk)
    assert list(ChatMessage.objects.all()) == [own]
    assert WordsReport.objects.get().said == "rude"


def test_the_page_says_reports_mutes_and_removes(closed):
    club, one, two, _three = closed
    address, member, director = f"/clubs/{club.pk}/", client_of(two), client_of(one)
    form = {"form": "a", "text": "  who   plays? "}
    for _ in range(2):  # sent twice, it is said once
        assert member.post(f"{address}say/", form).headers["Location"] == f"{address}#talk"
    said = ChatMessage.objects.get()
    assert said.text == "who plays?"
    line = f"{address}talk/{said.pk}/"
    assert "who plays?" in director.get(line).content.decode()
    report = {"wish": "report", "reason": "spam", "words": "again"}
    director.post(line, report)
    assert WordsReport.objects.get().subject == f"club:{club.pk}"
    own = say(club, one, "nobody")
    member.post(f"{address}talk/{own.pk}/", {"wish": "mute"})
    assert "nobody" not in member.get(address).content.decode()
    assert member.get(f"{address}talk/{own.pk}/").status_code == 404
    member.post(line, {"wish": "remove"})
    assert ChatMessage.objects.count() == 2
    director.post(line, {"wish": "remove"})
    assert ChatMessage.objects.get() == own


@pytest.mark.parametrize("choice", ["mute", "phrases only"])
def test_directors_find_and_remove_lines_that_they_chose_not_to_see(closed, choice):
    club, one, two, three = closed
    member_set(director=one, club_id=club.pk, user_id=three.pk, standing="member")
    said = say(club, two, "rude")
    for user in (one, three):
        if choice == "mute":
            mute_set(user_id=user.pk, person_id=two.pk, on=True)
        else:
            free_text_set(user_id=user.pk, on=False)
    address, director = f"/clubs/{club.pk}/", client_of(one)
    line = f"{address}talk/{said.pk}/"
    assert "rude" not in page(three, address)[1]
    assert page(three, line)[0] == 404
    shown = page(one, address)[1]
    hidden = shown.partition("club-lines")[2].partition("<details>")[2].partition("</details>")[0]
    assert "rude" in hidden
    assert shown.count("rude") == 1
    assert f'href="{line}"' in shown
    assert 'id="club-news"' not in page(one, f"{address}talk/?seen=0-0-0")[1]
    assert "rude" in director.get(line).content.decode()
    director.post(line, {"wish": "remove"})
    assert not ChatMessage.objects.exists()


def test_an_author_is_muted_whose_line_goes_at_this_moment(closed):
    club, one, two, _three = closed
    said, member = say(club, one, "rude"), client_of(two)
    with line_goes_after_one_look(said):
        answer = member.post(f"/clubs/{club.pk}/talk/{said.pk}/", {"wish": "mute"})
    assert answer.status_code == 302
    assert Mute.objects.get(owner=two).muted == one
    assert member.post(f"/clubs/{club.pk}/talk/{said.pk}/", {"wish": "mute"}).status_code == 404


def test_a_report_of_a_line_that_is_just_removed_is_refused_in_words(live, closed):
    club, one, two, _three = closed
    said = say(club, one, "rude")
    line = f"/clubs/{club.pk}/talk/{said.pk}/"
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        line_remove(director_id=one.pk, club_id=club.pk, message_id=said.pk)
        answer = pool.submit(post, live, two, line, wish="report", reason="insult")
        wait_for_a_waiter()
    assert answer.result().status_code == 200
    assert "This message no longer exists." in answer.result().text
    assert not WordsReport.objects.exists()


def test_a_line_that_is_just_reported_is_removed_after_that(live, closed):
    club, one, two, _three = closed
    said = say(club, one, "rude")
    line = f"/clubs/{club.pk}/talk/{said.pk}/"
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        room_report(ClubRoom(club.pk), user_id=two.pk, message_id=said.pk, reason="insult")
        answer = pool.submit(post, live, one, line, wish="remove")
        wait_for_a_waiter()
    assert answer.result().status_code == 200
    assert "The message is gone." in answer.result().text
    report = WordsReport.objects.get()
    assert (report.said, report.message) == ("rude", None)


def test_two_equal_reports_at_the_same_moment_make_one(live, closed):
    club, one, two, _three = closed
    said = say(club, one, "rude")
    line = f"/clubs/{club.pk}/talk/{said.pk}/"
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        room_report(ClubRoom(club.pk), user_id=two.pk, message_id=said.pk, reason="insult")
        answer = pool.submit(post, live, two, line, wish="report", reason="insult")
        wait_for_a_waiter()
    assert answer.result().status_code == 200
    assert WordsReport.objects.count() == 1


def test_the_desk_names_the_club_of_a_report(closed, settings):
    settings.STAFF_SECOND_FACTOR = False
    club, one, two, three = closed
    said = say(club, one, "rude")
    report = room_report(ClubRoom(club.pk), user_id=two.pk, message_id=said.pk, reason="insult")
    role_give(three, Role.MODERATOR)
    answer = client_of(three).get(f"/desk/reports/{report.pk}/", headers={"Accept-Language": "en"})
    text = answer.content.decode()
    assert (answer.status_code, f"/clubs/{club.pk}/" in text) == (200, True)
    assert "To the club" in text
    assert "To the table" not in text


def test_the_polled_part_is_empty_until_something_changes(closed):
    club, one, two, _three = closed
    first, last = say(club, two, "first"), say(club, two, "second")
    part, reader = f"/clubs/{club.pk}/talk/", client_of(one)
    seen = f"{last.pk}-{first.pk}-2"
    assert reader.get(f"{part}?seen={seen}").status_code == 204
    say(club, two, "third")
    news = reader.get(f"{part}?seen={seen}").content.decode()
    announced = news.partition('id="club-news"')[2]
    assert "third" in announced
    assert "second" not in announced
    line_remove(director_id=one.pk, club_id=club.pk, message_id=first.pk)
    assert reader.get(f"{part}?seen={seen}").status_code == 200


@pytest.mark.parametrize("number", ["9" * 5000, "²", "-1"])
def test_a_number_that_is_none_is_taken_for_none(closed, number):
    club, one, *_ = closed
    say(club, one, "eight o'clock")
    status, text = page(one, f"/clubs/{club.pk}/talk/?seen={number}")
    assert status == 200
    assert "eight o" in text
    answer = client_of(one).post(f"/clubs/{club.pk}/act/", {"wish": "member", "person": number})
    assert answer.status_code < 500
