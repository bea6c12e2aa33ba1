"""Addresses for programs that watch, restart or route around parts of the house.

Each answers one question with JSON, which has all parts by name: 200 if all is well, else 503.
docs/operations.md (Monitoring) explains which address is for which program. All but
`/health/live/` ask other servers, and wait for them no longer than `asking.LIMIT_SECONDS`.
"""

import logging
import mmap
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from games.live.stopgap import alone_without_valkey, stopgap_listens
from games.services.outages import SWEEP, WEB
from pasch.observability import parts
from pasch.observability.asking import LIMIT_SECONDS, Unanswered, asked
from pasch.observability.away import missing
from pasch.observability.counts import kind_of
from pasch.observability.parts import READY

logger = logging.getLogger(__name__)

AWAY: Final = "does not answer"
WITHOUT_VALKEY: Final = f"{READY} for players at tables alone: Valkey {AWAY}"
ALONE: Final = "does not answer this web server, but others: look at the network"
NO_BEAT: Final = "no sign of it: start beat, or look at its log"

#: whether one process of this web server was ready once; shared by all, which are forked later
_started = mmap.mmap(-1, 1)


class AskedByAddress:
    """Middleware: whoever watches a web server may name it by its address, as Prometheus does.

    No answer below `/health/` and `/metrics/` depends on the name; everywhere else it must be one
    of ALLOWED_HOSTS.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if kind_of(request.path_info) == "monitoring":
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0]
        return self.get_response(request)


@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 if PostgreSQL and Valkey answer, else 503 with the missing one, and nothing more."""
    found = asked({"database": parts.database_answers, "valkey": parts.valkey_answers})
    state = {name: answer is True for name, answer in found.items()}
    return JsonResponse(state, status=200 if all(state.values()) else 503)


@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """200 from a web process that answers at all; it asks no other server."""
    return _response({"process": READY})


@never_cache
def readiness(request: HttpRequest) -> JsonResponse:
    """200 if this web server can serve pages, else 503; each part is "ready" or the problem."""
    return _response(_ready())


@never_cache
def started(request: HttpRequest) -> JsonResponse:
    """503 until this web server was ready for the first time, 200 ever after."""
    if _started[0]:
        return _response({"start": READY})
    state = _ready()
    if _is_well(state):
        _started[0] = 1
        return _response({"start": READY})
    return _response({"start": "not complete", **state})


@never_cache
def house(request: HttpRequest) -> JsonResponse:
    """200 if matches can be played in the whole house, else 503; each part as in `readiness`."""
    state = _parts(
        (_database_of_the_house, ("database", "web", "sweep", "outages")),
        (_valkey_of_the_house, ("valkey", "workers", "beat")),
        (_analysis, ("analysis",)),
    )
    if state["beat"] == NO_BEAT and state["sweep"] == READY:
        state["beat"] = READY  # a worker has taken what it sent
    return _response(state)


def _response(state: Mapping[str, str]) -> JsonResponse:
    return JsonResponse(state, status=200 if _is_well(state) else 503)


def _is_well(state: Mapping[str, str]) -> bool:
    return all(text.startswith(READY) for text in state.values())


def _ready() -> dict[str, str]:
    return _parts((_database, ("database", "migrations")), (_valkey, ("valkey",)))


# --- questions, each to one server ----------------------------------------------------------------

Question = Callable[[], dict[str, str]]


def _database() -> dict[str, str]:
    if not parts.database_answers():
        return {"database": AWAY}
    return {"database": READY, "migrations": parts.migrations()}


def _valkey() -> dict[str, str]:
    if alone_without_valkey():
        return {"valkey": ALONE}
    if parts.valkey_answers():
        return {"valkey": READY}
    return {"valkey": WITHOUT_VALKEY if stopgap_listens() else AWAY}


def _database_of_the_house() -> dict[str, str]:
    if not parts.database_answers():
        return {"database": AWAY}
    return {
        "database": READY,
        "web": parts.heartbeat_of(WEB, never="start a web server", silent="look at the web server"),
        "sweep": parts.heartbeat_of(
            SWEEP, never="start a worker and beat", silent="look at the worker and at beat"
        ),
        "outages": parts.outages(),
    }


def _valkey_of_the_house() -> dict[str, str]:
    if not parts.valkey_answers():
        return {"valkey": AWAY}
    beat = READY if parts.beat_sends(datetime.now(tz=UTC)) else NO_BEAT
    return {"valkey": READY, "workers": parts.workers(), "beat": beat}


def _analysis() -> dict[str, str]:
    return {"analysis": parts.analysis()}


def _parts(*groups: tuple[Question, tuple[str, ...]]) -> dict[str, str]:
    """The parts that each question answers; one without an answer gets the reason."""
    found = asked({question.__name__: question for question, _ in groups})
    state: dict[str, str] = {}
    for question, names in groups:
        answer = found[question.__name__]
        if isinstance(answer, Unanswered):
            state |= dict.fromkeys(names, _reason(answer))
            continue
        unknown = f"unknown while the {names[0]} {AWAY}"
        state |= {name: answer.get(name, unknown) for name in names}
    return state


def _reason(answer: Unanswered) -> str:
    """Why there is no answer."""
    if answer.error is None:
        return f"no answer within {LIMIT_SECONDS:.0f} s"
    if away := missing(answer.error):
        return f"unknown while {away[0]} {AWAY}"
    logger.error("a part of the house cannot be checked", exc_info=answer.error)
    return f"cannot be checked: {type(answer.error).__name__}"
