"""Names and descriptions of clubs: reported, taken away by moderators, chosen anew, given back."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import OutgoingMail, User
from accounts.roles import Role, role_give
from games.models import WordsReport
from games.services.administration import MayNotDecide
from games.services.moderation import NothingToDecide, words_decide, words_shown
from ledger.models import JournalEntry
from tests.desk.conftest import at_desk
from tests.tournaments.test_pages import client_of
from tournaments.errors import ClubChanged, ClubNameTaken, ClubWordsWithdrawn, NotDirector
from tournaments.models import Club, WordsRemoval
from tournaments.services.clubs import club_found, club_leave
from tournaments.services.words import CLUB, club_describe, words_report, words_restore

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
