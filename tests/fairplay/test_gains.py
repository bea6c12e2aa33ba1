"""One rule for every way in which credits change hands: screened, held, cleared, unlocked alike."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from fairplay.clearing import SMALL_CENTS, waits_end
from fairplay.models import Case, Screening, ScreeningLevel, Wait
from fairplay.screening import results_screen
from games.chouette import commands as cmd
from games.chouette.models import Game
from games.chouette.services.gains import result_of
from games.models import Match
from games.services.bars import Barred
from harness.chouettes import Hands, at_random
from harness.tournaments import called, entered, knockout, played
from harness.wallets import handed_over
from ledger.models import Hold
from ledger.selectors import held_cents
from ledger.selectors_player import payable
from ledger.services.books import credits_issue
from tests.aging import rows_age
from tests.chouette.conftest import chance

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["chance"]

OLD = timedelta(days=400)


@pytest.fixture
def four(person) -> list[User]:
    return [person(name, 2_000) for name in ("taker", "one", "two", "three")]


def long_here() -> None:
    """Everybody has been here for long, and nobody left a match early."""
    User.objects.update(date_joined=timezone.now() - OLD)


def sit_and_go(taker: User, others: list[User]) -> None:
    """The taker wins by resignations, and so does whoever meets the taker in the final."""
    tournament = knockout(4, 250)
    entered(tournament, [taker, *others])
    while meetings := called(tournament):
        for meeting in meetings:
            at = {meeting.player_0_id: meeting.player_0, meeting.player_1_id: meeting.player_1}
            played(meeting, at.get(taker.pk, meeting.player_0))
            tournament.refresh_from_db()


def chouette(box: User, team: list[User], loses: bool = True) -> Game:
    """A game in which the team stands up at once, or the box does."""
    hands = Hands([box, *team], rate_cents=50)
    hands.begin()
    game = Game.objects.get(ended_at=None)
    leaves = [user for user in hands.players if (user != game.box_id) == loses]
    for user_id in leaves:
        hands.do(user_id, cmd.StandUpNow())
    game.refresh_from_db()
    assert game.ended_at is not None
    return game


def unpayable(user: User, cents: int) -> None:
    """Nothing above this can be paid out."""
    assert payable(user.pk).payable_cents <= cents


def test_a_sit_and_go_won_by_resignations_is_held_and_cannot_be_repeated(four, dice):
    dice((3, 1), (4, 2))
    sit_and_go(four[0], four[1:])
    assert results_screen() == 1
    assert Screening.objects.get().level == ScreeningLevel.HOLD
    assert Case.objects.filter(parties__user=four[0]).count() == 3
    assert held_cents(four[0].pk) >= 380
    unpayable(four[0], 2_000)
    with pytest.raises(Barred):
        sit_and_go(four[0], four[1:])


def test_an_honest_sit_and_go_is_clear_within_seconds(four, dice):
    dice((3, 1), (4, 2))
    sit_and_go(four[0], four[1:])
    Match.objects.update(started_at=timezone.now() - timedelta(minutes=9))
    long_here()
    assert results_screen() == 1
    assert payable(four[0].pk).payable_cents == 2_380
    assert not Wait.objects.exists()


def test_one_deliberate_loss_freezes_nobody_elses_prize(four, dice):
    """A fresh account resigns at once; the winner's other gains and the second prize are clear."""
    dice((3, 1), (4, 2))
    sit_and_go(four[0], four[1:])
    giver = Match.objects.earliest("ended_at")
    loser = giver.players[1 - giver.winner_seat]
    Match.objects.exclude(pk=giver.pk).update(started_at=timezone.now() - timedelta(minutes=9))
    User.objects.exclude(pk=loser).update(date_joined=timezone.now() - OLD)
    results_screen()
    assert not Wait.objects.exists()
    held = Hold.objects.all()
    assert sum(each.amount_cents for each in held) <= 130
    for user in four:
        assert payable(user.pk).unchecked_cents == 0


@pytest.mark.slow
def test_a_chouette_is_screened_and_its_winner_is_paid_like_others(four, chance):
    hands = Hands(four, rate_cents=50)
    hands.begin()
    hands.play_out(at_random(chance, doubles=0))
    long_here()
    assert results_screen() == 1
    for share in Game.objects.get().shares.all():
        view = payable(share.user_id)
        assert view.unchecked_cents == 0
        assert view.payable_cents == 2_000 + share.paid_cents - share.stake_cents


def test_a_chouette_in_which_the_team_leaves_at_once_is_not_payable(four, dice):
    dice((3, 1), (4, 2), (6, 5))
    game = chouette(four[0], four[1:])
    results_screen()
    assert Screening.objects.get().level != ScreeningLevel.CLEAR
    unpayable(game.box, 2_000)


def test_a_captain_who_plays_for_the_box_is_seen(four, person, dice):
    """The captain gives up what all members staked, so it counts as given by the captain."""
    dice((3, 1), (4, 2), (6, 5))
    game = chouette(four[0], four[1:])
    by = {each.giver_id: each.cents for each in result_of(game).passages}
    assert by[game.captain_id] == sum(
        each.stake_cents - each.paid_cents for each in game.shares.exclude(user=game.box_id)
    )
    assert all(cents < by[game.captain_id] for user, cents in by.items() if user != game.captain_id)


def test_what_goes_beyond_the_small_sum_of_a_day_waits(person, dice):
    """Nobody gives up early; but in all kinds together it is much, from people nobody knows."""
    dice((3, 1), (4, 2))
    taker = person("taker", 9_000)
    gained = 0
    for number in range(6):
        match = handed_over(person(f"giver{number}", 9_000), taker, mode="prize5", stake_cents=500)
        Match.objects.filter(pk=match.pk).update(
            started_at=match.started_at - timedelta(minutes=30)
        )
        results_screen()
        gained += match.paid_cents[1] - 500
        view = payable(taker.pk)
        assert (view.unchecked_cents > 0) == (gained > SMALL_CENTS)
        assert view.payable_cents <= 9_000 + SMALL_CENTS
    assert waits_end() == 0
    rows_age(Wait.objects.all(), until=timezone.now())
    assert waits_end() == Wait.objects.count() == 1
    assert payable(taker.pk).unchecked_cents == 0


def test_members_of_a_chouette_have_played_against_its_box_alone(four, dice):
    """Before, one game with three others unlocked what takes three people."""
    dice((3, 1), (4, 2), (6, 5))
    for user in four:
        credits_issue(user=user, amount_cents=100, key=f"grant:{user.pk}", memo="a present")
    game = chouette(four[0], four[1:])
    missing = {user.pk: payable(user.pk).people_missing for user in four}
    assert missing.pop(game.box_id) == 0
    assert set(missing.values()) == {2}
