"""Closed clubs: what members alone see at every address and socket, founders, invitations."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import WordsReport
from games.services.chat import room_say
from harness.tournaments import called, entered
from tests.aging import rows_age
from tests.api.conftest import Program
from tests.security.addresses import path_of, walk
from tests.tournaments.test_live import at, close_code, opened, received
from tests.tournaments.test_pages import client_of
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import (
    FounderStays,
    InvitationRefused,
    InvitationsTooMany,
    InvitedTooOften,
    MembersOnly,
)
from tournaments.models import Club, ClubInvitation, Membership
from tournaments.selectors import clubs
from tournaments.services.club_talk import ClubRoom
from tournaments.services.clubs import (
    RECEIVED_A_DAY_MAX,
    SENT_A_DAY_MAX,
    UNANSWERED_MAX,
    club_found,
    club_join,
    club_leave,
    is_member,
    member_invite,
    member_set,
)
from tournaments.services.entering import meeting_ready, tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on

ABOUT, EVENING, COMING, SAID = "wewhoplayinsecret", "Hidden evening", "Hidden morning", "atmyplace"
#: what nobody else may read anywhere; the names of members are public elsewhere
SECRETS = (ABOUT, EVENING, COMING, SAID)


@pytest.fixture
def house(people: Callable[..., list[User]], dice: Any) -> SimpleNamespace:
    """A closed club with a running and a coming tournament, a member, and people outside."""
    founder, member, asked, invited, stranger = people(5, 0)
    club = club_found(user=founder, name="Cellar", about=ABOUT, is_open=False)
    for user in (member, asked):
        club_join(user=user, club_id=club.pk)
    member_set(director=founder, club_id=club.pk, user_id=member.pk, standing="member")
    member_invite(director=founder, club_id=club.pk, name=invited.username)
    said = room_say(ClubRoom(club.pk), user_id=member.pk, client_id="1", text=SAID)
    terms = TournamentTerms("knockout", length=1, least=2, most=2)
    running = tournament_hold(founder=founder, name=EVENING, terms=terms, club=club)
    entered(running, (founder, member))
    (meeting,) = called(running)
    for user in (founder, member):
        meeting_ready(user=user, tournament_id=running.pk)
    meeting.refresh_from_db()
    begins = timezone.now() + timedelta(hours=1)
    terms = TournamentTerms("knockout", length=1, least=2, most=4)
    coming = tournament_hold(founder=founder, name=COMING, terms=terms, club=club, starts_at=begins)
    outside = {"asked": asked, "invited": invited, "stranger": stranger, "visitor": None}
    return SimpleNamespace(
        club=club, founder=founder, member=member, outside=outside, line=said.pk,
        running=running, coming=coming, table=meeting.table_id,
    )  # fmt: skip


def routes(*parts: str) -> Iterator[str]:
    """The addresses whose parts are exactly of these kinds."""
    for route, _name in walk():
        if not route.startswith(("desk/", "admin/")) and "(?" not in route:
            named = {each.partition(">")[0] for each in route.split("<")[1:]}
            if named == set(parts) and "static" not in route:
                yield route


def about_club(house: SimpleNamespace) -> list[str]:
    """Every address of the club and of its tournaments, pages and programs' alike."""
    known = {"uuid:club_id": str(house.club.pk), "int:number": str(house.line)}
    found = [
        path_of(route, known)
        for parts in (("uuid:club_id",), ("uuid:club_id", "int:number"))
        for route in routes(*parts)
    ]
    for tournament in (house.running, house.coming):
        for kind in ("json", "csv", "trf"):
            known = {"uuid:tournament_id": str(tournament.pk), "slug:kind": kind}
            for parts in (("uuid:tournament_id",), ("uuid:tournament_id", "slug:kind")):
                found += [path_of(route, known) for route in routes(*parts)]
    return sorted({*found})


@pytest.mark.parametrize("name", ["asked", "invited", "stranger", "visitor"])
def test_no_address_of_a_closed_club_tells_those_outside(house: SimpleNamespace, name: str) -> None:
    outsider = client_of(house.outside[name])
    addresses = about_club(house)
    assert len(addresses) >= 20
    for address in addresses:
        answer = outsider.get(address)
        text = answer.content.decode()
        for secret in (*SECRETS, house.founder.username, house.member.username):
            assert secret not in text, (address, secret)
        if "tournaments" in address and answer.status_code not in (302, 401, 403, 405):
            assert answer.status_code == 404, address
    member = client_of(house.member)
    pages = "".join(member.get(address).content.decode() for address in addresses)
    for secret in (*SECRETS, house.founder.username):
        assert secret in pages, secret


@pytest.mark.slow
def test_no_list_search_or_calendar_names_what_belongs_to_a_closed_club(
    house: SimpleNamespace,
) -> None:
    lists = [path_of(route, {}) for route in routes() if "logout" not in route]
    lists += [f"/tournaments/?tab={tab}" for tab in ("coming", "running", "finished", "mine")]
    lists += ["/clubs/?search=cell", reverse("table", args=[house.table])]
    assert len(lists) > 50
    for name in ("stranger", "visitor"):
        reader = client_of(house.outside[name])
        for address in lists:
            answer = reader.get(address)
            text = b"" if answer.streaming else answer.content
            for secret in (*SECRETS, "Cellar"):
                assert secret.encode() not in text, (address, secret)
    assert clubs(house.outside["stranger"].pk) == []
    assert [each.name for each in clubs(house.member.pk)] == ["Cellar"]
    member = client_of(house.member)
    assert "Cellar" in member.get("/clubs/?search=cell").content.decode()
    assert COMING in member.get("/tournaments/").content.decode()
    assert EVENING in member.get(reverse("table", args=[house.table])).content.decode()


def test_forms_and_programs_outside_change_nothing(house: SimpleNamespace) -> None:
    stranger = house.outside["stranger"]
    page, program = client_of(stranger), Program(stranger)
    for wish in ("enter", "withdraw", "ready"):
        address = f"/tournaments/{house.coming.pk}/act/"
        assert page.post(address, {"wish": wish}).status_code == 404
        answer = program.post(f"tournaments/{house.coming.pk}/{wish}/", {})
        assert answer.status_code == 404, wish
    address = f"/tournaments/{house.coming.pk}/direct/"
    assert page.post(address, {"wish": "call_off"}).status_code == 404
    with pytest.raises(MembersOnly):
        tournament_enter(user=stranger, tournament_id=house.coming.pk)
    page.post(f"/clubs/{house.club.pk}/report/", {"reason": "spam", "words": "so often"})
    assert (WordsReport.objects.get().said, WordsReport.objects.get().about) == ("Cellar", "")


def test_no_socket_of_its_tournaments_opens_to_those_outside(
    live: str, house: SimpleNamespace
) -> None:
    for reader in house.outside.values():
        with opened(live, at(house.coming), reader) as socket:
            assert close_code(socket) == 4404
    with opened(live, at(house.coming), house.member) as socket:
        assert received(socket)["type"] == "changed"


def test_a_socket_ends_with_the_membership(live: str, house: SimpleNamespace) -> None:
    with opened(live, at(house.coming), house.member) as socket:
        assert received(socket)["type"] == "changed"
        club_leave(user=house.member, club_id=house.club.pk)
        tournament_enter(user=house.founder, tournament_id=house.coming.pk)
        assert close_code(socket) == 4404


def test_who_has_entered_sees_the_tournament_after_leaving_the_club(house: SimpleNamespace) -> None:
    tournament_enter(user=house.member, tournament_id=house.coming.pk)
    club_leave(user=house.member, club_id=house.club.pk)
    reader = client_of(house.member)
    assert reader.get(f"/tournaments/{house.coming.pk}/").status_code == 200
    assert ABOUT not in reader.get(f"/clubs/{house.club.pk}/").content.decode()
    tournament_move_on(house.coming.pk)


def test_people_outside_get_the_name_and_can_ask(house: SimpleNamespace) -> None:
    address = f"/clubs/{house.club.pk}/"
    stranger = client_of(house.outside["stranger"])
    text = stranger.get(address).content.decode()
    assert "Cellar" in text
    assert "Ask to join" in text
    stranger.post(f"{address}act/", {"wish": "join"})
    assert "Take the request back" in stranger.get(address).content.decode()
    invited = client_of(house.outside["invited"])
    assert "Accept the invitation" in invited.get(address).content.decode()
    invited.post(f"{address}act/", {"wish": "join"})
    assert ABOUT in invited.get(address).content.decode()
    assert "Log in to join" in Client().get(address).content.decode()


def test_nobody_takes_the_founder_out(house: SimpleNamespace) -> None:
    club, founder, member = house.club, house.founder, house.member
    member_set(director=founder, club_id=club.pk, user_id=member.pk, standing="director")
    for standing in ("", "member"):
        with pytest.raises(FounderStays):
            member_set(director=member, club_id=club.pk, user_id=founder.pk, standing=standing)
    page = client_of(member)
    wish = {"wish": "out", "person": founder.pk}
    answer = page.post(f"/clubs/{club.pk}/act/", wish, follow=True).content.decode()
    assert "The founder of a club decides alone" in answer
    assert f'name="person" value="{founder.pk}"' not in answer
    assert is_member(club.pk, founder.pk)
    member_set(director=founder, club_id=club.pk, user_id=founder.pk, standing="member")
    club_leave(user=founder, club_id=club.pk)
    assert not is_member(club.pk, founder.pk)


def test_an_inviter_and_an_invited_person_have_quotas(people: Callable[..., list[User]]) -> None:
    director, *others = people(SENT_A_DAY_MAX + 2, 0)
    club = club_found(user=director, name="Eager")
    for user in others[:-1]:
        member_invite(director=director, club_id=club.pk, name=user.username)
    with pytest.raises(InvitationsTooMany):
        member_invite(director=director, club_id=club.pk, name=others[-1].username)
    # taking invitations back and sending them again does not help
    member_set(director=director, club_id=club.pk, user_id=others[0].pk, standing="")
    with pytest.raises(InvitationsTooMany):
        member_invite(director=director, club_id=club.pk, name=others[0].username)
    for number, inviter in enumerate(others[1 : 1 + RECEIVED_A_DAY_MAX]):
        own = club_found(user=inviter, name=f"Other {number}")
        if number < RECEIVED_A_DAY_MAX - 1:
            member_invite(director=inviter, club_id=own.pk, name=others[0].username)
        else:
            with pytest.raises(InvitedTooOften):
                member_invite(director=inviter, club_id=own.pk, name=others[0].username)
    rows_age(ClubInvitation.objects.all(), made_at=timezone.now() - timedelta(days=2))
    member_invite(director=director, club_id=club.pk, name=others[-1].username)


def test_so_many_invitations_wait_for_one_person(people: Callable[..., list[User]]) -> None:
    director, person, other = people(3, 0)
    rows = [
        Membership(club=Club.objects.create(name=f"C{n}", founder=director), user=person,
                   standing="invited")
        for n in range(UNANSWERED_MAX)
    ]  # fmt: skip
    Membership.objects.bulk_create(rows)
    club = club_found(user=other, name="One more")
    with pytest.raises(InvitedTooOften):
        member_invite(director=other, club_id=club.pk, name=person.username)


def test_a_refusal_holds_until_the_person_asks(people: Callable[..., list[User]]) -> None:
    director, other, person = people(3, 0)
    club = club_found(user=director, name="Please", is_open=False)
    club_join(user=other, club_id=club.pk)
    member_set(director=director, club_id=club.pk, user_id=other.pk, standing="director")
    member_invite(director=director, club_id=club.pk, name=person.username)
    club_leave(user=person, club_id=club.pk)
    rows_age(ClubInvitation.objects.all(), made_at=timezone.now() - timedelta(days=400))
    for inviter in (director, other):
        with pytest.raises(InvitationRefused):
            member_invite(director=inviter, club_id=club.pk, name=person.username)
    page = client_of(director)
    wish = {"wish": "invite", "person": person.username}
    text = page.post(f"/clubs/{club.pk}/act/", wish, follow=True).content.decode()
    assert "has refused an invitation" in text
    club_join(user=person, club_id=club.pk)
    club_leave(user=person, club_id=club.pk)
    member_invite(director=director, club_id=club.pk, name=person.username)
