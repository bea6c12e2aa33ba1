"""The house bot plays whole games through the services, and only without a stake."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from backgammon.bots.strength import LEVELS, STRENGTHS, STRONGEST
from backgammon.tests.amounts import LONG
from games.bots.player import answer
from games.forms.practice import levels_in_words
from games.models import BotTurn, HouseBot, Match, TableEvent
from games.selectors import table_state
from games.services.attendance import seats_awaited
from games.services.house_bots import HouseBotOnlyPractises, NoSuchStrength, house_bot
from games.services.practice import bots_answer_due, practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.evolve import replay
from games.tasks import bot_move
from games.wire import event_from_payload
from kit.database import database_now_ms, moment
from ledger.selectors import wallet_balance
from ratings.models import RatingChange
from tests.pages.test_pages import text_of
from tests.practice.conftest import Practice, decided

pytestmark = pytest.mark.django_db(transaction=True)

STAKED = (
    {"mode": "normal"},
    {"mode": "prize3", "stake_cents": 250},
    {"mode": "prize5", "stake_cents": 250},
    {"mode": "single", "rate_cents": 100, "limit_cents": 1000},
    {"mode": "stake", "stake_cents": 50},
)
ROLLS = ((3, 1), (6, 4), (5, 2), (6, 6), (2, 1), (5, 4), (4, 4), (6, 3))


def play_out(table: Practice) -> None:
    """hilde plays as an expert would, without the cube; the worker answers until it is over."""
    for _ in range(1_000):
        state = table.state
        if state.phase == "over":
            return
        if state.decider == 1:
            assert bot_move(str(table.pk)) > 0
            continue
        table.give(decided(state, 0))
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_whole_game_against_each_strength(
    strength: str, practise: Callable[..., Practice], dice: Callable[..., None]
) -> None:
    dice(*ROLLS)
    # three checkers each, which is soon over, except in a long run against the strongest
    variant = "backgammon" if LONG and strength == STRONGEST else "hypergammon"
    table = practise(strength=strength, variant=variant)
    play_out(table)
    match = Match.objects.get(table=table.pk)
    assert match.ended_at is not None
    assert (match.rake_cents, match.paid_cents) == (0, [0, 0])
    assert not RatingChange.objects.exists()
    assert wallet_balance(table.user.pk) == 10_000
    stored = TableEvent.objects.filter(table=table.pk).order_by("seq")
    assert replay(event_from_payload(row.payload) for row in stored) == table.state
    call_command("audit")


def test_the_bot_sits_there_at_once_and_is_marked(practise: Callable[..., Practice]) -> None:
    table = practise(strength="beginner")
    assert table.table.phase == "roll"
    person = table.table.people[1]
    assert (person["bot"], person["plays_as"]) == (True, "beginner")
    assert table.table.people[0]["plays_as"] is None


def test_one_player_for_each_strength(practise: Callable[..., Practice]) -> None:
    bots = {strength: house_bot(strength) for strength in STRENGTHS}
    assert bots == {strength: house_bot(strength) for strength in STRENGTHS}
    assert len({bot.pk for bot in bots.values()}) == len(STRENGTHS) == HouseBot.objects.count()
    for bot in bots.values():
        assert bot.is_bot
        assert not bot.has_usable_password()
        assert wallet_balance(bot.pk) == 0


def test_a_new_level_takes_over_no_stored_player() -> None:
    """The players of a house that is older than a level stay those of their own levels."""
    older = {key: house_bot(key).pk for key in ("beginner", "expert")}
    added = [house_bot(key).pk for key in STRENGTHS if key not in older]
    assert {key: house_bot(key).pk for key in older} == older
    assert len({*older.values(), *added}) == len(STRENGTHS)


def test_an_unknown_strength_opens_nothing(hilde: User) -> None:
    with pytest.raises(NoSuchStrength):
        practice_open(user=hilde, strength="godlike")
    assert not HouseBot.objects.exists()


@pytest.mark.parametrize("wishes", STAKED, ids=lambda wishes: wishes["mode"])
def test_the_house_bot_never_sits_where_anything_is_at_stake(
    wishes: dict[str, object], hilde: User
) -> None:
    bot = house_bot("expert")
    table = table_open(user=hilde, **wishes)
    with pytest.raises(HouseBotOnlyPractises):
        table_join(user=bot, table_id=table.pk)
    table.refresh_from_db()
    assert (table.phase, table.guest_id) == ("open", None)


@pytest.mark.parametrize("mode", ["normal"])
def test_the_house_bot_opens_no_table(mode: str) -> None:
    with pytest.raises(HouseBotOnlyPractises):
        table_open(user=house_bot("expert"), mode=mode)


def test_a_lost_wake_up_is_found_by_the_sweep(practise: Callable[..., Practice]) -> None:
    """The worker died between the commit and the answer; the row is still there."""
    table = practise()
    table.give(cmd.Roll())
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    assert table.state.decider == 1
    assert bots_answer_due() == 0  # the task that was sent comes first
    BotTurn.objects.update(due_at=moment(database_now_ms()))
    assert bots_answer_due() == 1
    assert table.state.decider == 0
    assert not BotTurn.objects.exists()


@pytest.mark.slow
def test_waking_the_bot_twice_moves_it_once(practise: Callable[..., Practice]) -> None:
    table = practise()
    table.give(cmd.Roll())
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    assert bot_move(str(table.pk)) > 0
    types = table.types()
    assert bot_move(str(table.pk)) == 0
    assert table.types() == types


def test_waking_a_table_without_bot_does_nothing(hilde: User) -> None:
    assert bot_move(str(table_open(user=hilde, mode="normal").pk)) == 0
    assert bot_move(str(uuid4())) == 0


def test_the_bot_is_never_absent(practise: Callable[..., Practice]) -> None:
    table = practise()
    assert seats_awaited([table.pk]) == [(table.pk, 0)]
    table.give(cmd.Roll())
    table.give(answer(table.state, 0, strength=STRONGEST, seed=""))
    assert table.state.decider == 1
    assert seats_awaited([table.pk]) == []


def test_the_bot_plays_again_when_asked(practise: Callable[..., Practice]) -> None:
    table = practise(variant="hypergammon")
    table.give(cmd.Roll())
    table.give(cmd.Leave())
    table.give(cmd.Rematch())
    bot_move(str(table.pk))
    assert table.state.match.number == 2
    assert table_state(table.table).phase == "roll"


# --- the lobby ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Bot · Intermediate"), ("de", "Bot · Fortgeschritten")]
)
def test_a_house_bot_has_its_strength_in_words_and_no_rating(hilde, language, words):
    practice_open(user=hilde, strength="intermediate")
    client = Client(headers={"accept-language": language})
    client.force_login(hilde)
    told = text_of(client.get(reverse("lobby")))
    assert f"{words} " in told
    mine = told.split(words)[0].rsplit("Pasch", 1)[1]
    assert "1500" not in mine


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_level_stands_with_its_sentence_and_its_rate(hilde, language):
    """On the page with every rule, to which the lobby leads; without scripts, too."""
    client = Client(headers={"accept-language": language})
    client.force_login(hilde)
    shown = text_of(client.get(reverse("practice_open")))
    with translation.override(language):
        levels = levels_in_words()
    assert len(levels) == len(LEVELS)
    for level in levels:
        assert f"{level.name} {level.sentence} {level.rate}." in shown


def test_the_page_with_every_rule_describes_the_chosen_level(hilde):
    client = Client(headers={"accept-language": "en"})
    client.force_login(hilde)
    for strength, times in (("child", 2), ("alone", 1)):
        shown = text_of(client.get(reverse("practice_open"), {"strength": strength}))
        assert shown.count(LEVELS[0].sentence) == times
