"""The pages of challenges: made, answered and withdrawn without scripts, and read by two alone."""

import pytest
import redis
from django.conf import settings as site
from django.urls import reverse

from games.broadcast import channel_key
from games.models import Challenge, Match
from games.modes.registry import ALL
from games.selectors import table_state
from games.services.challenges import challenge_make
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)


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
