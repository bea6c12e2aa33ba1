"""Clubs: founding, coming in, directing, seasons, and names that moderators take away."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import OutgoingMail, User
from accounts.roles import Role, role_give
from games.models import WordsReport
from games.services.administration import MayNotDecide
from games.services.moderation import NothingToDecide, words_decide, words_shown
from games.table.errors import BadTerms
from harness.tournaments import called, entered, played
from ledger.models import JournalEntry
from tests.desk.conftest import at_desk
from tests.tournaments.test_pages import client_of
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import (
    ClubChanged,
    ClubNameTaken,
    ClubsTooMany,
    ClubWordsWithdrawn,
    LastDirector,
    MembersOnly,
    NotDirector,
)
from tournaments.models import Club, Membership, Tournament, WordsRemoval
from tournaments.seasons import points_of, season_began, season_of, season_table
from tournaments.selectors import season_lines
from tournaments.services.clubs import (
    club_found,
    club_join,
    club_leave,
    is_member,
    member_invite,
    member_set,
)
from tournaments.services.entering import tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.words import CLUB, club_describe, words_report, words_restore


def standing(club, user) -> str:
    found = Membership.objects.filter(club=club, user=user).first()
    return found.standing if found else ""


def test_everybody_joins_an_open_club(people):
    one, two = people(2)
    club = club_found(user=one, name="  Kreuzberg   Pips ")
    assert (club.name, standing(club, one)) == ("Kreuzberg Pips", "director")
    club_join(user=two, club_id=club.pk)
    club_join(user=two, club_id=club.pk)
    assert standing(club, two) == "member"
    club_leave(user=two, club_id=club.pk)
    assert standing(club, two) == ""


def test_a_closed_club_answers_requests_and_invites(people):
    one, two, three = people(3)
    club = club_found(user=one, name="Closed", is_open=False)
    club_join(user=two, club_id=club.pk)
    assert standing(club, two) == "asked"
    assert not is_member(club.pk, two.pk)
    with pytest.raises(NotDirector):
        member_set(director=two, club_id=club.pk, user_id=two.pk, standing="director")
    member_set(director=one, club_id=club.pk, user_id=two.pk, standing="member")
    assert is_member(club.pk, two.pk)
    member_invite(director=one, club_id=club.pk, name=three.username)
    member_set(director=one, club_id=club.pk, user_id=three.pk, standing="member")
    assert standing(club, three) == "invited"  # an invitation is theirs to accept
    club_join(user=three, club_id=club.pk)
    assert standing(club, three) == "member"
    with pytest.raises(BadTerms):
        member_invite(director=one, club_id=club.pk, name="nobody")


def test_a_club_keeps_a_director(people):
    one, two = people(2)
    club = club_found(user=one, name="Directed")
    club_join(user=two, club_id=club.pk)
    with pytest.raises(LastDirector):
        club_leave(user=one, club_id=club.pk)
    with pytest.raises(LastDirector):
        member_set(director=one, club_id=club.pk, user_id=one.pk, standing="member")
    member_set(director=one, club_id=club.pk, user_id=two.pk, standing="director")
    club_leave(user=one, club_id=club.pk)
    club_leave(user=two, club_id=club.pk)  # the last one may go


def test_names_are_taken_once_and_founders_found_three(people):
    one, two = people(2)
    for number in range(3):
        club_found(user=one, name=f"Club {number}")
    with pytest.raises(ClubsTooMany):
        club_found(user=one, name="Club 4")
    with pytest.raises(ClubNameTaken):
        club_found(user=two, name="CLUB 0")
    with pytest.raises(BadTerms):
        club_found(user=two, name=" x ")


def test_a_club_holds_a_swiss_for_its_members(people, dice):
    *four, stranger = people(5, 0)
    club = club_found(user=four[0], name="Swiss")
    for user in four[1:]:
        club_join(user=user, club_id=club.pk)
    terms = TournamentTerms("swiss", length=1, least=4, most=4, rounds=2)
    with pytest.raises(NotDirector):
        tournament_hold(founder=four[1], name="Evening", terms=terms, club=club)
    tournament = tournament_hold(
        founder=four[0], name="Evening", terms=terms, club=club, members_only=True
    )
    with pytest.raises(MembersOnly):
        tournament_enter(user=stranger, tournament_id=tournament.pk)
    entered(tournament, four)
    best = four[2]
    while meetings := called(tournament):
        for meeting in meetings:
            winner = best if best.pk in meeting.players else meeting.player_0
            played(meeting, winner)
    tournament.refresh_from_db()
    assert tournament.phase == "over"
    lines = season_lines(club, datetime.now(UTC))
    assert (lines[0].user_id, lines[0].points, lines[0].won) == (best.pk, 12, 1)
    assert [line.played for line in lines] == [1] * 4
    text = client_of(four[1]).get(reverse("club", args=[club.pk])).content.decode()
    assert "Evening" in text
    assert text.index(best.username) < text.index("Tournaments of the club")


@pytest.mark.parametrize(
    ("first", "last", "points"),
    [(1, 1, 12), (2, 2, 8), (3, 4, 5), (5, 8, 2), (6, 9, 1), (30, 30, 1)],
)
def test_points_of_places(first, last, points):
    assert points_of(first, last) == points


def test_the_season_is_a_quarter_and_its_table_sums_points():
    assert season_of(datetime(2026, 11, 25, tzinfo=UTC)) == (2026, 4)
    assert season_began(datetime(2026, 11, 25, tzinfo=UTC)) == datetime(2026, 10, 1, tzinfo=UTC)
    lines = season_table([(7, 1, 1), (8, 2, 2), (7, 3, 4), (9, 1, 1)])
    assert [(line.user_id, line.points, line.played, line.won) for line in lines] == [
        (7, 17, 2, 1), (9, 12, 1, 1), (8, 8, 1, 0),
    ]  # fmt: skip


def test_clubs_on_their_pages(people):
    one, two = people(2)
    founder, other = client_of(one), client_of(two)
    assert "No club so far" in Client().get("/clubs/").content.decode()
    answer = founder.post("/clubs/new/", {"name": "Pips", "about": "Tuesdays", "is_open": ""})
    club = Club.objects.get()
    address = reverse("club", args=[club.pk])
    assert answer.headers["Location"] == address
    act = reverse("club_act", args=[club.pk])
    assert "Ask to join" in other.get(address).content.decode()
    other.post(act, {"wish": "join"})
    assert "Take the request back" in other.get(address).content.decode()
    assert "Take in" in founder.get(address).content.decode()
    founder.post(act, {"wish": "member", "person": two.pk})
    assert "Leave the club" in other.get(address).content.decode()
    refused = other.post(act, {"wish": "out", "person": one.pk}, follow=True).content.decode()
    assert "Only a director can do this" in refused
    assert "Pips" in other.get("/clubs/?search=pip").content.decode()
    assert other.get("/clubs/?search=a%00b").status_code == 200
    assert founder.post(act, {"wish": "invite", "person": "a\0b"}).status_code == 302
    taken = other.post("/clubs/new/", {"name": "pips"}).content.decode()
    assert "Another club has this name." in taken
    form = founder.get(f"/tournaments/new/?club={club.pk}").content.decode()
    assert f'<option value="{club.pk}" selected>' in form
    wishes = {
        "name": "Tuesday", "format": "swiss", "variant": "backgammon", "length": 3,
        "clock": "normal", "most": 8, "begins": "30", "minutes": 45, "club": club.pk,
        "members_only": "on",
    }  # fmt: skip
    founder.post("/tournaments/new/", wishes)
    held = Tournament.objects.get()
    assert (held.club, held.members_only) == (club, True)
    other.post("/tournaments/new/", {**wishes, "name": "Mine"})
    assert Tournament.objects.get(name="Mine").club is None  # not a director: no such field
    page = reverse("tournament", args=[held.pk])
    assert "for members only" in other.get(page).content.decode()
    assert Client().get(page).status_code == 404


# --- names and descriptions -----------------------------------------------------------------------
BAD = "Vile Name"
#: one sign that stands for 18 letters
SIGN = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}"


@pytest.fixture
def moderator(transactional_db) -> User:
    user = User.objects.create_user("moderator")
    role_give(user, Role.MODERATOR)
    return user


@pytest.fixture
def club(people) -> Club:
    (founder,) = people(1)
    User.objects.filter(pk=founder.pk).update(email="founder@example.org", language="de")
    return club_found(user=founder, name=BAD, about="<i>vile words</i>")


def decided(club: Club, by: User, outcome: str = "both", reason: str = "insults") -> Club:
    club.refresh_from_db()
    shown = words_shown(CLUB, club)
    return words_decide(
        CLUB, actor=by, subject_id=club.pk, outcome=outcome, shown=shown, reason=reason
    )


def named(name: str) -> User:
    return User.objects.create_user(name)


def test_moderators_take_name_and_description_and_directors_receive_a_mail(club, moderator):
    report = words_report(CLUB, user=named("reader"), subject_id=club.pk, reason="insult")
    decided(club, moderator)
    club.refresh_from_db()
    assert (club.name, club.about, club.unnamed) == (f"Club {club.pk.hex[:4]}", "", True)
    report.refresh_from_db()
    assert (report.outcome, report.closed_by) == ("both", moderator)
    entry = JournalEntry.objects.get(verb="club.words")
    assert (entry.subject, entry.reason) == (f"club:{club.pk}", "insults")
    assert (entry.before["name"], entry.after["name"]) == (BAD, club.name)
    mail = OutgoingMail.objects.get(about=f"club:{club.pk}")
    assert mail.to == "founder@example.org"
    assert f"Er heißt vorerst {club.name}." in mail.body
    assert reverse("club_edit", args=[club.pk]) in mail.body


@pytest.mark.parametrize("again", [BAD, "VILE NAME", "V1le  Náme", "vile-name."])
def test_no_club_takes_the_name_again_until_it_is_given_back(club, moderator, again):
    decided(club, moderator, "name")
    founder, other = club.founder, named("other")
    with pytest.raises(ClubWordsWithdrawn):
        club_describe(director=founder, club_id=club.pk, about="", name=again)
    with pytest.raises(ClubWordsWithdrawn):
        club_found(user=other, name=again)
    removal = WordsRemoval.objects.get()
    words_restore(CLUB, actor=moderator, removal_id=removal.pk, reason="a mistake")
    club.refresh_from_db()
    assert (club.name, club.unnamed) == (BAD, False)
    with pytest.raises(NothingToDecide):
        words_restore(CLUB, actor=moderator, removal_id=removal.pk, reason="again")


def test_a_name_of_signs_that_stand_for_many_letters_is_taken_away(moderator):
    club = club_found(user=named("signs"), name=f"Vile words {SIGN * 11}")
    decided(club, moderator, "name")
    with pytest.raises(ClubWordsWithdrawn):
        club_found(user=named("other"), name=club.name)


def test_a_founder_who_left_does_not_decide(club, moderator):
    other = club_found(user=moderator, name="Of another person")
    words_report(CLUB, user=named("reader"), subject_id=other.pk, reason="insult")
    club_leave(user=moderator, club_id=other.pk)
    with pytest.raises(MayNotDecide):
        decided(other, moderator, "nothing")


def test_directors_choose_a_new_name_once_and_another_description(club, moderator):
    decided(club, moderator)
    founder = club.founder
    with pytest.raises(NotDirector):
        club_describe(director=named("other"), club_id=club.pk, about="", name="Mine")
    with pytest.raises(ClubWordsWithdrawn):
        club_describe(director=founder, club_id=club.pk, about="<I>Vile  words</I>!", name="Kind")
    club_found(user=named("second"), name="Taken")
    with pytest.raises(ClubNameTaken):
        club_describe(director=founder, club_id=club.pk, about="", name="taken")
    club_describe(director=founder, club_id=club.pk, about="kind words", name="Kind Name")
    club_describe(director=founder, club_id=club.pk, about="kinder words", name="Another Name")
    club.refresh_from_db()
    assert (club.name, club.about, club.unnamed) == ("Kind Name", "kinder words", False)
    words_restore(
        CLUB, actor=moderator, removal_id=WordsRemoval.objects.get().pk, reason="harmless"
    )
    club.refresh_from_db()
    assert (club.name, club.about) == ("Kind Name", "kinder words")  # chosen since: it stays


def test_a_name_that_was_chosen_meanwhile_is_not_taken(club, moderator):
    shown = words_shown(CLUB, club)
    decided(club, moderator, "name")
    club_describe(director=club.founder, club_id=club.pk, about=club.about, name="Kind Name")
    with pytest.raises(ClubChanged):
        words_decide(
            CLUB, actor=moderator, subject_id=club.pk, outcome="name", shown=shown, reason="insults"
        )
    decided(club, moderator, "about")
    with pytest.raises(NothingToDecide):
        decided(club, moderator, "about")


def test_on_the_pages_from_the_report_to_another_name(club, moderator, settings):
    settings.STAFF_SECOND_FACTOR = False
    User.objects.filter(pk=club.founder_id).update(language="en")
    reader, founder, desk = client_of(named("reader")), client_of(club.founder), at_desk(moderator)
    address, report = reverse("club", args=[club.pk]), reverse("club_report", args=[club.pk])
    edit = reverse("club_edit", args=[club.pk])
    assert report in reader.get(address).content.decode()
    assert report not in Client().get(address).content.decode()
    assert "<i>vile" not in reader.get(report).content.decode()
    assert reader.post(report, {"reason": "no"}).status_code == 200
    said = reader.post(report, {"reason": "insult", "words": "a\0b"}, follow=True).content.decode()
    assert "The moderators will look at it" not in said
    assert not WordsReport.objects.exists()
    reader.post(report, {"reason": "insult", "words": "see"})
    assert BAD in desk.get(reverse("desk:reports")).content.decode()
    page = desk.get(reverse("desk:club", args=[club.pk])).content.decode()
    assert "&lt;i&gt;vile words" in page
    form = {"outcome": "both", "shown": words_shown(CLUB, club), "reason": "insults"}
    desk.post(reverse("desk:club_decide", args=[club.pk]), form)
    text = reader.get(address).content.decode()
    assert BAD not in text
    assert f"Club {club.pk.hex[:4]}" in text
    assert "took away" not in text
    assert (
        "The moderators took away the name of this club." in founder.get(address).content.decode()
    )
    assert reader.get(edit).status_code == reader.post(edit, {"name": "Mine"}).status_code == 403
    refused = founder.post(edit, {"name": BAD}).content.decode()
    assert "The moderators took this away from a club." in refused
    assert founder.post(edit, {"name": "Kind Name", "about": ""}).status_code == 302
    assert "Kind Name" in reader.get(address).content.decode()
    removal = WordsRemoval.objects.get()
    desk.post(reverse("desk:club_restore", args=[removal.pk]), {"reason": "harmless"})
    removal.refresh_from_db()
    assert removal.given_back_at is not None
    journal = desk.get(reverse("desk:journal")).content.decode()
    assert "gave a club its name or description back" in journal
