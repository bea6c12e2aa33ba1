"""The front page of a member: their games, their day, people, their last match, what comes next."""

from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest

from accounts.models import User
from analysis.pages.last_match import last_match_shown
from analysis.pages.today import exercises_due, today_shown
from backgammon.rules.variants import by_key
from games.live.presence import people_online
from games.models import Match, Table
from games.modes.registry import mode_of
from games.offered import free_game
from games.pages.learn import lesson_upcoming
from games.pages.lobby import people_rows
from games.selectors import matches_running
from games.services.archive import ARCHIVE, VOIDED, halves_of
from games.services.learning import progress_of
from pasch.pages.continuing import card_of
from tournaments.pages.calendar import row_of
from tournaments.selectors import announced, entered_by

#: the game on the board of a page without a running one.
VARIANT: Final = "backgammon"

#: so many running games have a card.
GAMES_SHOWN: Final = 4

#: so many of the latest matches are read: for the last one, and for the opponents in them.
MATCHES_READ: Final = 12

#: people with fewer matches than this are offered the first lesson, too.
BEGINNER_MATCHES: Final = 6

PEOPLE_SHOWN: Final = 4
OPPONENTS_SHOWN: Final = 3
EVENTS_SHOWN: Final = 3

#: so many people who are here are looked at for those who can be played.
PEOPLE_READ: Final = 12

Row = dict[str, Any]


def member_context(request: HttpRequest, member: User, running: list[Row]) -> Row:
    """Return the values of the member's page; `running` are rows of `games.services.running`."""
    games = [row for row in running if "state" in row]
    matches = [match for match in latest_matches(member.pk) if match.ending not in VOIDED]
    lesson = _lesson(request, len(matches))
    return {
        "running_games": running,
        "start": by_key(VARIANT).start,
        "own": [card_of(game) for game in games[:GAMES_SHOWN]],
        "own_left": max(0, len(games) - GAMES_SHOWN),
        "mine_count": sum(game["my_turn"] for game in games),
        "offers": [row for row in running if "state" not in row],
        "day": today_shown(request),
        "due": exercises_due(request),
        "lesson": lesson,
        "steps": {} if matches else _steps(member, lesson, games),
        "last": last_match_shown(matches[0], member.pk) if matches else None,
        **_people(member, matches),
        "events": _events(member),
    }


def latest_matches(member_id: int) -> list[Match]:
    """Return the matches of a member that ended last, the newest first."""
    return list(ARCHIVE.beginning("", MATCHES_READ, *halves_of(member_id)))


def _lesson(request: HttpRequest, matches: int) -> Row | None:
    """The lesson to go on with; whoever plays without one has found another way in."""
    progress = progress_of(request)
    return lesson_upcoming(progress) if progress or matches < BEGINNER_MATCHES else None


def _steps(member: User, lesson: Row | None, games: list[Row]) -> Row:
    """The first steps that somebody without a finished game has still before them."""
    practises = any(mode_of(game["state"].terms).is_practice for game in games)
    has_invited = Table.objects.filter(opener=member, code__isnull=False).exists()
    steps: Row = {
        "bot": free_game() is not None and not practises,
        "lesson": lesson is not None and lesson["number"] == 1,
        "friend": not has_invited,
    }
    return steps if any(steps.values()) else {}


def _people(member: User, matches: list[Match]) -> Row:
    """The people who are here; where nobody is, the last opponents."""
    here = [pk for pk in people_online(PEOPLE_READ) if pk != member.pk]
    rows = [row for row in people_rows(here) if not row["bot"]][:PEOPLE_SHOWN]
    if rows:
        tables = _tables_of([row["id"] for row in rows])
        return {"people": [{**row, "table": tables.get(row["id"])} for row in rows]}
    opponents = _opponents(member, matches)[:OPPONENTS_SHOWN]
    return {"opponents": people_rows(opponents) if opponents else []}


def _tables_of(people: list[int]) -> dict[int, Any]:
    """The tables where these people play and anybody may watch."""
    playing = matches_running().filter(Q(player_0__in=people) | Q(player_1__in=people))
    rows = playing.values_list("player_0", "player_1", "table")
    return {person: table for *pair, table in rows for person in pair}


def _opponents(member: User, matches: list[Match]) -> list[int]:
    """The people of these matches, the last one first."""
    others = [
        match.player_1 if match.player_0_id == member.pk else match.player_0 for match in matches
    ]
    people = [person.pk for person in others if not (person.is_bot or person.is_guest)]
    return list(dict.fromkeys(people))


def _events(member: User) -> list[Row]:
    """The next tournaments with a time, with those that the member has entered."""
    coming = announced(member.pk, EVENTS_SHOWN)
    entered = {tournament.pk for tournament in entered_by(member.pk)} if coming else set()
    return [row_of(tournament, entered=tournament.pk in entered) for tournament in coming]
