"""Tournaments in every state, for the pictures of the house."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.calendar_feeds import feed_renew
from accounts.models import User
from games.kinds import kind_move_on
from games.services.chat import room_say
from games.services.moderation import words_decide, words_shown
from harness.tournaments import called, entered, played
from harness.wallets import credits_bought, mailbox_proved
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Club, Meeting, Tournament
from tournaments.services.club_talk import ClubRoom
from tournaments.services.clubs import club_found, club_join, member_set
from tournaments.services.entering import meeting_ready, tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.offering import offers_keep
from tournaments.services.words import CLUB, TOURNAMENT, words_report

#: more people, so that a field of eight and one of sixteen look like one
MORE = ("nuria", "ozan", "kofi", "yuki", "dimitra", "petra_m", "sokrates", "oskar")
FEE_CENTS = 250


@dataclass(frozen=True, slots=True)
class Competing:
    """hilde is called in `bracket`, out in `lives`, has won `over`; `filling` lacks players."""

    filling: Tournament
    announced: Tournament
    bracket: Tournament
    lives: Tournament
    over: Tournament
    sides: Tournament
    unnamed: Tournament
    club: Club
    line: int
    """The number of a message in the club's talk."""


def compete(users: dict[str, User]) -> Competing:
    """Hold tournaments among the people of the house and some more."""
    people = {**users, **{name: _person(name) for name in MORE}}
    offers_keep()
    filling = Tournament.objects.get(offer="sixteen-5-credits")
    for name in ("jonas", *MORE):
        tournament_enter(user=people[name], tournament_id=filling.pk)
    announced = tournament_hold(
        founder=users["marlene"],
        name="Sunday Swiss",
        terms=TournamentTerms("swiss", length=5, least=4, most=16),
        starts_at=timezone.now() + timedelta(hours=5),
    )
    tournament_enter(user=users["hilde"], tournament_id=announced.pk)
    field = [people[name] for name in ("hilde", "marlene", "ida", *MORE[:5])]
    feed_renew(users["hilde"].pk)
    club = _club(people)
    return Competing(
        filling=filling,
        announced=announced,
        bracket=_bracket(field, people["hilde"]),
        lives=_lives(field, people["hilde"]),
        over=_over([people["hilde"], *field[3:6]], people["hilde"]),
        sides=_held(
            "Saturday",
            TournamentTerms("consolation", length=5, least=4, most=16),
            2 * FEE_CENTS,
            sides_bps=(2_000, 500),
            starts_at=timezone.now() + timedelta(days=1),
        ),
        unnamed=_unnamed(users),
        club=club,
        line=_talk(club, people),
    )


def _club(people: dict[str, User]) -> Club:
    """hilde directs a club with a finished evening, and somebody has asked to join."""
    hilde = people["hilde"]
    about = "Kreuzberg, Berlin"
    club = club_found(user=hilde, name="Kreuzberg Pips", about=about, is_open=False)
    four = [people[name] for name in ("nuria", "ozan", "kofi", "yuki")]
    for user in (*four, people["dimitra"]):
        club_join(user=user, club_id=club.pk)
    for user in four:
        member_set(director=hilde, club_id=club.pk, user_id=user.pk, standing="member")
    words_report(CLUB, user=people["dimitra"], subject_id=club.pk, reason="other", words="too long")
    terms = TournamentTerms("swiss", length=1, least=4, most=4, rounds=2)
    evening = tournament_hold(founder=hilde, name="Evening 1", terms=terms, club=club)
    entered(evening, four)
    while meetings := called(evening):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    return club


def _talk(club: Club, people: dict[str, User]) -> int:
    """Members agree when they meet; the number of a message that hilde did not write."""
    room = ClubRoom(club.pk)
    room_say(room, user_id=people["hilde"].pk, client_id="1", text="Thursday at eight, as always?")
    said = room_say(room, user_id=people["nuria"].pk, client_id="1", text="20:30!")
    return said.pk


def _person(name: str) -> User:
    user = User.objects.create_user(name)
    mailbox_proved(user)
    credits_bought(user, 5_000)
    return user


def _held(name: str, terms: TournamentTerms, fee_cents: int = 0, **more: Any) -> Tournament:
    return tournament_hold(
        founder=None, name=name, terms=terms, fee_cents=fee_cents, offer=name.lower(), **more
    )


def _won_by(meeting: Meeting, favourite: User) -> None:
    mine = favourite.pk in meeting.players
    played(meeting, favourite if mine else meeting.player_0)


def _unnamed(users: dict[str, User]) -> Tournament:
    """marlene's tournament, whose name was reported and taken away."""
    tournament = tournament_hold(
        founder=users["marlene"],
        name="Cheating Tilo",
        terms=TournamentTerms("knockout", length=3, least=4, most=8),
        starts_at=timezone.now() + timedelta(days=2),
    )
    words_report(TOURNAMENT, user=users["tilo"], subject_id=tournament.pk, reason="insult")
    words_decide(
        TOURNAMENT,
        actor=users["anna"],
        subject_id=tournament.pk,
        outcome="name",
        shown=words_shown(TOURNAMENT, tournament),
        reason="Insult.",
    )
    tournament.refresh_from_db()
    return tournament


def _bracket(field: list[User], hilde: User) -> Tournament:
    """Quarter-finals over but for one, which is played; hilde waits for its winner."""
    tournament = _held("Friday", TournamentTerms("consolation", length=3, least=8, most=8))
    entered(tournament, field)
    meetings = sorted(called(tournament), key=lambda each: hilde.pk not in each.players)
    for meeting in meetings[:3]:
        _won_by(meeting, hilde)
    last = meetings[3]
    for player in (last.player_0, last.player_1):
        meeting_ready(user=player, tournament_id=tournament.pk)
    return tournament


def _lives(field: list[User], hilde: User) -> Tournament:
    """Two rounds of two lives; hilde has lost both."""
    tournament = _held("Ladder", TournamentTerms("lives", length=3, least=8, most=8, bracket=4))
    entered(tournament, field)
    for _ in range(2):
        for meeting in called(tournament):
            others = [each for each in meeting.players if each != hilde.pk]
            played(meeting, User.objects.get(pk=others[0]))
        kind_move_on("tournament")
    return tournament


def _over(field: list[User], hilde: User) -> Tournament:
    """A sit-and-go for credits that hilde won."""
    terms = TournamentTerms("knockout", length=3, least=4, most=4)
    tournament = _held("Monday", terms, FEE_CENTS)
    entered(tournament, field)
    while meetings := called(tournament):
        for meeting in meetings:
            _won_by(meeting, hilde)
    return tournament
