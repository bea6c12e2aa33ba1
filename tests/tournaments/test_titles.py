"""Names of tournaments: reported, taken away by moderators, shown as another, given back."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.models import OutgoingMail, User
from accounts.roles import Role, role_give
from games.models import WordsReport
from games.services.administration import MayNotDecide
from games.services.moderation import NothingToDecide, words_decide, words_shown
from harness.tournaments import called, entered, knockout, played
from ledger.models import JournalEntry
from tests.desk.conftest import at_desk
from tests.tournaments.conftest import news_of
from tests.tournaments.test_pages import client_of
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import NamedByTheHouse, TitleWithdrawn
from tournaments.models import Tournament, WordsRemoval
from tournaments.services.clubs import club_found, club_join
from tournaments.services.holding import tournament_hold
from tournaments.services.words import TOURNAMENT, words_report, words_restore

BAD = "Vile Name"
NEUTRAL = "Knock-out, Backgammon"


def named(name: str) -> User:
    return User.objects.create_user(name)


@pytest.fixture
def moderator(transactional_db) -> User:
    user = named("moderator")
    role_give(user, Role.MODERATOR)
    return user


@pytest.fixture
def founder(people) -> User:
    (user,) = people(1)
    User.objects.filter(pk=user.pk).update(email="founder@example.org", language="de")
    return User.objects.get(pk=user.pk)


def held(founder: User, name: str = BAD, **more) -> Tournament:
    terms = TournamentTerms("knockout", length=1, least=4, most=4)
    begins = timezone.now() + timedelta(hours=1)
    return tournament_hold(founder=founder, name=name, terms=terms, starts_at=begins, **more)


@pytest.fixture
def tournament(founder) -> Tournament:
    return held(founder)


def decided(
    tournament: Tournament, by: User, outcome: str = "name", reason: str = "insults"
) -> Tournament:
    tournament.refresh_from_db()
    shown = words_shown(TOURNAMENT, tournament)
    found = words_decide(
        TOURNAMENT, actor=by, subject_id=tournament.pk, outcome=outcome, shown=shown, reason=reason
    )
    tournament.refresh_from_db()
    return found


def test_a_moderator_takes_the_name_and_its_founder_receives_a_mail(tournament, moderator):
    report = words_report(
        TOURNAMENT, user=named("reader"), subject_id=tournament.pk, reason="insult"
    )
    decided(tournament, moderator)
    assert tournament.name == ""
    report.refresh_from_db()
    assert (report.outcome, report.closed_by) == ("name", moderator)
    entry = JournalEntry.objects.get(verb="tournament.words")
    assert (entry.subject, entry.reason) == (tournament.reference, "insults")
    assert (entry.before["name"], entry.after["name"]) == (BAD, "")
    mail = OutgoingMail.objects.get(about=tournament.reference)
    assert mail.to == "founder@example.org"
    assert "Es heißt jetzt K.-o., Backgammon." in mail.body
    assert BAD not in mail.subject + mail.body
    assert reverse("tournament", args=[tournament.pk]) in mail.body


def test_a_decision_is_reported_to_the_pages_that_show_the_name(tournament, moderator):
    with news_of(tournament.pk) as news:
        decided(tournament, moderator)
        assert news.read() == [0, "calendar"]
        words_restore(
            TOURNAMENT,
            actor=moderator,
            removal_id=WordsRemoval.objects.get().pk,
            reason="a mistake",
        )
        assert news.read() == [0, "calendar"]


@pytest.mark.parametrize("again", [BAD, "V1le  Náme", "vile-name."])
def test_no_tournament_gets_the_name_again_until_it_is_given_back(tournament, moderator, again):
    decided(tournament, moderator)
    other = named("other")
    with pytest.raises(TitleWithdrawn):
        held(other, again)
    removal = WordsRemoval.objects.get()
    words_restore(TOURNAMENT, actor=moderator, removal_id=removal.pk, reason="a mistake")
    tournament.refresh_from_db()
    assert tournament.name == BAD
    with pytest.raises(NothingToDecide):
        words_restore(TOURNAMENT, actor=moderator, removal_id=removal.pk, reason="again")
    held(other, again)
    entry = JournalEntry.objects.get(verb="tournament.restore")
    assert (entry.before["name"], entry.after["name"], entry.reason) == ("", BAD, "a mistake")


def test_nobody_judges_a_tournament_of_their_own_club(founder, moderator):
    club = club_found(user=founder, name="Pips")
    tournament = held(founder, club=club)
    second = named("second")
    role_give(second, Role.MODERATOR)
    club_join(user=moderator, club_id=club.pk)
    with pytest.raises(MayNotDecide):
        decided(tournament, moderator)
    decided(tournament, second)
    with pytest.raises(MayNotDecide):
        words_restore(
            TOURNAMENT, actor=moderator, removal_id=WordsRemoval.objects.get().pk, reason="ours"
        )


def test_the_names_of_the_house_stay(people, moderator):
    tournament = knockout(4)
    with pytest.raises(NamedByTheHouse):
        words_report(TOURNAMENT, user=named("reader"), subject_id=tournament.pk, reason="insult")
    with pytest.raises(NamedByTheHouse):
        decided(tournament, moderator)
    report = reverse("tournament_report", args=[tournament.pk])
    reader = client_of(named("other"))
    page = reader.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert report not in page
    assert reader.get(report).status_code == 404


def test_the_database_changes_no_name_without_a_decision(tournament, moderator):
    def renamed(name: str) -> None:
        with transaction.atomic():
            Tournament.objects.filter(pk=tournament.pk).update(name=name)

    for name in ("", "Kind Name"):
        with pytest.raises(IntegrityError, match="what was agreed stays"):
            renamed(name)
    decided(tournament, moderator)
    for name in (BAD, "Kind Name"):
        with pytest.raises(IntegrityError, match="what was agreed stays"):
            renamed(name)


def test_a_tournament_without_a_name_is_played_to_its_end(people, moderator, dice):
    players = people(4)
    terms = TournamentTerms("knockout", length=1, least=4, most=4)
    tournament = tournament_hold(founder=players[0], name=BAD, terms=terms)
    decided(tournament, moderator)
    entered(tournament, players)
    while meetings := called(tournament):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    tournament.refresh_from_db()
    assert (tournament.phase, tournament.name) == ("over", "")
    text = Client().get(reverse("tournament_file", args=[tournament.pk, "trf"])).content.decode()
    assert text.startswith(f"012 {NEUTRAL}")


def test_on_the_pages_from_the_report_to_the_name_given_back(
    tournament, founder, moderator, settings
):
    settings.STAFF_SECOND_FACTOR = False
    User.objects.filter(pk=founder.pk).update(language="en")
    reader, author, desk = client_of(named("kuno")), client_of(founder), at_desk(moderator)
    address = reverse("tournament", args=[tournament.pk])
    report = reverse("tournament_report", args=[tournament.pk])
    assert report in reader.get(address).content.decode()
    assert report not in Client().get(address).content.decode()
    assert report not in author.get(address).content.decode()
    assert reader.post(report, {"reason": "no"}).status_code == 200
    assert not WordsReport.objects.exists()
    said = reader.post(report, {"reason": "insult", "words": "see"}, follow=True)
    assert "The moderators will look at it" in said.content.decode()
    listed = desk.get(reverse("desk:reports")).content.decode()
    assert BAD in listed
    assert "kuno" in listed
    page = desk.get(reverse("desk:title", args=[tournament.pk])).content.decode()
    assert "see" in page
    form = {"outcome": "name", "shown": words_shown(TOURNAMENT, tournament), "reason": "insults"}
    desk.post(reverse("desk:title_decide", args=[tournament.pk]), form)
    assert BAD in desk.get(reverse("desk:reports"), {"state": "decided"}).content.decode()
    shows = [
        address,
        reverse("tournaments"),
        reverse("tournament_file", args=[tournament.pk, "json"]),
    ]
    for each in shows:
        text = reader.get(each).content.decode()
        assert BAD not in text, each
        assert NEUTRAL in text, each
    assert reader.get(report).status_code == 404
    notice = "The moderators took away the name of your tournament."
    assert notice in author.get(address).content.decode()
    assert notice not in reader.get(address).content.decode()
    removal = WordsRemoval.objects.get()
    desk.post(reverse("desk:title_restore", args=[removal.pk]), {"reason": "harmless"})
    assert BAD in reader.get(address).content.decode()
    journal = desk.get(reverse("desk:journal")).content.decode()
    assert "gave a tournament its name back" in journal


def test_the_neutral_name_is_in_the_language_of_the_reader(tournament, moderator):
    decided(tournament, moderator)
    address = reverse("tournament", args=[tournament.pk])
    with translation.override("de"):
        text = Client().get(address, headers={"accept-language": "de"}).content.decode()
    assert "K.-o., Backgammon" in text
