"""A stored chouette: games for credits, hidden decisions, time, people who go, dice, bots."""

import random
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import Client

from backgammon.dice.record import records_of_json
from backgammon.dice.verify import verify_match
from backgammon.tests.amounts import amount
from games.chouette import commands as cmd
from games.chouette.engine.errors import ChouetteError
from games.chouette.errors import ChouetteStakeNotPossible, ChouetteStale, SitsElsewhere
from games.chouette.models import Circle, Game, Place, Roll, Share
from games.chouette.pace import BANK_MS, DELAY_MS, PAUSE_MS
from games.chouette.services.dice import records
from games.chouette.services.opening import circle_open, locked
from games.chouette.services.playing import chouette_command, people_stand_up
from games.chouette.services.store import JOURNAL, state_of
from games.table.errors import BadTerms, NotSeated
from harness.chouettes import CUBES_OVER_MS, Hands, at_random, circle_sit
from kit.errors import Refusal
from ledger.audit import run as audit
from ledger.selectors import account_balance, rake_balance, wallet_balance
from ledger.services.books import wallet_freeze, wallet_thaw
from ledger.services.limits import limit_set
from tests.services.lanes import Ear


def assert_clean() -> None:
    report = audit()
    found = [each for check in report.results for each in check.findings]
    assert not found, found[:5]


@pytest.mark.slow
def test_games_for_credits_are_settled_pair_by_pair(people, chance):
    players = people(4, 10_000)
    hands = Hands(players, rate_cents=100, limit_points=8)
    before = sum(wallet_balance(player.pk) for player in players)
    for number in range(1, amount(1, long=3) + 1):
        hands.begin()
        game = Game.objects.get(circle=hands.circle, number=number)
        assert account_balance(f"escrow:{game.reference}") == 2 * 3 * 800
        hands.play_out(at_random(chance, doubles=0.7))
        game.refresh_from_db()
        assert account_balance(f"escrow:{game.reference}") == 0
        won = 0
        for share in Share.objects.filter(game=game).exclude(user=game.box_id):
            lost_cents = min(abs(share.box_points) * 100, 800)
            rake_cents = lost_cents // 10
            mine_cents = 800 + (lost_cents - rake_cents if share.box_points < 0 else -lost_cents)
            assert share.paid_cents == mine_cents
            won += lost_cents - rake_cents if share.box_points > 0 else -lost_cents
        assert Share.objects.get(game=game, user=game.box_id).paid_cents == 3 * 800 + won
    after = sum(wallet_balance(player.pk) for player in players)
    assert before - after == rake_balance() > 0
    row = hands.row()
    assert JOURNAL.replayed(row) == state_of(row)
    assert_clean()


def test_a_hidden_decision_is_in_nobodys_view_but_ones_own(people, chance):
    hands = Hands(people(4))
    hands.begin()
    while len(hands.view()["waits_for"]) < 3:
        hands.step(at_random(chance, doubles=0))
    one, two, _three = hands.view()["waits_for"]
    hands.do(one, cmd.Decide(turn=hands.view()["turn"], doubles=True))
    mine = {cube["player"]: cube for cube in hands.view(one)["cubes"]}
    theirs = {cube["player"]: cube for cube in hands.view(two)["cubes"]}
    assert (mine[one]["state"], mine[one]["my_choice"]) == ("decided", True)
    assert (theirs[one]["state"], theirs[one]["my_choice"]) == ("decided", None)
    assert {cube["my_choice"] for cube in hands.view(None)["cubes"]} == {None}


def test_a_late_command_is_not_taken_for_the_next_decision(people, chance):
    hands = Hands(people(3))
    hands.begin()
    turn = hands.view()["turn"]
    player = hands.view()["waits_for"][0]
    hands.step(at_random(chance, doubles=0))
    with pytest.raises(ChouetteStale):
        hands.do(player, cmd.ChouettePlay(turn=turn, moves=()))


def test_cubes_lapse_without_a_double_and_without_a_take(people, chance):
    hands = Hands(people(3))
    hands.begin()
    while "decide" not in hands.view(hands.view()["waits_for"][0])["actions"]:
        hands.step(at_random(chance, doubles=0))
    one, two = hands.view()["waits_for"]
    hands.do(one, cmd.Decide(turn=hands.view()["turn"], doubles=True))
    hands.later(CUBES_OVER_MS)
    view = hands.view()
    assert view["phase"] == "box_answers"
    assert [person["away"] for person in view["people"] if person["id"] == two] == [True]
    hands.later(CUBES_OVER_MS)
    cube = next(each for each in hands.view()["cubes"] if each["player"] == one)
    assert (cube["box_points"], cube["how"]) == (-1, "dropped")


def test_who_runs_out_of_time_over_a_play_loses_the_most_possible_and_stands_up(people):
    hands = Hands(people(3, 10_000), rate_cents=10)
    hands.begin()
    view = hands.view()
    late = view["waits_for"][0]
    hands.later(DELAY_MS + BANK_MS + 100)
    assert late not in [person["id"] for person in hands.view()["people"]]
    assert Place.objects.get(user=late).stood_up_at is not None
    cubes = view["cubes"]
    if late == view["people"][0]["id"]:
        shares = Share.objects.filter(game__circle=hands.circle).exclude(user=late)
        assert {share.box_points for share in shares} == {-1}, (
            "no gammon counts before the cube was turned"
        )
        assert hands.view()["phase"] == "between_games"
    else:
        assert len(cubes) == 2
        assert hands.view()["phase"] != "between_games"
    assert_clean()


def test_a_player_whose_stake_the_books_refuse_stands_up_and_the_others_play(people):
    *rich, frozen = people(4, 5_000)
    hands = Hands([*rich, frozen], rate_cents=100, limit_points=4)
    wallet_freeze(user=frozen)
    hands.later(PAUSE_MS)
    assert frozen.pk not in state_of(hands.row()).people
    hands.begin()
    game = Game.objects.get(circle=hands.circle)
    assert account_balance(f"escrow:{game.reference}") == 2 * 2 * 400
    wallet_thaw(user=frozen)
    assert_clean()


def test_an_accepted_command_is_carried_out_though_the_books_refuse_the_next_game(people):
    *rich, limited, late = people(5, 5_000)
    hands = Hands([*rich, limited], rate_cents=100, limit_points=4)
    limit_set(user=limited, measure="stake", period="day", amount_cents=100)
    due_now(hands)
    command = {"circle_id": hands.circle.pk, "command": cmd.SitDown(), "command_id": "a" * 32}
    seq = chouette_command(user=late, **command)
    sitting = state_of(hands.row()).people
    assert (late.pk in sitting, limited.pk in sitting) == (True, False)
    assert chouette_command(user=late, **command) == seq
    assert state_of(hands.row()).people == sitting
    assert_clean()


def test_who_starts_a_game_that_the_books_refuse_is_refused_and_the_others_play(people):
    *rich, limited = people(4, 5_000)
    hands = Hands([*rich, limited], rate_cents=100, limit_points=4)
    limit_set(user=limited, measure="stake", period="day", amount_cents=100)
    command = {"circle_id": hands.circle.pk, "command": cmd.StartGame(), "command_id": "b" * 32}
    for _again in range(2):
        with pytest.raises(Refusal) as refused:
            chouette_command(user=rich[0], **command)
        told = (refused.value.code, refused.value.fields["reason"], refused.value.fields["who"])
        assert told == ("stake_not_possible", "limit_reached", "opponent")
    assert limited.pk not in state_of(hands.row()).people
    hands.begin()
    assert Game.objects.get(circle=hands.circle).shares.count() == 3
    assert_clean()


def due_now(hands):
    """Let the next game of this table be due, before anybody has looked."""
    pace = dict(hands.row().pace)
    pace["next_game_ms"] -= PAUSE_MS
    Circle.objects.filter(pk=hands.circle.pk).update(pace=pace)


def test_a_wallet_that_does_not_cover_the_limit_does_not_sit_down(people):
    (poor,) = people(1, 500)
    with pytest.raises(ChouetteStakeNotPossible):
        circle_open(user=poor, rate_cents=100, limit_points=8)
    assert not Circle.objects.exists()


def test_one_sits_at_one_chouette_and_bots_only_where_nothing_is_at_stake(people):
    one, two = people(2, 10_000)
    circle = circle_open(user=one)
    with pytest.raises(SitsElsewhere):
        circle_open(user=one)
    with pytest.raises(BadTerms):
        circle_open(user=two, rate_cents=10, bots=1)
    circle_sit(user=two, circle_id=circle.pk)
    circle_sit(user=two, circle_id=circle.pk)
    assert len(state_of(Circle.objects.get(pk=circle.pk)).people) == 2


def test_seven_people_do_not_fit(people):
    players = people(7)
    hands = Hands(players[:6])
    with pytest.raises(ChouetteError) as refused:
        circle_sit(user=players[6], circle_id=hands.circle.pk)
    assert refused.value.code == "no_seat"
    hands.players[players[6].pk] = players[6]
    with pytest.raises(NotSeated):
        hands.do(players[6].pk, cmd.StartGame())


@pytest.mark.slow
def test_house_bots_play_a_game_with_one_person_and_go_when_they_go(people, chance):
    (one,) = people(1)
    hands = Hands([one], bots=3)
    hands.begin()
    hands.play_out_with_bots(one.pk, at_random(chance))
    assert Game.objects.get(circle=hands.circle).ended_at is not None
    hands.do(one.pk, cmd.StandUpNow())
    row = hands.row()
    assert row.closed_at is not None
    assert not Place.objects.filter(circle=row, stood_up_at=None).exists()
    assert_clean()


@pytest.mark.slow
def test_the_dice_can_be_checked_by_anybody(people, chance):
    hands = Hands(people(3))
    for _ in range(amount(1, long=2)):
        hands.begin()
        hands.play_out(at_random(chance, doubles=0))
    told = records_of_json(records(hands.row()))
    assert [failure.sentence for failure in verify_match(told)] == []
    assert sum(len(record.rolls) for record in told) == Roll.objects.count() > 20
    assert all(record.plays for record in told)


def test_people_who_have_gone_stand_up_between_games_only(people, chance):
    hands = Hands(players := people(3))
    gone = players[2].pk
    hands.begin()
    assert people_stand_up([gone]) == 0
    hands.play_out(at_random(chance, doubles=0.6))
    assert people_stand_up([gone]) == 1
    assert hands.view()["next_game_ms"] is None, "two are not enough"


@pytest.mark.slow
def test_leaving_after_the_game_costs_nothing(people, chance):
    hands = Hands(players := people(4, 10_000), rate_cents=10)
    hands.begin()
    hands.do(players[1].pk, cmd.LeaveAfter(on=True))
    hands.play_out(at_random(chance, doubles=0.6))
    assert players[1].pk not in state_of(hands.row()).people


def test_a_stop_of_stakes_puts_games_for_credits_off_and_no_others(people, monkeypatch):
    monkeypatch.setattr("games.chouette.settlement.stopped", lambda: True)
    players = people(6, 10_000)
    staked, free = Hands(players[:3], rate_cents=10), Hands(players[3:])
    for hands in (staked, free):
        hands.later(PAUSE_MS)
    assert staked.view()["phase"] == "between_games"
    assert free.view()["phase"] != "between_games"


def version_of(circle: Circle) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT xmin::text FROM chouette_circle WHERE id = %s", [circle.pk])
        return str(cursor.fetchone()[0])


def test_waking_a_table_at_which_nothing_is_due_writes_nothing(people):
    hands = Hands(players := people(3))
    before = version_of(hands.circle)
    hands.do(players[0].pk, cmd.Wake())
    assert version_of(hands.circle) == before
    hands.do(players[0].pk, cmd.StartGame())
    assert version_of(hands.circle) != before


@pytest.mark.slow
def test_random_tables_keep_every_cent(people):
    chance = random.Random(3)
    hands = Hands(people(5, 50_000), rate_cents=25, limit_points=4)
    for _ in range(amount(1, long=4)):
        hands.begin()
        choose = at_random(chance, doubles=0.3)
        for _ in range(400):
            state = state_of(hands.row())
            if state.game is None:
                break
            if chance.random() < 0.004 and len(state.people) > 3:
                hands.do(chance.choice(state.people), cmd.StandUpNow())
                hands.dice_come()
                continue
            hands.step(choose)
        else:
            hands.play_out(choose)
        assert_clean()


# --- the list of chouettes ------------------------------------------------------------------------
CHANGED = [{"type": "changed"}]


@pytest.fixture
def ear() -> Iterator[Ear]:
    """Receives what every page with the list receives."""
    ear = Ear("chouettes")
    yield ear
    ear.close()


def test_who_sits_and_what_begins_or_ends_is_published_once(people, ear, chance):
    one, two, three, four = players = people(4)
    hands = Hands([one])
    assert ear.frames() == CHANGED, "it was opened"
    for player in (two, three, four):
        circle_sit(user=player, circle_id=hands.circle.pk)
        hands.players[player.pk] = player
        assert ear.frames() == CHANGED
    hands.later(PAUSE_MS)
    assert ear.frames() == CHANGED, "the first game has begun"
    hands.dice_come()
    for _ in range(3):
        hands.step(at_random(chance, doubles=0))
    hands.do(four.pk, cmd.LeaveAfter(on=True))
    assert ear.frames() == [], "nothing of it is in the list"
    box = hands.view()["people"][0]["id"]
    hands.do(box, cmd.StandUpNow())
    assert ear.frames() == CHANGED
    people_stand_up([player.pk for player in players])
    assert hands.row().closed_at is not None
    assert ear.frames() == CHANGED, "the table is closed"


def test_what_is_refused_or_changes_nothing_is_not_published(people, ear):
    one, two, three = people(3)
    first, second = circle_open(user=one), circle_open(user=two)
    ear.frames()
    with pytest.raises(SitsElsewhere):
        circle_sit(user=one, circle_id=second.pk)
    circle_sit(user=one, circle_id=first.pk)  # they sit there already
    with transaction.atomic():
        work = locked(first.pk)
        work.engine.sit(three.pk)
        work.store(None)
        assert ear.frames() == [], "before the commit"
        transaction.set_rollback(True)
    assert ear.frames() == []


def test_the_part_that_is_fetched_again_is_the_list_alone(people):
    one, two = people(2)
    circle = circle_open(user=one)
    client = Client()
    client.force_login(two)
    part = client.get("/chouette/tables/").content.decode()
    assert f'data-table="{circle.pk}"' in part
    assert part in client.get("/chouette/").content.decode()
    assert [each for each in ("<html", "<form", "My table") if each in part] == []
