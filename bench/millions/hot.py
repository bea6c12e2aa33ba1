"""The pages and calls that are measured, each with other people and other depths every time."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from bench.millions.filling import BIG, NAMES, Size, name_of
from bench.millions.measuring import Call, Hot

PAGE_MS: Final = 50.0
PROFILE_MS: Final = 20.0
SEARCH_MS: Final = 20.0
RANK_MS: Final = 10.0
SWEEP_MS: Final = 1_000.0
"""A sweep has seconds, and must leave the worker to others for most of them."""


class People:
    """Those who read, and those who are read about."""

    def __init__(self, size: Size) -> None:
        from django.test import Client

        from accounts.models import User

        self.size = size
        self.base = User.objects.get(username=name_of(1)).pk - 1
        headers = {"host": "localhost", "accept-language": "de"}
        self.visitor, self.reader, self.big = (Client(headers=headers) for _ in range(3))
        self.reader.force_login(User.objects.get(pk=self.base + size.players // 3 + 1))
        self.big.force_login(User.objects.get(pk=self.base + 1))

    def place(self, random: Random) -> str:
        """The place of any match of a big player in the archive."""
        from games.models import Match
        from games.services.archive import ARCHIVE

        mine = Match.objects.filter(player_0=self.base + 1, ended_at__isnull=False)
        until = datetime.now(UTC) - timedelta(days=random.uniform(1, 1_000))
        return ARCHIVE.mark(mine.filter(ended_at__lt=until).latest("ended_at"))

    def rated(self, random: Random) -> str:
        """The place of anybody in the ranking list."""
        from ratings.selectors import RANKING, listed

        first = self.base + random.randrange(self.size.players // 2)
        return RANKING.mark(listed("normal").filter(user__gte=first).order_by("user")[:1].get())

    def usual(self, random: Random) -> str:
        """The name of somebody with an open account and some matches."""
        number = random.randrange(BIG + 1, self.size.players * 9 // 10)
        return name_of(number + 1 if number % 200 == 0 else number)

    def much(self, random: Random) -> str:
        """The name of somebody with very many matches."""
        return name_of(random.randrange(1, BIG + 1))


def hot(size: Size) -> list[Hot]:
    """All that is measured, in order."""
    people = People(size)
    return [*_pages(people), *_lists(people), *_api(people), *_calls(people), *_sweeps()]


def _pages(people: People) -> Iterator[Hot]:
    visitor, reader = people.visitor, people.reader
    yield Hot("home, visitor", PAGE_MS, _at(visitor, "/"))
    yield Hot("home, player", PAGE_MS, _at(reader, "/"))
    yield Hot("lobby, visitor", PAGE_MS, _at(visitor, "/play/"))
    yield Hot("lobby, player", PAGE_MS, _at(reader, "/play/"))
    yield Hot("lobby, its list", PAGE_MS, _at(reader, "/play/tables/"))
    yield Hot("watch", PAGE_MS, _at(visitor, "/watch/"))
    yield Hot(
        "profile",
        PROFILE_MS,
        lambda random: _read(visitor, f"/player/{people.usual(random)}/"),
    )
    yield Hot(
        "profile, 50,000 matches",
        PROFILE_MS,
        lambda random: _read(visitor, f"/player/{people.much(random)}/"),
    )
    yield Hot(
        "two players",
        PAGE_MS,
        lambda random: _read(reader, f"/player/{people.much(random)}/vs/{people.usual(random)}/"),
    )
    matches = _sample_matches()
    yield Hot("match", PAGE_MS, lambda random: _read(visitor, f"/match/{random.choice(matches)}/"))
    yield Hot("tournaments", PAGE_MS, _at(reader, "/tournaments/"))
    yield Hot("tournaments, finished", PAGE_MS, _at(reader, "/tournaments/?tab=finished"))
    yield Hot("tournaments, mine", PAGE_MS, _at(people.big, "/tournaments/?tab=mine"))
    yield Hot("clubs", PAGE_MS, _at(reader, "/clubs/"))


def _lists(people: People) -> Iterator[Hot]:
    visitor, reader, big = people.visitor, people.reader, people.big
    yield Hot("ranking, page 1", PAGE_MS, _at(visitor, "/ranking/?pool=normal"))
    yield Hot("ranking, page 1, player", PAGE_MS, _at(reader, "/ranking/?pool=normal"))
    yield Hot("ranking, deepest", PAGE_MS, _at(visitor, "/ranking/?pool=normal&until=end"))
    for what, searched in _searched(people).items():
        yield Hot(
            f"ranking, search {what}",
            PAGE_MS,
            _with(visitor, "/ranking/?pool=normal&search=", searched),
        )
    yield Hot("archive, page 1", PAGE_MS, _at(big, "/matches/"))
    yield Hot(
        "archive, any depth",
        PAGE_MS,
        _with(big, "/matches/?after=", people.place),
    )
    yield Hot("archive, deepest", PAGE_MS, _at(big, "/matches/?until=end"))
    yield Hot(
        "archive, won",
        PAGE_MS,
        _with(big, "/matches/?result=won&after=", people.place),
    )
    yield Hot("archive, opponent", PAGE_MS, _at(big, "/matches/?opponent=anna-"))
    name = name_of(1)
    yield Hot("matches of a player", PAGE_MS, _at(visitor, f"/player/{name}/matches/"))
    for what, page in {"page 1": "page=1", "deepest": "until=end"}.items():
        yield Hot(
            f"rating changes, {what}",
            PAGE_MS,
            _at(visitor, f"/player/{name}/ratings/?pool=normal&{page}"),
        )
        yield Hot(f"wallet, {what}", PAGE_MS, _at(big, f"/wallet/?{page}"))


def _api(people: People) -> Iterator[Hot]:
    reader, big = people.reader, people.big
    yield Hot("API matches, page 1", PAGE_MS, _at(big, "/api/v1/matches/"))
    yield Hot(
        "API matches, any depth",
        PAGE_MS,
        _with(big, "/api/v1/matches/?before=", people.place),
    )
    yield Hot(
        "API matches running", PAGE_MS, _at(reader, "/api/v1/matches/?state=running&whose=all")
    )
    yield Hot("API ranking, page 1", PAGE_MS, _at(reader, "/api/v1/ranking/?pool=normal"))
    for what, address in {
        "API ranking, any depth": "/api/v1/ranking/?pool=normal&after=",
        "ranking, around anybody": "/ranking/?pool=normal&around=",
    }.items():
        yield Hot(what, PAGE_MS, _with(reader, address, people.rated))
    yield Hot(
        "API player",
        PAGE_MS,
        lambda random: _read(reader, f"/api/v1/players/{people.usual(random)}/"),
    )
    yield Hot("API tables", PAGE_MS, _at(reader, "/api/v1/tables/"))


def _calls(people: People) -> Iterator[Hot]:
    from accounts.selectors import people_matching, person_named
    from games.live.presence import people_online
    from games.selectors import tables_played_count
    from ratings.selectors import places_of

    size, base = people.size, people.base
    yield Hot(
        "rank of anybody",
        RANK_MS,
        lambda random: places_of(base + random.randrange(1, size.players), ["normal", "prize"]),
        times=100,
    )
    yield Hot("person by name", SEARCH_MS, lambda random: person_named(people.usual(random)))
    for what, searched in _searched(people).items():
        yield Hot(
            f"search of people, {what}",
            SEARCH_MS,
            _listed(people_matching, searched),
        )
    yield Hot("tables played, counted", SEARCH_MS, lambda _random: tables_played_count())
    yield Hot("people online, 40", RANK_MS, lambda _random: people_online(40))
    yield Hot("people online, 1,000", RANK_MS, lambda _random: people_online(1_000))


def _searched(people: People) -> dict[str, Call]:
    """Texts that are in few names, in many, and at the beginning of very many."""
    return {
        "rare": lambda random: people.usual(random)[2:],
        "common": lambda random: random.choice(NAMES),
        "two letters": lambda random: random.choice(NAMES)[:2],
    }


def _sweeps() -> Iterator[Hot]:
    from analysis.queue import enqueue_ended
    from analysis.tasks import enqueue_matches
    from fairplay.leavers import conduct_note_ended
    from fairplay.screening import results_screen
    from games.kinds import clocks_sweep, kind_move_on
    from games.live.presence import people_gone, seats_away, tables_lacking
    from games.services.attendance import seats_awaited, seats_taken
    from games.services.challenges import challenges_expire_due
    from games.services.figures import figures_make
    from games.services.lobby import people_waiting, tables_close_unpayable
    from games.services.practice import bots_answer_due

    sweeps: dict[str, Any] = {
        "sweep: deadlines": clocks_sweep,
        "sweep: attendance": lambda: seats_away(seats_awaited(tables_lacking(seats_taken()))),
        "sweep: tables that cannot be paid": tables_close_unpayable,
        "sweep: openers who are gone": lambda: people_gone(people_waiting()),
        "sweep: challenges": challenges_expire_due,
        "sweep: bots": bots_answer_due,
        "sweep: statistics": figures_make,
        "sweep: analysis": enqueue_matches,
        "hourly: analysis": enqueue_ended,
        "sweep: screening": results_screen,
        "sweep: conduct": conduct_note_ended,
        "sweep: tournaments": lambda: kind_move_on("tournament"),
    }
    for name, sweep in sweeps.items():
        yield Hot(name, SWEEP_MS, _swept(sweep), times=5)


def _sample_matches() -> list[str]:
    """Matches with all their events."""
    from games.models import TableEvent

    begun = TableEvent.objects.filter(type="match_started")
    return [str(payload["match"]) for payload in begun.values_list("payload", flat=True)]


def _with(client: Any, address: str, drawn: Callable[[Random], str]) -> Call:
    """A page of which a part of the address is another one every time."""
    return lambda random: _read(client, address + drawn(random))


def _listed(found: Callable[[str], Any], drawn: Callable[[Random], str]) -> Call:
    return lambda random: list(found(drawn(random))[:50])


def _swept(sweep: Callable[[], Any]) -> Call:
    return lambda _random: sweep()


def _at(client: Any, address: str) -> Call:
    return lambda _random: _read(client, address)


def _read(client: Any, address: str) -> None:
    from django.core.cache import cache

    answer = client.get(address)
    if answer.status_code == 429:
        cache.clear()
        answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
