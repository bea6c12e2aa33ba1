"""Commands of people at a chouette: decide, play, advise, give their part in the dice, stand up.

The desk voids a running game: every stake goes back whole, and nobody wins a point.

Each command is one transaction under the table's lock, and what follows from it by itself belongs
to it (`chouette/services/course.py`).
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import User
from backgammon.rules.errors import RulesError
from games.chouette import commands as cmd
from games.chouette import settlement
from games.chouette.engine.errors import BadAnswer, NotYours
from games.chouette.engine.rights import may_advise, mover_of
from games.chouette.engine.state import position_after
from games.chouette.errors import ChouetteStakeNotPossible, ChouetteStale, GameOver, NoSuchChouette
from games.chouette.models import Circle, Game
from games.chouette.pace import TeamAdvice, spent
from games.chouette.services.course import go_on
from games.chouette.services.dice import ChouetteDice
from games.chouette.services.opening import bot_invite, locked, person_sits, work_on
from games.chouette.services.store import Work
from games.services.administration import Decidable, Effect
from games.services.answers import SentCommand, command_once, refusal_answer
from games.services.commit import free_row_lock, row_lock
from games.services.dice.parts import DiceRefused
from games.services.seats import person_lock
from kit.sweeps import go_round, stuck_items

#: how long a person may be gone between two games before they lose their seat.
GONE_SECONDS: Final = 120


def chouette_command(
    *,
    user: User,
    circle_id: UUID,
    command: Any,
    command_id: str | None = None,
    seen_seq: int = 0,
) -> int:
    """Carry a command out, once where it has an id; the number of the newest event after it.

    Where the books refuse the game that would follow from it, the game waits, and the command is
    carried out without it; starting one is refused then. Raises `TableError` with a code, and then
    nothing has changed by the command.
    """

    def lock(circle_id: UUID) -> Circle:
        if isinstance(command, cmd.SitDown):
            person_lock(user.pk)
        return row_lock(Circle, circle_id, NoSuchChouette)

    def carry_out(circle: Circle) -> int:
        work = work_on(circle)
        _carry_out(work, user, command)
        go_on(work)
        return work.circle.seq

    sent = SentCommand(circle_id, user.pk, command_id, seen_seq)
    try:
        return command_once(sent, lock, carry_out)
    except settlement.StakeRefused as refused:
        _refused_stands_up(circle_id, refused)
        if isinstance(command, cmd.StartGame):
            return refusal_answer(_not_possible(refused, user), sent, lock)
    return command_once(sent, lock, carry_out)  # the next game waits: nothing is staked now


def _not_possible(refused: settlement.StakeRefused, user: User) -> ChouetteStakeNotPossible:
    who = "you" if refused.user_id == user.pk else "opponent"
    return ChouetteStakeNotPossible(str(refused), who=who, reason=refused.code)


def _carry_out(work: Work, user: User, command: Any) -> None:
    if isinstance(command, cmd.Wake):
        return
    if isinstance(command, cmd.Decision) and command.turn != work.pace.turn:
        raise ChouetteStale("this decision is not due any more")
    if not isinstance(command, cmd.SitDown):
        work.seated_check(user.pk)
    work.set_pace(away=tuple(each for each in work.pace.away if each != user.pk))
    _HANDLERS[type(command)](work, user, command)


def _sit(work: Work, user: User, _command: cmd.SitDown) -> None:
    person_sits(work, user)


def _stand_up(work: Work, user: User, _command: cmd.StandUpNow) -> None:
    work.engine.stand_up(user.pk)


def _leave_after(work: Work, user: User, command: cmd.LeaveAfter) -> None:
    others = tuple(each for each in work.pace.leaving if each != user.pk)
    work.set_pace(leaving=(*others, user.pk) if command.on else others)


def _start(work: Work, _user: User, _command: cmd.StartGame) -> None:
    if work.pace.next_game_ms is not None:
        work.set_pace(next_game_ms=work.now_ms)


def _invite_bot(work: Work, user: User, _command: cmd.InviteBot) -> None:
    bot_invite(work, user)


def _decide(work: Work, user: User, command: cmd.Decide) -> None:
    work.engine.decide(user.pk, doubles=command.doubles)


def _box_answers(work: Work, user: User, command: cmd.BoxAnswers) -> None:
    _box_check(work, user)
    work.engine.box_answers(command.answers)


def _beaver_answer(work: Work, user: User, command: cmd.BeaverAnswer) -> None:
    work.engine.beaver_answer(user.pk, accepts=command.accepts)


def _box_doubles(work: Work, user: User, command: cmd.BoxDoubles) -> None:
    _box_check(work, user)
    work.engine.box_doubles(command.players)


def _answer(work: Work, user: User, command: cmd.AnswerDouble) -> None:
    work.engine.answer(user.pk, command.answer)


def _box_beaver_answers(work: Work, user: User, command: cmd.BoxBeaverAnswers) -> None:
    _box_check(work, user)
    work.engine.box_beaver_answers(command.accepts)


def _play(work: Work, user: User, command: cmd.ChouettePlay) -> None:
    game = work.state.game
    if game is None or mover_of(game) != user.pk:
        raise NotYours("somebody else moves")
    banks_ms = spent(work.state, work.pace, work.now_ms)
    work.engine.play(command.moves)
    work.set_pace(banks_ms=banks_ms)


def _advise(work: Work, user: User, command: cmd.Advise) -> None:
    game = work.state.game
    if game is None or not may_advise(work.state, user.pk):
        raise NotYours("you may not advise the captain now")
    try:
        position_after(game, command.moves)
    except RulesError as error:
        raise BadAnswer(str(error)) from error
    others = tuple(each for each in work.pace.advice if each.player != user.pk)
    work.set_pace(advice=(*others, TeamAdvice(user.pk, command.moves)))


def _agree(work: Work, user: User, command: cmd.Agree) -> None:
    if not may_advise(work.state, user.pk) or command.player == user.pk:
        raise NotYours("you may not advise the captain now")
    work.set_pace(
        advice=tuple(
            msgspec.structs.replace(each, agree=(*each.agree, user.pk))
            if each.player == command.player and user.pk not in each.agree
            else each
            for each in work.pace.advice
        )
    )


def _tip(work: Work, user: User, command: cmd.Tip) -> None:
    dice, seat = _dice_of(work, user, command.game)
    dice.give_value(seat, command.tip)
    dice.save()
    work.has_parts = True


def _element(work: Work, user: User, command: cmd.Element) -> None:
    dice, seat = _dice_of(work, user, command.game)
    dice.give_element(seat, command.n, command.element)
    dice.save()
    work.has_parts = True


def _dice_of(work: Work, user: User, game_key: str) -> tuple[ChouetteDice, int]:
    """The dice of the running game, and the colour of this person."""
    if work.state.game is None or work.game.key != game_key:
        raise DiceRefused("this game takes no parts now")
    sides = (work.game.box_id, work.game.captain_id)
    if user.pk not in sides:
        raise DiceRefused("the parts come from the box and the captain")
    return ChouetteDice(work.game), sides.index(user.pk)


def _box_check(work: Work, user: User) -> None:
    game = work.state.game
    if game is None or game.box != user.pk:
        raise NotYours("this is for the box to decide")


_HANDLERS: Final[dict[type, Callable[[Work, User, Any], None]]] = {
    cmd.SitDown: _sit,
    cmd.StandUpNow: _stand_up,
    cmd.LeaveAfter: _leave_after,
    cmd.StartGame: _start,
    cmd.InviteBot: _invite_bot,
    cmd.Decide: _decide,
    cmd.BoxAnswers: _box_answers,
    cmd.BeaverAnswer: _beaver_answer,
    cmd.BoxDoubles: _box_doubles,
    cmd.AnswerDouble: _answer,
    cmd.BoxBeaverAnswers: _box_beaver_answers,
    cmd.ChouettePlay: _play,
    cmd.Advise: _advise,
    cmd.Agree: _agree,
    cmd.Tip: _tip,
    cmd.Element: _element,
}


# --- without a command --------------------------------------------------------------------------


def chouettes_due() -> QuerySet[Circle]:
    """The tables at which something is due, in any order, so that none is always left out."""
    return Circle.objects.filter(wake_at__lte=Now(), closed_at=None).order_by("?")


def chouette_move_on(circle_id: UUID) -> bool:
    """Do what is due at one table; False if somebody else does at the moment."""
    try:
        with transaction.atomic(durable=True):
            circle = free_row_lock(Circle, circle_id)
            if circle is None or circle.closed_at is not None:
                return False
            go_on(Work(circle))
            return True
    except settlement.StakeRefused as refused:
        _refused_stands_up(circle_id, refused)
        return True


def _refused_stands_up(circle_id: UUID, refused: settlement.StakeRefused) -> None:
    """The books refused a stake of the next game: its player stands up, and the game waits."""
    with transaction.atomic(durable=True):
        work = locked(circle_id)
        if refused.user_id in work.state.people and work.state.game is None:
            work.engine.stand_up(refused.user_id)
        work.put_off()
        go_on(work)


def people_stand_up(gone: Collection[int]) -> int:
    """Let people who have gone stand up, between games or before the first; return how many."""
    sweep = "places"
    left = Circle.objects.filter(
        closed_at=None, places__user__in=gone, places__stood_up_at=None
    ).exclude(pk__in=stuck_items(sweep))
    keys = left.distinct().values_list("pk", flat=True)
    return go_round(sweep, keys, lambda circle_id: _stand_up_at(circle_id, gone))


def _stand_up_at(circle_id: UUID, gone: Collection[int]) -> int:
    with transaction.atomic(durable=True):
        work = locked(circle_id)
        leaving = [each for each in gone if each in work.state.people]
        if work.state.game is not None or not leaving:
            return 0
        for player in leaving:
            work.engine.stand_up(player)
        go_on(work)
        return len(leaving)


class GameCase(Decidable):
    """A game that is voided; all who ever sat at its table are barred. Raises `DoesNotExist`.

    The highest stake is the box's, if the team has two members or more.
    """

    def __init__(self, game_id: UUID, lock: bool = False) -> None:
        game = Game.objects.select_related("circle").get(pk=game_id)
        self._circle = row_lock(Circle, game.circle_id, NoSuchChouette) if lock else game.circle
        self.game = Game.objects.get(pk=game_id) if lock else game
        rows = game.shares.order_by("-stake_cents", "pk")
        self.stakes_cents = dict(rows.values_list("user_id", "stake_cents"))
        self.players = self.stakes_cents.keys()
        self.people = set(game.circle.places.values_list("user_id", flat=True))
        self.stake_cents = max(self.stakes_cents.values(), default=0)
        self.reference = game.reference

    def effect(self) -> Effect:
        """Every stake goes back. Raises `GameOver`."""
        if self.game.ended_at is not None:
            raise GameOver("the game has ended")
        before = {"game": self.game.number, "ending": ""}
        return Effect(verb="chouette.void", paid_cents=self.stakes_cents, before=before)

    def carry_out(
        self, _actor: User, _reason: str, _proposer: User | None
    ) -> tuple[Mapping[str, Any], Callable[[], object] | None]:
        """Void the game; the table goes on."""
        work = Work(self._circle)
        work.game = self.game
        work.engine.void()
        return {"game": self.game.number, "ending": "voided"}, partial(go_on, work)
