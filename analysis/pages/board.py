"""The analysis board: any position, and what the engine says about it (docs/analysis.md).

The page holds the position; each question goes to a worker, and the page asks for its answer until
it is there. Nothing here loads an engine.
"""

from dataclasses import asdict
from typing import Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe
from rest_framework.exceptions import ValidationError

from accounts.guests import guest_of
from analysis.models import Question
from analysis.pages.board_json import found_words, position_shown, question_shown
from analysis.pages.problems import problem_shown
from analysis.questions import (
    A_DAY,
    ASKED_DEPTHS,
    FILE_MOST_BYTES,
    OF_VISITORS,
    ROLLOUT,
    AskedDepth,
    AskedTooMuch,
    Asker,
    QuestionRefused,
    file_ask,
    has_worker,
    plays_now,
    position_ask,
    rollout_stop,
)
from analysis.rollout_choices import (
    TRIALS,
    TURNS,
    RolloutChoicesSerializer,
    choices_of,
    rollout_ask,
    rollout_estimate,
)
from backgammon.analysis.rollouts import USUAL
from backgammon.counting.pasted import LONGEST, read_position
from backgammon.counting.positions import CUBE_MOST
from backgammon.rules.errors import RulesError
from backgammon.rules.xgid import Xgid
from games.forms.practice import opponent_choices
from kit.sentences import plain_sentence
from kit.throttle import Rate, network_of, take

START: Final = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"

#: how often one network may have something read, which costs little.
READS: Final = Rate(120, 60)

#: what a text begins with, or has in it, that is a match and no position.
_MATCHES: Final = ("(;", "{")
_MATCH_WORDS: Final = ("point match", "Game 1", "unlimited game")

STATUS: Final = {"asked_too_much": 429, "only_with_account": 403, "file_too_large": 413}


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """The board with the position of the address, or at the start; a bad one is named."""
    return board_page(request, request.GET.get("xgid", "")[: LONGEST + 1])


def board_page(
    request: HttpRequest, pasted: str, *, refused: str = "", status: int = 200
) -> HttpResponse:
    """The page with a pasted position; `refused` says why no game begins from it."""
    problem, xgid, words = None, Xgid.parse(START), ""
    if pasted:
        try:
            found = read_position(pasted)
        except RulesError as error:
            problem = problem_shown(error, pasted)
        else:
            xgid, words = found.xgid, found_words(found)
    context = {
        "pasted": pasted,
        "problem": problem,
        "words": words,
        "position": xgid.position,
        "dice": xgid.dice or (),
        "data": {
            "position": position_shown(xgid),
            "opened": bool(words),
            "start": position_shown(Xgid.parse(START)),
            "urls": {
                "board": reverse("analysis_board"),
                "read": reverse("analysis_read"),
                "ask": reverse("analysis_ask"),
                "estimate": reverse("analysis_estimate"),
                "file": reverse("analysis_file"),
            },
            "device": None if plays_now(asker_of(request)) else _device(),
            "file_most_bytes": FILE_MOST_BYTES,
        },
        "lengths": range(1, 26),
        "cubes": [1 << power for power in range(CUBE_MOST.bit_length())],
        "rolls": [(high, low) for high in range(6, 0, -1) for low in range(high, 0, -1)],
        "has_worker": has_worker(),
        "a_day": {depth: rate.count for depth, rate in A_DAY.items()},
        "of_visitors": OF_VISITORS.count,
        "xgid": xgid.text(),
        "refused": refused,
        "strengths": opponent_choices(),
        "rollout": {"trials": TRIALS, "turns": TURNS, "usual": USUAL},
    }
    return render(request, "analysis/board.html", context, status=status)


def _device() -> dict[str, str]:
    """Where the script finds the net for the reader's own device."""
    return {
        "worker": static("js/device/worker.js"),
        "contact": static("nets/contact.npz"),
        "race": static("nets/race.npz"),
    }


@require_POST
@never_cache
def read(request: HttpRequest) -> HttpResponse:
    """The position in `text`; a text that is a match is read as a file."""
    if not take("analysis:read", network_of(request.META.get("REMOTE_ADDR", "")), READS):
        return _refused(AskedTooMuch())
    text = request.POST.get("text", "")
    if _is_match(text):
        return _file_asked(request, text.encode())
    try:
        found = read_position(text, _shown(request))
        return JsonResponse({"position": position_shown(found.xgid), "words": found_words(found)})
    except RulesError as error:
        return JsonResponse({"error": problem_shown(error, text)}, status=400)


def _shown(request: HttpRequest) -> Xgid | None:
    """The position that the page shows; a Match ID alone changes it."""
    try:
        return Xgid.parse(request.POST.get("shown", ""))
    except RulesError:
        return None


def _is_match(text: str) -> bool:
    """Whether a text is a file of a match, and no notation of a position."""
    start = text.lstrip("\ufeff \t\r\n")
    return start.startswith(_MATCHES) or any(word in text for word in _MATCH_WORDS)


@require_POST
@never_cache
def ask(request: HttpRequest) -> HttpResponse:
    """Ask about the position `xgid` at a `depth`; a rollout has choices."""
    depth = _depth(request.POST.get("depth", ""))
    if depth is None:
        return JsonResponse({"error": {"message": _("There is no such depth.")}}, status=400)
    text = request.POST.get("xgid", "")[:LONGEST]
    try:
        xgid, asker = Xgid.parse(text), asker_of(request)
        if depth == ROLLOUT:
            question = rollout_ask(asker, xgid, choices_of(xgid, _chosen(request)))
        else:
            question = position_ask(asker, xgid, depth)
    except RulesError as error:
        return JsonResponse({"error": problem_shown(error, text)}, status=400)
    except ValidationError as error:
        return _wrong(error)
    except QuestionRefused as error:
        return _refused(error)
    return JsonResponse(question_shown(question), status=202)


@require_POST
@never_cache
def estimate(request: HttpRequest) -> HttpResponse:
    """Return how long a rollout of the position `xgid` with the choices of the form takes."""
    if not take("analysis:read", network_of(request.META.get("REMOTE_ADDR", "")), READS):
        return _refused(AskedTooMuch())
    text = request.POST.get("xgid", "")[:LONGEST]
    try:
        xgid = Xgid.parse(text)
        choices = choices_of(xgid, _chosen(request))
        return JsonResponse(asdict(rollout_estimate(asker_of(request), xgid, choices)))
    except RulesError as error:
        return JsonResponse({"error": problem_shown(error, text)}, status=400)
    except ValidationError as error:
        return _wrong(error, status=200)  # what is still being written is no bad request


def _chosen(request: HttpRequest) -> dict[str, str]:
    """The choices of a rollout that the form has; an empty field is as usual."""
    names = [str(name) for name in RolloutChoicesSerializer().fields]
    given = {name: request.POST.get(name, "").strip() for name in names}
    return {name: value for name, value in given.items() if value}


def _wrong(error: ValidationError, *, status: int = 400) -> HttpResponse:
    """Name what is wrong in which field."""
    assert isinstance(error.detail, dict), "of the fields of a form"
    fields = {name: " ".join(map(str, reasons)) for name, reasons in error.detail.items()}
    answer = {"message": next(iter(fields.values())), "fields": fields}
    return JsonResponse({"error": answer}, status=status)


@require_POST
@never_cache
def file(request: HttpRequest) -> HttpResponse:
    """Ask which positions a `file` has."""
    sent = request.FILES.get("file")
    if sent is None:
        return JsonResponse({"error": {"message": _("No file has arrived.")}}, status=400)
    return _file_asked(request, sent.read(FILE_MOST_BYTES + 1))


def _file_asked(request: HttpRequest, data: bytes) -> HttpResponse:
    try:
        return JsonResponse(question_shown(file_ask(asker_of(request), data)), status=202)
    except QuestionRefused as error:
        return _refused(error)


def _refused(error: QuestionRefused) -> HttpResponse:
    answer = {"error": {"code": error.code, "message": plain_sentence(error)}}
    return JsonResponse(answer, status=STATUS.get(error.code, 409))


@require_GET
@never_cache
def question(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """How far a question is, and its answer."""
    found = Question.objects.select_related("answer").filter(pk=question_id).first()
    if found is None:
        raise Http404("there is no such question")
    return JsonResponse(question_shown(found))


@require_POST
@never_cache
def stop(request: HttpRequest, question_id: UUID) -> HttpResponse:
    """The rollout is not wanted any more by who asks this."""
    found = Question.objects.filter(pk=question_id).first()
    if found is None or not rollout_stop(asker_of(request), found):
        message = _("You have not asked for this rollout, or it is over.")
        return JsonResponse({"error": {"message": message}}, status=404)
    return JsonResponse(question_shown(found))


def asker_of(request: HttpRequest) -> Asker:
    """The person who asks: an account, a guest or a stranger."""
    network = network_of(request.META.get("REMOTE_ADDR", ""))
    user = request.user
    if user.is_authenticated:
        return Asker(user.pk, True, network)
    guest = guest_of(request.session)
    return Asker(None if guest is None else guest.pk, False, network)


def _depth(text: str) -> AskedDepth | None:
    return next((depth for depth in ASKED_DEPTHS if depth == text), None)
