"""Challenges: one answer, both players seated or neither, and correct books."""

from datetime import timedelta

import pytest
import redis
from django.conf import settings as site
from django.urls import reverse
from django.utils import timezone

from games.broadcast import channel_key
from games.models import Challenge, Match, Table
from games.modes.registry import ALL
from games.selectors import challenges_waiting_for, table_state
from games.services.challenges import (
    ChallengeOver,
    ChallengerBusy,
    DeclinedLately,
    NobodyThere,
    OneChallenge,
    challenge_accept,
    challenge_decline,
    challenge_make,
    challenge_withdraw,
    challenges_expire_due,
)
from games.services.people import SamePerson
from games.services.tables import table_join, table_open
from games.settlement import StakeNotPossible
from games.table.errors import BadTerms
from harness.wallets import credits_spent
from ledger.selectors import wallet_balance
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)

PRIZE5 = {"mode": "prize5", "stake_cents": 250}


@pytest.fixture
def asked(magriel, hilde) -> Challenge:
    """magriel has challenged hilde."""
    return challenge_make(user=magriel, opponent_id=hilde.pk, **PRIZE5)


def let_it_run_out(challenge: Challenge) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Challenge.objects.filter(pk=challenge.pk).update(expires_at=past)


def state_of(challenge: Challenge) -> str:
    return Challenge.objects.get(pk=challenge.pk).state


def test_asking_reserves_nothing_and_lasts_five_minutes(asked, magriel, hilde):
    assert [c.pk for c in challenges_waiting_for(hilde.pk)] == [asked.pk]
    assert asked.expires_at - asked.made_at == timedelta(minutes=5)
    assert wallet_balance(magriel.pk) == 10_000
    assert not Table.objects.exists()


def test_accepting_seats_both_and_takes_both_stakes(asked, magriel, hilde):
    table = challenge_accept(user=hilde, challenge_id=asked.pk)
    match = Match.objects.get(table=table)
    assert match.players == (magriel.pk, hilde.pk)
    assert (wallet_balance(magriel.pk), wallet_balance(hilde.pk)) == (9_750, 9_750)
    assert state_of(asked) == "accepted"


def test_accepting_twice_answers_the_same_table(asked, hilde):
    tables = {challenge_accept(user=hilde, challenge_id=asked.pk).pk for _ in range(2)}
    assert len(tables) == 1
    assert Match.objects.count() == 1


def test_accepting_closes_tables_at_which_the_two_wait(asked, magriel, hilde):
    waiting = [table_open(user=user, **PRIZE5) for user in (magriel, hilde)]
    challenge_accept(user=hilde, challenge_id=asked.pk)
    assert {Table.objects.get(pk=table.pk).phase for table in waiting} == {"closed"}


def test_two_who_challenge_each_other_play_one_match(asked, magriel, hilde):
    crossing = challenge_make(user=hilde, opponent_id=magriel.pk, **PRIZE5)
    challenge_accept(user=hilde, challenge_id=asked.pk)
    assert state_of(crossing) == "withdrawn"
    with pytest.raises(ChallengeOver):
        challenge_accept(user=magriel, challenge_id=crossing.pk)


@pytest.mark.parametrize(("poor", "who"), [("magriel", "opponent"), ("hilde", "you")])
def test_who_can_no_longer_pay_is_named_and_nothing_happens(asked, magriel, hilde, poor, who):
    credits_spent({"magriel": magriel, "hilde": hilde}[poor], 9_900)
    with pytest.raises(StakeNotPossible) as refused:
        challenge_accept(user=hilde, challenge_id=asked.pk)
    assert refused.value.fields["who"] == who
    assert state_of(asked) == "waiting"
    assert not Table.objects.exists()


def test_a_challenger_who_plays_meanwhile_is_not_torn_away(asked, magriel, hilde, tilo):
    table_join(user=magriel, table_id=table_open(user=tilo, **PRIZE5).pk)
    with pytest.raises(ChallengerBusy):
        challenge_accept(user=hilde, challenge_id=asked.pk)


@pytest.mark.parametrize(
    ("answer", "state"), [(challenge_decline, "declined"), (challenge_withdraw, "withdrawn")]
)
def test_what_is_over_cannot_be_accepted(asked, magriel, hilde, answer, state):
    author = hilde if state == "declined" else magriel
    answer(user=author, challenge_id=asked.pk)
    answer(user=author, challenge_id=asked.pk)
    assert state_of(asked) == state
    with pytest.raises(ChallengeOver) as refused:
        challenge_accept(user=hilde, challenge_id=asked.pk)
    assert refused.value.fields["state"] == state


def test_nobody_answers_for_another(asked, magriel, tilo):
    for user, answer in (
        (tilo, challenge_accept),
        (magriel, challenge_accept),
        (tilo, challenge_decline),
        (tilo, challenge_withdraw),
    ):
        with pytest.raises(NobodyThere):
            answer(user=user, challenge_id=asked.pk)
    assert state_of(asked) == "waiting"


def test_an_old_challenge_ends_with_and_without_the_sweep(asked, hilde, magriel):
    let_it_run_out(asked)
    assert not challenges_waiting_for(hilde.pk).exists()
    with pytest.raises(ChallengeOver) as refused:
        challenge_accept(user=hilde, challenge_id=asked.pk)
    assert refused.value.fields["state"] == "expired"
    assert challenges_expire_due() == 1
    assert challenges_expire_due() == 0
    assert state_of(asked) == "expired"


def test_one_question_at_a_time(asked, magriel, tilo):
    with pytest.raises(OneChallenge):
        challenge_make(user=magriel, opponent_id=tilo.pk, **PRIZE5)
    let_it_run_out(asked)
    challenge_make(user=magriel, opponent_id=tilo.pk, **PRIZE5)
    assert state_of(asked) == "expired"


def test_who_declines_is_left_in_peace(asked, magriel, hilde, tilo):
    challenge_decline(user=hilde, challenge_id=asked.pk)
    with pytest.raises(DeclinedLately):
        challenge_make(user=magriel, opponent_id=hilde.pk, **PRIZE5)
    challenge_make(user=magriel, opponent_id=tilo.pk, **PRIZE5)
    answered = timezone.now() - timedelta(minutes=6)
    Challenge.objects.filter(pk=asked.pk).update(answered_at=answered)
    challenge_make(user=hilde, opponent_id=magriel.pk, **PRIZE5)


def test_whom_one_cannot_challenge(magriel, hilde, django_user_model):
    bot = django_user_model.objects.create_user("gnu", is_bot=True)
    gone = django_user_model.objects.create_user("gone", is_active=False)
    for person in (magriel, bot, gone):
        with pytest.raises(NobodyThere):
            challenge_make(user=magriel, opponent_id=person.pk, **PRIZE5)
    django_user_model.objects.filter(pk__in=(magriel.pk, hilde.pk)).update(email="h@example.org")
    with pytest.raises(SamePerson):
        challenge_make(user=magriel, opponent_id=hilde.pk, **PRIZE5)


@pytest.mark.parametrize("wishes", [{"mode": "practice"}, {"mode": "prize5", "stake_cents": 1}])
def test_on_what_one_cannot_challenge(magriel, hilde, wishes):
    with pytest.raises(BadTerms):
        challenge_make(user=magriel, opponent_id=hilde.pk, **wishes)


def test_who_cannot_pay_does_not_ask(magriel, hilde):
    credits_spent(magriel, 9_900)
    with pytest.raises(StakeNotPossible):
        challenge_make(user=magriel, opponent_id=hilde.pk, **PRIZE5)
    assert not Challenge.objects.exists()


# --- pages ----------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_challenge_from_the_player_page_to_the_table(at, magriel, hilde):
    asking, asked = at("magriel"), at("hilde")
    make = reverse("challenge_make", args=["hilde"])
    assert f'href="{make}"' in asking.get(reverse("player", args=["hilde"])).content.decode()
    assert "Reserved when play begins 2.50 ℂ" in text_of(asking.get(make, {"mode": "prize5"}))
    wait = asking.post(make, {"mode": "prize5", "stake_cents": "250"})["location"]
    assert "Waiting for the answer of hilde" in text_of(asking.get(wait))
    assert "magriel challenges you." in text_of(asked.get(reverse("challenges")))
    assert "magriel challenges you." in text_of(asked.get(reverse("lobby")))
    assert "Accept for 2.50 ℂ" in text_of(asked.get(wait))
    challenge = Challenge.objects.get()
    address = reverse("challenge_answer", args=[challenge.pk])
    table = asked.post(address, {"answer": "accept"})["location"]
    assert asking.get(wait, headers={"hx-request": "true"})["HX-Redirect"] == table
    assert asking.get(wait)["location"] == table
    assert Match.objects.get().players == (magriel.pk, hilde.pk)


@pytest.mark.parametrize(
    ("who", "answer", "said"),
    [
        ("hilde", "decline", "The challenge was declined."),
        ("magriel", "withdraw", "The challenge was withdrawn."),
    ],
)
def test_the_other_one_reads_how_it_ended(at, magriel, hilde, who, answer, said):
    challenge = challenge_make(user=magriel, opponent_id=hilde.pk, mode="prize5", stake_cents=250)
    at(who).post(reverse("challenge_answer", args=[challenge.pk]), {"answer": answer})
    other = at("magriel" if who == "hilde" else "hilde")
    assert said in text_of(other.get(reverse("challenge", args=[challenge.pk])))
    accepted = at("hilde").post(
        reverse("challenge_answer", args=[challenge.pk]), {"answer": "accept"}, follow=True
    )
    assert said in text_of(accepted)
    assert not Match.objects.exists()


def test_a_challenge_is_no_business_of_others(at, magriel, hilde):
    challenge = challenge_make(user=magriel, opponent_id=hilde.pk, mode="normal")
    stranger = at("tilo")
    assert stranger.get(reverse("challenge", args=[challenge.pk])).status_code == 404
    address = reverse("challenge_answer", args=[challenge.pk])
    assert stranger.post(address, {"answer": "accept"}).status_code == 404
    stranger.post(address, {"answer": "decline"})
    challenge.refresh_from_db()
    assert challenge.state == "waiting"


@pytest.mark.parametrize("name", ["magriel", "nobody"])
def test_there_is_no_challenge_to_oneself_or_to_nobody(at, name):
    assert at("magriel").get(reverse("challenge_make", args=[name])).status_code == 404


def test_a_challenger_who_has_closed_the_page_is_not_seated(at, magriel, hilde):
    valkey = redis.Redis.from_url(site.REDIS_URL)
    challenge = challenge_make(user=magriel, opponent_id=hilde.pk, mode="normal")
    valkey.zadd(channel_key("people"), {str(magriel.pk): 1.0})
    response = at("hilde").post(
        reverse("challenge_answer", args=[challenge.pk]), {"answer": "accept"}, follow=True
    )
    assert "The challenger has left." in text_of(response)
    assert not Match.objects.exists()


WISHES = {
    "normal": {}, "prize3": {"stake_cents": 250}, "prize5": {"stake_cents": 250},
    "single": {"rate_cents": 100, "limit_cents": 1000}, "stake": {"stake_cents": 50},
    "match": {}, "session": {"stake_cents": 50}, "tavli": {}, "tabla": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "chosen"),
    [
        *((mode, {}) for mode in WISHES),
        ("normal", {"start_rule": "roll_off_use"}),
        ("normal", {"variant": "tapa", "start_rule": "winner_starts"}),
        ("stake", {"start_rule": "opener_alternates"}),
    ],
)
def test_both_read_who_starts_and_so_it_is(at, magriel, hilde, mode, chosen):
    wishes = {"mode": mode, **WISHES[mode], **chosen}
    form = {"mode": mode, **({"base": "0.50"} if mode in ("stake", "session") else {}), **chosen}
    asking = text_of(at("magriel").get(reverse("challenge_make", args=["hilde"]), form))
    challenge = challenge_make(user=magriel, opponent_id=hilde.pk, **wishes)
    page = reverse("challenge", args=[challenge.pk])
    mine, theirs = text_of(at("magriel").get(page)), text_of(at("hilde").get(page))
    answer = reverse("challenge_answer", args=[challenge.pk])
    at("hilde").post(answer, {"answer": "accept"})
    challenge.refresh_from_db()
    state = table_state(challenge.table)
    if state.phase == "roll_off":
        assert {"A roll-off decides who starts" in text for text in (asking, mine, theirs)} == {
            True
        }
        assert not any("starts the first game, then" in text for text in (asking, mine, theirs))
    else:
        assert (state.phase, state.game.on_roll) == ("roll", 0)
        assert {"You start the first game" in text for text in (asking, mine)} == {True}
        assert "magriel starts the first game" in theirs


def test_every_mode_for_two_is_among_them():
    assert set(WISHES) == {mode.key for mode in ALL if not mode.is_practice}
