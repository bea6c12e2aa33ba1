"""The choices of a rollout: one description for the page and for programs.

A rollout with choices of its own counts towards the hours of engine that a person has in a week,
by its estimate, because a question names nobody. Without any it counts towards those of a day.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework import serializers

from analysis.models import Question
from analysis.questions import ROLLOUT, Asker, QuestionRefused, position_ask
from analysis.queue import engine_hours, engine_seconds
from backgammon.analysis.rollouts import USUAL, RolloutChoices
from backgammon.counting.decisions import DecidedPlay
from backgammon.counting.positions import decision_of, key_of, roll_of
from backgammon.engines.rollout import BLOCK, CANDIDATES_MOST
from backgammon.rules.errors import RulesError
from backgammon.rules.notation import format_play
from backgammon.rules.variants import by_key
from backgammon.rules.xgid import Xgid
from kit.api import READABLE_OR_EMPTY, StrictSerializer
from kit.throttle import Rate, counted, take

#: the trials and the turns of a trial that can be chosen.
TRIALS: Final = (BLOCK, 144 * BLOCK)
TURNS: Final = (2, 25)
PLIES: Final = (1, 2)

#: the longest rollout that is begun, by its estimate.
MOST_SECONDS: Final = 1800

_WEEK_SECONDS: Final = 7 * 86_400
_SPENT: Final = "analysis:rollout-seconds"


class RolloutTooLong(QuestionRefused):
    """It needs more of the engine than this person has left, or than one rollout may take."""

    code = "rollout_too_long"
    sentence = gettext_noop(
        "This rollout takes about {minutes} minutes of engine; you have {left} for one now."
    )


class RolloutChoicesSerializer(StrictSerializer):
    """How a rollout goes; what is left out is as usual."""

    play = serializers.RegexField(
        READABLE_OR_EMPTY,
        required=False,
        allow_blank=True,
        max_length=60,
        help_text="Your own play, rolled out beside the best ones.",
    )
    trials = serializers.IntegerField(
        required=False,
        min_value=TRIALS[0],
        max_value=TRIALS[1],
        help_text=f"In whole {BLOCK}s; without it, as many as make it exact enough.",
    )
    plies = serializers.IntegerField(
        required=False,
        default=USUAL.plies,
        min_value=PLIES[0],
        max_value=PLIES[1],
        help_text="How deep the players of the trials look.",
    )
    turns = serializers.IntegerField(
        required=False,
        default=USUAL.turns,
        min_value=TURNS[0],
        max_value=TURNS[1],
        help_text="After which a trial is cut short and judged.",
    )
    cube = serializers.BooleanField(
        required=False, default=USUAL.cube, help_text="False: nobody doubles."
    )


@dataclass(frozen=True, slots=True)
class RolloutEstimate:
    """Seconds of a core that a rollout takes, about, and how many this person has for one now."""

    seconds: int
    seconds_left: int


def choices_of(xgid: Xgid, values: dict[str, Any]) -> RolloutChoices:
    """Return the choices for the rollout of a position.

    Raises the framework's `ValidationError` with the field at fault, and `RulesError` for a
    position that cannot be judged.
    """
    asked = RolloutChoicesSerializer(data=values)
    asked.is_valid(raise_exception=True)
    chosen = dict(asked.validated_data)
    decision = decision_of(key_of(xgid))
    if not isinstance(decision, DecidedPlay):
        _refuse(chosen.get("play"), "play", _("Without dice there is no play: choose a roll."))
        _refuse(not chosen["cube"], "cube", _("Without dice the cube is the question."))
    if chosen.get("play"):
        chosen["play"] = _play(xgid, chosen["play"])
    if "trials" in chosen:
        chosen["trials"] = -(-chosen["trials"] // BLOCK) * BLOCK
    return RolloutChoices(**chosen)


def _refuse(is_wrong: object, field: str, message: str) -> None:
    if is_wrong:
        raise serializers.ValidationError({field: [message]})


def _play(xgid: Xgid, text: str) -> str:
    """Return a play as answers write it."""
    key = key_of(xgid)
    situation = decision_of(key).situation
    assert key.dice is not None, "there is a play"
    try:
        made = roll_of(situation, key.dice, text).played
    except RulesError as error:
        words = _("This is no play of this roll.")
        raise serializers.ValidationError({"play": [words]}) from error
    assert made is not None, "it was named"
    return format_play(by_key(situation.variant), situation.position, made.moves)


def rollout_estimate(asker: Asker, xgid: Xgid, choices: RolloutChoices) -> RolloutEstimate:
    """Estimate the work of a rollout, and what is left for it of this person's hours."""
    decision, candidates = decision_of(key_of(xgid)), 2
    if isinstance(decision, DecidedPlay):
        candidates = min(len(decision.choices), CANDIDATES_MOST + bool(choices.play))
    left = 0
    if asker.has_account:
        left = max(0, min(MOST_SECONDS, _most_seconds(asker) - counted(_SPENT, *_spent(asker))))
    return RolloutEstimate(round(choices.seconds_about(candidates)), left)


def rollout_ask(asker: Asker, xgid: Xgid, choices: RolloutChoices) -> Question:
    """Ask for a rollout; one that others have asked for alike costs nothing.

    :raises RulesError: for a position that cannot be judged.
    :raises QuestionRefused: if this asker may not ask it now; `RolloutTooLong` among them.
    """

    def spend() -> None:
        about = rollout_estimate(asker, xgid, choices)
        is_short = about.seconds <= about.seconds_left
        if not is_short or not take(_SPENT, *_spent(asker), about.seconds):
            minutes = -(-about.seconds // 60)
            raise RolloutTooLong(minutes=minutes, left=about.seconds_left // 60)

    text = choices.text()
    if not text:
        return position_ask(asker, xgid, ROLLOUT)
    return position_ask(asker, xgid, ROLLOUT, text, spend)


def _most_seconds(asker: Asker) -> int:
    """The hours of a week that the person's matches have left, in seconds."""
    assert asker.person is not None, "an account"
    return int(3600 * engine_hours() - engine_seconds(asker.person))


def _spent(asker: Asker) -> tuple[str, Rate]:
    return asker.name, Rate(max(0, _most_seconds(asker)), _WEEK_SECONDS)
