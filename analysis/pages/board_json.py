"""Positions, questions and answers as the analysis board's script and programs get them."""

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.models import PositionAnswer, Question, Rollout
from analysis.pages.problems import file_shown
from analysis.questions import (
    ROLLOUT,
    STOPPED,
    has_worker,
    progress_of,
    questions_before,
)
from backgammon.analysis.rollouts import RolloutChoices, percent
from backgammon.counting.pasted import PastedPosition
from backgammon.rules.xgid import Offer, X, Xgid

Row = dict[str, Any]

NOTATIONS: Final = {
    "xgid": "XGID",
    "ogid": "OGID",
    "position_id": "Position ID",
    "gnubg_id": "Position ID, Match ID",
    "match_id": "Match ID",
    "fibs": "FIBS",
}
SIDES: Final = (gettext_lazy("light"), gettext_lazy("dark"))


def position_shown(xgid: Xgid) -> Row:
    """A position with everything that can be set on the page; light is X, 0 is light."""
    # a double that was offered is the question about the cube before it
    position = xgid.position
    return {
        "xgid": xgid.text(),
        "points": list(position.points),
        "bar": list(position.bar),
        "off": list(position.off),
        "cube": xgid.cube_value,
        "owner": xgid.cube_owner,
        "turn": xgid.turn,
        "dice": sorted(xgid.dice, reverse=True) if xgid.dice else None,
        "score": list(xgid.score),
        "length": xgid.length,
        "crawford": xgid.crawford,
        "jacoby": xgid.jacoby,
        "beavers": xgid.beavers,
    }


def found_words(found: PastedPosition) -> str:
    """The position that was read, in words: "XGID: match to 5, 0 : 0, light to play 5-3"."""
    xgid = found.xgid
    parts = [_("unlimited play")]
    if xgid.length:
        parts = [
            _("match to %(length)d") % {"length": xgid.length},
            f"{xgid.score[0]} : {xgid.score[1]}",
        ]
    if xgid.crawford:
        parts.append(_("Crawford"))
    return f"{NOTATIONS[found.notation]}: {', '.join([*parts, _to_do(xgid)])}"


def _to_do(xgid: Xgid) -> str:
    side = {"side": SIDES[xgid.turn]}
    if xgid.offer is Offer.DOUBLE:
        return _("%(side)s has doubled") % side
    if xgid.dice is None:
        return _("%(side)s is on roll") % side
    return _("%(side)s to play %(dice)s") % {**side, "dice": "-".join(map(str, xgid.dice))}


def question_shown(question: Question) -> Row:
    """How far a question is, and its answer or the decisions of its file."""
    told: Row = {
        "id": str(question.pk),
        "url": reverse("analysis_question", args=[question.pk]),
        "state": state_of(question),
        "depth": question.depth,
        "percent": None,
        "before": None,
        "worker": None,
        "answer": None if question.answer is None else answer_shown(question.answer),
        "so_far": None,
        "stop_url": None,
        "file": None,
        "faults": [],
        "faults_count": 0,
        "error": None,
    }
    rollout = _rollout_of(question)
    if rollout is not None and question.answer is None:
        told["so_far"] = rollout.line
    if state_of(question) == "stopped":
        return told
    if question.done_at is None:
        told["percent"] = progress_of(question)
        if rollout is not None:
            choices = RolloutChoices.parse(question.choices)
            told["percent"] = percent(rollout.blocks, rollout.seconds, choices)
            told["stop_url"] = reverse("analysis_stop", args=[question.pk])
        told["before"] = questions_before(question)
        told["worker"] = has_worker()
    elif question.found is not None:
        told |= file_shown(question.found)
    elif question.answer is None:
        told["error"] = {"message": _("The engine could not evaluate this position.")}
    return told


def state_of(question: Question) -> str:
    """waiting, working, done, stopped or failed."""
    if question.done_at is not None:
        if question.failure == STOPPED:
            return "stopped"
        return "failed" if question.failure else "done"
    rollout = _rollout_of(question)
    if rollout is None:
        return "waiting" if progress_of(question) is None else "working"
    if rollout.wanted < 1:
        return "stopped"
    return "working" if rollout.blocks else "waiting"


def _rollout_of(question: Question) -> Rollout | None:
    return Rollout.objects.filter(question=question).first() if question.depth == ROLLOUT else None


def answer_shown(answer: PositionAnswer) -> Row:
    """An answer with the engine, its version and the plies it was found with."""
    return {
        **answer.line,
        "depth": answer.depth,
        "engine": answer.engine,
        "version": answer.version,
        "seconds": round(answer.seconds, 2),
    }


assert X == 0, "light comes first"
