"""The commands a seat may give now, and why it may not give others: the one place that decides it.

The machine refuses by it, and the view's `actions` and `why_not` are made of it, so they cannot
contradict each other. A new command of players has one entry in `RULES`, in the place where its
button is shown.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from backgammon.rules.variants import by_key
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.table.absence import claimant
from games.table.errors import (
    MatchOver,
    MayNotDouble,
    MayNotResign,
    NotYourTurn,
    OnlyInPractice,
    Reason,
    TableError,
    WrongPhase,
)
from games.table.state import Phase, TableState
from games.table.turn import cube_answer_refusal, resignable_levels, why_no_double

_OFFERS: Final = ("double_offered", "resignation_offered")
_OVER: Final = {"over": Reason.MATCH_OVER, "closed": Reason.TABLE_CLOSED}
_BEFORE_A_PLAY: Final = ("roll", "rolling", "play")
_IDLE: Final = {"open": Reason.NO_OPPONENT, **_OVER}
_NO_DECISION: Final = {
    **_IDLE,
    "between_games": Reason.BETWEEN_GAMES,
    "rolling": Reason.WAITING_FOR_DICE,
}
#: what the player on turn has to do before anything else.
_OWED: Final = {
    "roll_off": Reason.ROLL_FIRST,
    "roll": Reason.ROLL_FIRST,
    "play": Reason.DICE_ON_BOARD,
    "name_double": Reason.NAME_FIRST,
    "double_offered": Reason.ANSWER_FIRST,
    "resignation_offered": Reason.ANSWER_FIRST,
}


class Standing(msgspec.Struct, frozen=True):
    """All that one seat's rights depend on; a reason is None where nothing is in the way.

    `decides` is None if neither seat owes a decision. `may_resign` is about the player on roll,
    `has_played` about a play that can be taken back, in practice.
    """

    terms: Terms
    phase: Phase
    decides: bool | None
    before_first_roll: bool
    no_double: Reason | None
    no_beaver: Reason | None
    no_raccoon: Reason | None
    may_resign: bool
    has_played: bool
    may_claim: bool
    is_ready: bool
    offers_rematch: bool


def _standing(state: TableState, seat: int, command: str | None = None) -> Standing:
    """All that this seat's rights depend on, or at least all that they do for one command."""
    game, match, phase, decider = state.game, state.match, state.phase, state.decider
    decides = None if decider is None else decider == seat
    on_roll = game is not None and game.on_roll == seat and game.starter is not None
    asks_double = command in (None, "double") and on_roll and phase in _BEFORE_A_PLAY
    answers = decides and phase == "double_offered"
    is_alone = state.absences[1 - seat].since_ms is not None
    return Standing(
        state.terms,
        phase,
        decides,
        state.before_first_roll,
        why_no_double(state, seat) if asks_double else None,
        cube_answer_refusal(state, "beaver") if answers else None,
        cube_answer_refusal(state, "raccoon") if answers else None,
        command in (None, "offer_resignation") and bool(resignable_levels(state)),
        match is not None and match.checkpoints[seat] is not None,
        is_alone and claimant(state) == seat,
        state.ready[seat],
        state.rematch[seat],
    )


class Rule(NamedTuple):
    """One command: why it is refused, the error where the reason itself names none, its tables."""

    refusal: Callable[[Standing], Reason | None]
    error: type[TableError] = WrongPhase
    known: Callable[[Terms], bool] = lambda terms: True


class Rights(NamedTuple):
    """The commands that a seat may give, and the reasons for all others; not to be changed."""

    actions: tuple[str, ...]
    why_not: dict[str, str]


# --- the reasons ----------------------------------------------------------------------------------


def _decision(now: Standing, *phases: Phase) -> Reason | None:
    """Why the seat owes no decision in one of these phases."""
    if now.phase in _NO_DECISION:
        return _NO_DECISION[now.phase]
    if not now.decides:
        return Reason.WAITING_FOR_ANSWER if now.phase in _OFFERS else Reason.NOT_YOUR_TURN
    return None if now.phase in phases else _OWED[now.phase]


def _reply(now: Standing, phase: Phase, absent: Reason = Reason.NO_OFFER) -> Reason | None:
    """Why the seat has nothing to reply to in this phase; `absent` if its own decision is other."""
    return absent if now.decides and now.phase != phase else _decision(now, phase)


def _no_resignation(now: Standing) -> Reason | None:
    if now.before_first_roll:
        return Reason.BEFORE_FIRST_ROLL
    return None if now.may_resign else Reason.REFUSED_LEVEL


def _no_take_back(now: Standing) -> Reason | None:
    if not mode_of(now.terms).is_practice:
        return Reason.ONLY_IN_PRACTICE
    if now.phase in _NO_DECISION:
        return _NO_DECISION[now.phase]
    return None if now.has_played else Reason.NOTHING_TO_TAKE_BACK


def _ready(now: Standing) -> Reason | None:
    if now.phase != "between_games":
        return _IDLE.get(now.phase, Reason.GAME_RUNNING)
    return Reason.ALREADY_READY if now.is_ready else None


def _stop(now: Standing) -> Reason | None:
    if now.terms.contest != "session":
        return Reason.NOT_AGREED
    return None if now.phase == "between_games" else _ready(now)


def _rematch(now: Standing) -> Reason | None:
    if now.phase == "over":
        return Reason.ALREADY_OFFERED if now.offers_rematch else None
    return _IDLE.get(now.phase, Reason.MATCH_RUNNING)


def _stand_up(now: Standing) -> Reason | None:
    if now.before_first_roll or now.phase in ("open", "over"):
        return None
    return _OVER.get(now.phase, Reason.DICE_HAVE_FALLEN)


def _claim(now: Standing) -> Reason | None:
    if now.phase in _IDLE:
        return _IDLE[now.phase]
    if now.before_first_roll:
        return Reason.BEFORE_FIRST_ROLL
    return None if now.may_claim else Reason.NOBODY_ABSENT


@lru_cache(maxsize=64)
def _names_doubles(variant: str) -> bool:
    """Whether a roll of this variant lets its player name a double."""
    rules = by_key(variant)
    rolls = ((high, low) for high in range(1, 7) for low in range(1, high + 1))
    return any(
        rules.flow(roll, all_played=True, own_turns_before=1).choose_double for roll in rolls
    )


#: every command of players, in the order in which they are shown.
RULES: Final[dict[str, Rule]] = {
    "roll": Rule(lambda now: _decision(now, "roll", "roll_off")),
    "double": Rule(lambda now: now.no_double or _decision(now, "roll"), MayNotDouble),
    "play": Rule(lambda now: _decision(now, "play")),
    "name_double": Rule(
        lambda now: _reply(now, "name_double", Reason.NOTHING_TO_NAME),
        known=lambda terms: _names_doubles(terms.variant),
    ),
    "take": Rule(lambda now: _reply(now, "double_offered"), known=lambda terms: terms.has_cube),
    "drop": Rule(lambda now: _reply(now, "double_offered"), known=lambda terms: terms.has_cube),
    "beaver": Rule(
        lambda now: _reply(now, "double_offered") or now.no_beaver,
        MayNotDouble,
        lambda terms: terms.beavers,
    ),
    "raccoon": Rule(
        lambda now: _reply(now, "double_offered") or now.no_raccoon,
        MayNotDouble,
        lambda terms: terms.raccoons,
    ),
    "accept_resignation": Rule(lambda now: _reply(now, "resignation_offered")),
    "refuse_resignation": Rule(lambda now: _reply(now, "resignation_offered")),
    "offer_resignation": Rule(
        lambda now: _decision(now, "roll", "play") or _no_resignation(now), MayNotResign
    ),
    "take_back": Rule(_no_take_back, known=lambda terms: mode_of(terms).is_practice),
    "ready": Rule(_ready, known=lambda terms: terms.contest != "game"),
    "stop": Rule(_stop, known=lambda terms: terms.contest == "session"),
    "rematch": Rule(_rematch),
    "stand_up": Rule(_stand_up),
    "claim": Rule(_claim),
    "leave": Rule(lambda now: _OVER.get(now.phase)),
}

#: reasons that are an error of their own, whatever command meets them; WrongPhase for the others.
_ERRORS: Final = {
    **dict.fromkeys((*_NO_DECISION.values(), *_OWED.values(), Reason.NO_OFFER), WrongPhase),
    Reason.MATCH_OVER: MatchOver,
    Reason.TABLE_CLOSED: MatchOver,
    Reason.NOT_YOUR_TURN: NotYourTurn,
    Reason.WAITING_FOR_ANSWER: NotYourTurn,
    Reason.ONLY_IN_PRACTICE: OnlyInPractice,
}


# --- a seat, and what it may do -------------------------------------------------------------------


def rights(state: TableState, seat: int) -> Rights:
    """The commands that the player of this seat may give, and why not the others.

    `claim` is among them from the beginning of an absence; the table takes it from `claim_ms` on.
    """
    if state.seats[seat] is None:
        return _NOBODY
    return _rights(_standing(state, seat))


def permit(state: TableState, seat: int, command: str) -> None:
    """Raise the `TableError` with which the table refuses this command of this seat, if it does.

    Its `fields["reason"]` is the `Reason`.
    """
    rule = RULES[command]
    reason = rule.refusal(_standing(state, seat, command))
    if reason is not None:
        error = _ERRORS.get(reason, rule.error)
        raise error(f"{command} is not possible now: {reason}", reason=reason)


_NOBODY: Final = Rights((), {})


@lru_cache(maxsize=4096)  # there are some hundred different ones
def _rights(now: Standing) -> Rights:
    refusals = {name: RULES[name].refusal(now) for name in _commands(now.terms)}
    allowed = [name for name, reason in refusals.items() if reason is None]
    if "leave" in allowed and ("stand_up" in allowed or "stop" in allowed):
        allowed.remove("leave")  # it is accepted, and the same
    why_not = {name: reason.value for name, reason in refusals.items() if reason is not None}
    return Rights(tuple(allowed), why_not)


@lru_cache(maxsize=1024)
def _commands(terms: Terms) -> tuple[str, ...]:
    """The commands that a player of such a table can ever give."""
    return tuple(name for name, rule in RULES.items() if rule.known(terms))


def actions(state: TableState, seat: int) -> tuple[str, ...]:
    """The names of the commands that `seat` may give now, in the order they are shown."""
    return rights(state, seat).actions
