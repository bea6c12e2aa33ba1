"""Practice: a table against the house bot or alone, the bot's answers, and hints."""

from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from backgammon.bots.strength import STRONGEST
from backgammon.rules.position import Way
from backgammon.rules.xgid import Xgid
from games.bots.player import advice, advice_frame, answer
from games.models import BotTurn, Table
from games.modes.families import LONGEST_MATCH
from games.modes.kinds.practice import MODE
from games.modes.registry import PRACTICE_KEYS
from games.modes.terms import Terms
from games.selectors import table_get, table_state, terms_offered
from games.services.guests import guest_begin_check
from games.services.house_bots import ALONE, bot_awaited, hand, house_bot
from games.services.seats import table_create
from games.services.tables import NoSuchTable, Stale, table_command
from games.table import commands as cmd
from games.table.errors import BadSetup, NotSeated, NotYourTurn, OnlyInPractice, TableError
from games.table.setup import Setup, setup_check
from kit.database import database_now_ms, moment
from kit.sweeps import go_round, stuck_items

#: more commands than one bot ever gives before a person must decide.
ANSWERS_MAX = 64

SWEEP_BATCH = 20


def practice_open(
    *, user: User, strength: str = STRONGEST, clock: str = "slow", **wishes: object
) -> Table:
    """Open a practice table at which the house bot of this strength sits already.

    With the strength "alone" there is no bot: the opener plays both sides. The opener may wait at
    an open table meanwhile. The other wishes are those of `games.modes.terms.Wishes`. Raises
    `BadTerms`, `NoSuchStrength`, and what `guest_begin_check` does.
    """
    terms = terms_offered(mode="practice", clock=clock, **wishes)
    return _open(user, strength, terms)


def practice_from(
    *, user: User, xgid: Xgid, side: int, strength: str = "expert", clock: str = "slow"
) -> Table:
    """`practice_open` with a game of backgammon that begins from a position, at its score.

    The opener plays X (`side` 0) or O (1) of the position. Its dice are not on the board: they are
    rolled anew. Also raises `BadSetup`, which names the `field` that is wrong.
    """
    if side not in (0, 1):
        raise BadSetup(f"a position has no side {side}", field="side")
    free = {"jacoby": xgid.jacoby, "beavers": xgid.beavers} if not xgid.length else {}
    terms = terms_offered(mode="practice", clock=clock, **free)
    if xgid.length:
        if xgid.length > LONGEST_MATCH:
            raise BadSetup(f"a match goes to {LONGEST_MATCH} points at most", field="length")
        terms = MODE.at_score(terms, xgid.length)
    setup = _setup_of(xgid, side)
    setup_check(setup, terms)  # before a bot or a table is made for it
    return _open(user, strength, terms, setup)


def _setup_of(xgid: Xgid, side: int) -> Setup:
    """The position with the opener in seat 0, who plays X (0) or O (1)."""
    position, owner = xgid.position, xgid.cube_owner
    turned = side == 1
    return Setup(
        position=(position.turned(Way.AGAINST) if turned else position).text(),
        on_roll=xgid.turn ^ side,
        cube_value=xgid.cube_value,
        cube_owner=None if owner is None else owner ^ side,
        score=xgid.score[::-1] if turned else xgid.score,
        crawford=xgid.crawford,
    )


def _open(user: User, strength: str, terms: Terms, setup: Setup | None = None) -> Table:
    guest_begin_check(user)
    with transaction.atomic(durable=True):
        return practice_seat(user, strength, terms, setup)


def practice_seat(user: User, strength: str, terms: Terms, setup: Setup | None = None) -> Table:
    """A practice table of these two, inside the caller's transaction. Raises `NoSuchStrength`."""
    bot = house_bot(strength)
    change = table_create(user.pk, terms)
    change.give(cmd.Sit(player=bot.pk, match=str(uuid4()), setup=setup))
    change.store()
    return change.table


def bot_answer(*, table_id: UUID) -> int:
    """Let a table's house bot answer until a person must decide; how many commands it gave.

    Safe to run any number of times at once: a command's id follows from the event it answers, so
    the same answer is given once, and one given on an old view is refused.
    """
    for given in range(ANSWERS_MAX):
        if not _answer_once(table_id):
            return given
    return ANSWERS_MAX


def _answer_once(table_id: UUID) -> bool:
    table = table_get(table_id)
    if table is None or table.mode not in PRACTICE_KEYS:
        return False
    state = table_state(table)
    found = bot_awaited(state)
    if found is None:
        return False
    seat, strength = found
    # Alone it only agrees to go on: nothing that a strength blurs.
    plays_as = STRONGEST if strength == ALONE else strength
    command = answer(state, seat, strength=plays_as, seed=f"{table.pk}:{table.seq}")
    if command is None:
        return False
    user_id = state.seats[seat]
    assert user_id is not None, "the bot sits there"
    try:
        table_command(
            table_id=table.pk,
            user_id=user_id,
            command_id=f"bot:{table.seq}",
            seen_seq=table.seq,
            command=command,
        )
    except Stale:  # another command was quicker: look again
        return True
    except TableError as error:
        if error.code in ("busy", "time_over", "match_over"):
            return False
        raise
    return True


def bots_answer_due() -> int:
    """Answer at every table that has waited for its bot too long; how many there were."""
    waiting = _due().order_by("due_at").exclude(table_id__in=stuck_items("bots"))
    table_ids = list(waiting.values_list("table_id", flat=True)[:SWEEP_BATCH])
    return go_round("bots", table_ids, _answered)


def bots_are_due() -> bool:
    """Whether a table has waited for its bot too long."""
    return _due().exists()


def _due() -> QuerySet[BotTurn]:
    return BotTurn.objects.filter(due_at__lte=moment(database_now_ms()))


def _answered(table_id: UUID) -> int:
    """Answer at one table, whether or not there was anything to say."""
    bot_answer(table_id=table_id)
    return 1


def hint(*, table_id: UUID, user_id: int | None) -> dict[str, Any]:
    """The strongest bot's command in this player's place, as the frame `hint`.

    Raises `NoSuchTable`, `OnlyInPractice`, `NotSeated`, `NotYourTurn` (there is no decision).
    """
    table = table_get(table_id)
    if table is None:
        raise NoSuchTable("there is no such table")
    if table.mode not in PRACTICE_KEYS:
        raise OnlyInPractice("hints are given in practice alone")
    state = table_state(table)
    seat = None if user_id is None else hand(state, user_id)
    if seat is None:
        raise NotSeated("hints are for the players")
    given = advice(state, seat)
    if given is None:
        raise NotYourTurn("there is nothing for you to decide")
    return {"type": "hint", "seq": table.seq, **advice_frame(state, given)}
