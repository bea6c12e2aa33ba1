"""The public pages of players: profile, matches, and two players compared."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import MAX_LENGTH
from accounts.selectors import person_formerly, person_named
from analysis.pages.form import latest_form
from analysis.progress import ProgressAsked as AskedProgress
from games.models import PlayerMatch
from games.services import figures
from games.services.archive import is_analysed, result_of
from games.services.figures import SIDES
from pasch.pages.rating_line import RatingSpan, changes_seen, rating_line
from ratings import selectors
from ratings.models import ChangeKind, RatingChange
from ratings.pools import MAIN_POOLS, PoolLabel, pool_chosen, pool_groups, pool_label, pool_order

HISTORY_ROWS: Final = 20
RECENT: Final = 8
MATCH_ROWS: Final = 25
OPPONENTS: Final = 6

SPANS: Final = {"3m": timedelta(days=92), "1y": timedelta(days=365), "all": None}


@dataclass(frozen=True, slots=True)
class ShownMatch:
    """A finished match as the player's page lists it; `change` is None if no rating moved.

    `result` is a key of `games.services.archive.result_of`, `score` the own points first.
    """

    side: PlayerMatch
    result: str
    word: str
    score: str
    change: RatingChange | None
    analysed: bool


@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player's ratings over time, statistics, opponents and last matches."""
    person = _person(username)
    if person.get_username() != username:
        return redirect("player", person.get_username())
    standings, pools, pool = _pools(request, person)
    span = request.GET.get("span", "")
    tiles = sorted({*MAIN_POOLS, pool}, key=pool_order)
    places = selectors.places_of(person.pk, tiles)
    view = standings.get(pool, selectors.RatingView())
    asked = RatingSpan(person.pk, pool, SPANS.get(span), request.user.pk)
    told = figures.statistics_of(person.pk)
    sides = figures.sides_of(person.pk, reader_id=request.user.pk)[:RECENT]
    context = {
        "person": person,
        "pool": pool,
        "pool_label": pool_label(pool),
        "pools": pool_groups(pools),
        "standings": [_standing(each, standings, places) for each in tiles],
        "view": view,
        "record": selectors.record(person.pk, pool),
        "span": span if span in SPANS else "all",
        "span_kept": ("span", span) if span in SPANS else None,
        "spans": _spans(),
        "chart": rating_line(asked, view.elo, timezone.now()),
        "statistics": told,
        "matches_max": figures.MATCHES_MAX,
        "streaks": figures.streaks_of(person.pk, reader_id=request.user.pk),
        "levels": _levels(told.total),
        "opponents": figures.opponents_of(person.pk, reader_id=request.user.pk, limit=OPPONENTS),
        "recent": _shown(person, list(sides)),
        "form": latest_form(AskedProgress(person, request.user)),
    }
    return render(request, "players/player.html", context)


@require_safe
def changes(request: HttpRequest, username: str) -> HttpResponse:
    """List the changes of a player's rating in a pool that the reader may see, newest first."""
    person = _person(username)
    if person.get_username() != username:
        return redirect("player_changes", person.get_username())
    standings, pools, pool = _pools(request, person)
    history = selectors.history(person.pk, pool)
    seen = changes_seen(history, person_id=person.pk, reader=request.user)
    context = {
        "person": person,
        "pool": pool,
        "pools": pool_groups(pools),
        "is_rated": pool in standings,
        "page": selectors.CHANGES.page(request.GET, HISTORY_ROWS, seen),
    }
    return render(request, "players/changes.html", context)


@require_safe
def matches(request: HttpRequest, username: str) -> HttpResponse:
    """List a player's finished matches that the reader may see, the newest first."""
    person = _person(username)
    if person.get_username() != username:
        return redirect("player_matches", person.get_username())
    sides = figures.sides_of(person.pk, reader_id=request.user.pk)
    context = {"person": person, **_page_of(person, sides, request)}
    return render(request, "players/matches.html", context)


@require_safe
def compare(request: HttpRequest, username: str) -> HttpResponse:
    """Lead from a form with the name of another player to the page of both."""
    person = _person(username)
    name = request.GET.get("name", "").strip()
    other = person_named(name)
    if other is not None and other != person:
        return redirect("player_versus", person.get_username(), other.get_username())
    context = {"person": person, "name": name[:MAX_LENGTH]}
    return render(request, "players/compare.html", context)


@require_safe
def versus(request: HttpRequest, username: str, other: str) -> HttpResponse:
    """Show two players' matches with each other, as far as the reader may see them."""
    person, opponent = _person(username), _person(other)
    if person == opponent:
        return redirect("player", person.get_username())
    if (person.get_username(), opponent.get_username()) != (username, other):
        return redirect("player_versus", person.get_username(), opponent.get_username())
    everything = request.user.pk in (person.pk, opponent.pk)
    told = figures.statistics_of(person.pk, opponent_id=opponent.pk, everything=everything)
    sides = figures.sides_of(person.pk, reader_id=request.user.pk, opponent_id=opponent.pk)
    theirs = figures.statistics_of(opponent.pk, opponent_id=person.pk, everything=everything)
    context = {
        "person": person,
        "opponent": opponent,
        "ratings": _ratings((person.pk, opponent.pk)),
        "statistics": told,
        "theirs": theirs.total,
        "levels": _levels(told.total),
        **_page_of(person, sides, request),
    }
    return render(request, "players/versus.html", context)


def _person(username: str) -> User:
    """The person of this name, now or before: a page then redirects to the name of now."""
    person = person_named(username) or person_formerly(username)
    if person is None:
        raise Http404
    return person


def _pools(
    request: HttpRequest, person: User
) -> tuple[dict[str, selectors.RatingView], list[str], str]:
    """The ratings of a person by pool, the pools to choose from in order, and the chosen one."""
    standings = selectors.pools_of(person.pk)
    pools = sorted({*MAIN_POOLS, *standings}, key=pool_order)
    return (
        standings,
        pools,
        pool_chosen(_rated_first(pools, standings), request.GET.get("pool", "")),
    )


def _rated_first(pools: Sequence[str], rated: Collection[str]) -> list[str]:
    return sorted(pools, key=lambda each: each not in rated)


def _ratings(
    ids: tuple[int, int],
) -> list[tuple[PoolLabel, selectors.RatingView, selectors.RatingView]]:
    """Both ratings in each main pool."""
    found = [(pool_label(pool), selectors.ratings_of(ids, pool)) for pool in MAIN_POOLS]
    return [(label, views[ids[0]], views[ids[1]]) for label, views in found]


def _spans() -> list[tuple[str, str]]:
    return [("3m", _("3 months")), ("1y", _("1 year")), ("all", _("All"))]


def _standing(
    pool: str,
    standings: dict[str, selectors.RatingView],
    places: dict[str, selectors.RatingPlace],
) -> dict[str, Any]:
    return {
        "pool": pool,
        "label": pool_label(pool),
        "view": standings.get(pool, selectors.RatingView()),
        "place": places.get(pool),
    }


def _levels(told: figures.MatchSums) -> list[dict[str, Any]]:
    """Games won and lost by level; `share` is the part won, in percent, for the bar."""
    names = (_("Single games"), _("Gammons"), _("Backgammons"))
    return [
        {"name": name, "won": won, "lost": lost, "share": 100 * won // max(1, won + lost)}
        for name, won, lost in zip(names, told.games_won, told.games_lost, strict=True)
    ]


# --- lists of matches -----------------------------------------------------------------------------


def _page_of(person: User, sides: QuerySet[PlayerMatch], request: HttpRequest) -> dict[str, Any]:
    """The page of a list that is asked for, and its matches as they are shown."""
    page = SIDES.page(request.GET, MATCH_ROWS, sides)
    return {"page": page, "matches": _shown(person, page.rows)}


def _shown(person: User, sides: Sequence[PlayerMatch]) -> list[ShownMatch]:
    """The sides of this person as they are shown."""
    references = [side.match.reference for side in sides]
    rated = RatingChange.objects.filter(
        user=person,
        reference__in=references,
        kind=ChangeKind.RESULT,
    )
    changes = {change.reference: change for change in rated}
    words = _result_words()
    return [
        ShownMatch(
            side=side,
            result=(result := result_of(side.match, side.seat)),
            word=words[result],
            score="–" if result == "void" else _score(side),
            change=None if result == "void" else changes.get(side.match.reference),
            analysed=is_analysed(side.match, (person, side.opponent)),
        )
        for side in sides
    ]


def _result_words() -> dict[str, str]:
    return {
        "won": _("won"),
        "lost": _("lost"),
        "drawn": pgettext("result", "tie"),
        "even": pgettext("result of a session", "even"),
        "void": _("without result"),
    }


def _score(side: PlayerMatch) -> str:
    score = side.match.score_shown
    return f"{score[side.seat]} : {score[1 - side.seat]}"
