"""S19: a player challenged another one and withdrew it, 20 times within two seconds."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Challenge, ChallengeState, Mute
from games.selectors import challenges_waiting_for
from games.services.challenges import (
    A_MINUTE_MAX,
    SAME_PERSON_MAX,
    AskedTooOften,
    ChallengesTooMany,
    challenge_accept,
    challenge_make,
    challenge_withdraw,
)
from harness.logins import logged_in
from harness.waiting import WAIT_SECONDS
from tests.attacks.test_s10_tables_stay import Vandal
from tests.conftest import magriel
from tests.racing import racers

__all__ = ["magriel"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TRIES = 20


def a_while_ago(**length: int) -> None:
    """Move all challenges so far into the past by this much."""
    Challenge.objects.update(made_at=F("made_at") - timedelta(**length))


def ask(one: User, other: User) -> Challenge:
    """Make a challenge and withdraw it at once."""
    made = challenge_make(user=one, opponent_id=other.pk, mode="normal")
    challenge_withdraw(user=one, challenge_id=made.pk)
    return made


def test_challenging_and_withdrawing_at_the_running_house(live, magriel, hilde):
    vandal = Vandal(hilde, live)
    answers = []
    for _ in range(TRIES):
        answer = vandal.post("challenges/make/", {"opponent": "magriel", "mode": "normal"})
        answers.append(answer)
        if answer.status_code == 201:
            vandal.post(f"challenges/{answer.json()['id']}/withdraw/")
    made = [answer.status_code for answer in answers].count(201)
    assert made == Challenge.objects.count() == A_MINUTE_MAX
    assert {(a.status_code, a.json()["code"]) for a in answers[made:]} == {
        (429, "challenges_too_many")
    }
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60


def test_challenging_one_after_another_counts_alike(live, hilde):
    """Challenges to many different people are limited as well."""
    people = [User.objects.create_user(f"player{n}") for n in range(TRIES)]
    vandal = Vandal(hilde, live)
    answers = []
    for person in people:
        wish = {"opponent": person.username, "mode": "normal"}
        answers.append(vandal.post("challenges/make/", wish))
        if answers[-1].status_code == 201:
            vandal.post(f"challenges/{answers[-1].json()['id']}/withdraw/")
    assert [answer.status_code for answer in answers].count(201) == A_MINUTE_MAX


def test_one_player_is_asked_so_often_an_hour_by_the_same_person(magriel, hilde, tilo):
    for _ in range(SAME_PERSON_MAX):
        ask(hilde, magriel)
        a_while_ago(minutes=2)
    with pytest.raises(AskedTooOften) as refused:
        ask(hilde, magriel)
    assert "until_ms" in refused.value.fields
    ask(hilde, tilo)
    ask(tilo, magriel)
    a_while_ago(hours=1)
    ask(hilde, magriel)


def test_the_limit_of_a_minute_ends_with_the_minute(magriel, hilde):
    for _ in range(A_MINUTE_MAX):
        ask(hilde, magriel)
    with pytest.raises(ChallengesTooMany):
        ask(hilde, magriel)
    a_while_ago(minutes=1)
    ask(hilde, magriel)


def test_twenty_at_once_count_together(magriel, hilde, tilo):
    people = [magriel, tilo] * 4
    with racers(8) as race:
        outcomes = race([partial(ask, hilde, person) for person in people])
    made = [outcome for outcome in outcomes if isinstance(outcome, Challenge)]
    assert len(made) <= A_MINUTE_MAX
    assert Challenge.objects.count() == len(made)


def test_the_page_says_until_when(magriel, hilde):
    for _ in range(A_MINUTE_MAX):
        ask(hilde, magriel)
    client = logged_in(Client(headers={"accept-language": "en"}), hilde)
    address = reverse("challenge_make", args=["magriel"])
    answer = client.post(address, {"mode": "normal"}, follow=True)
    assert "The next one is possible at <time" in answer.content.decode()


def test_somebody_who_is_muted_disturbs_nobody_and_does_not_learn_it(live, magriel, hilde):
    """The challenge waits and expires like one without an answer; magriel never sees it."""
    Mute.objects.create(owner=magriel, muted=hilde)
    vandal = Vandal(hilde, live)
    answer = vandal.post("challenges/make/", {"opponent": "magriel", "mode": "normal"})
    assert (answer.status_code, answer.json()["state"]) == (201, "waiting")
    own = vandal.http.get(f"{live}/api/v1/challenges/{answer.json()['id']}/", timeout=WAIT_SECONDS)
    assert own.json()["state"] == "waiting"
    assert list(challenges_waiting_for(magriel.pk)) == []
    client = logged_in(Client(), magriel)
    for address in ("/challenges/", "/play/", "/api/v1/challenges/"):
        assert answer.json()["id"] not in client.get(address).content.decode()
    Mute.objects.all().delete()
    assert challenges_waiting_for(magriel.pk).count() == 1


def test_muting_takes_no_other_challenge_away(magriel, hilde, tilo):
    Mute.objects.create(owner=magriel, muted=hilde)
    Mute.objects.create(owner=hilde, muted=magriel)
    made = challenge_make(user=tilo, opponent_id=magriel.pk, mode="normal")
    assert [each.pk for each in challenges_waiting_for(magriel.pk)] == [made.pk]
    assert challenge_accept(user=magriel, challenge_id=made.pk).phase == "roll"


def test_one_challenge_is_open_at_a_time(live, magriel, hilde, tilo):
    vandal = Vandal(hilde, live)
    told: list[Any] = [
        vandal.post("challenges/make/", {"opponent": name, "mode": "normal"}).status_code
        for name in ("magriel", "tilo")
    ]
    assert told == [201, 409]
    assert Challenge.objects.filter(state=ChallengeState.WAITING).count() == 1
