"""Linked accounts cannot meet for credits or rating; second accounts under a decision are found."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.login_marks import Acquaintance, are_linked, marks_note
from accounts.models import User
from fairplay.errors import NoReviewer, TextMissing
from fairplay.links import evasions_find, two_people_confirm, two_people_end
from fairplay.models import Case
from fairplay.procedure import CaseState, Sanction
from fairplay.screening import results_screen
from games.models import Bar, Match
from games.selectors import table_state
from games.services.bars import Barred, Linked
from games.services.challenges import challenge_accept, challenge_make
from games.services.lobby import quick_pair
from games.services.people import rematch_check
from games.services.tables import table_join, table_open
from harness.wallets import STAKED, handed_over, judged
from ledger.errors import SecondFactorStale
from ledger.models import JournalEntry
from tests.aging import rows_age
from tests.desk.conftest import anna, at_desk, staff

__all__ = ["anna", "staff"]

pytestmark = pytest.mark.django_db(transaction=True)

RATED = {"mode": "normal"}
HOME = "9.9.9.9"


@pytest.fixture
def two(person) -> tuple[User, User]:
    """Two players of one browser."""
    one, other = person("one"), person("other")
    share(one, other)
    return one, other


def share(*people: User, browser: str = "kitchen", address: str = "") -> None:
    for each in people:
        marks_note(each.pk, browser=browser, address=address)


def confirmed(one: User, other: User, actor: User, *, reason="I know both.", factor=True):
    return two_people_confirm(
        one=one,
        other=other,
        actor=actor,
        reason=reason,
        verified_at=timezone.now() if factor else None,
    )


def test_linked_accounts_cannot_meet_for_credits_on_any_way(two):
    one, other = two
    table = table_open(user=one, **STAKED)
    with pytest.raises(Linked):
        table_join(user=other, table_id=table.pk)
    with pytest.raises(Linked):
        challenge_make(user=one, opponent_id=other.pk, **STAKED)
    found = quick_pair(user=other, **STAKED)
    assert (found.found, found.table.pk == table.pk) == (False, False)
    assert not Match.objects.exists()


def test_a_challenge_is_not_accepted_once_the_two_are_linked(person):
    one, other = person("one"), person("other")
    challenge = challenge_make(user=one, opponent_id=other.pk, **STAKED)
    share(one, other)
    with pytest.raises(Linked):
        challenge_accept(user=other, challenge_id=challenge.pk)


def test_their_free_games_are_not_rated_and_those_with_others_are(two, person):
    one, other = two
    third = person("third")
    free, with_third = table_open(user=one, **RATED), table_open(user=third, **RATED)
    for table in (free, with_third):
        table_join(user=other, table_id=table.pk)
    rated = {match.table_id: match.rated for match in Match.objects.all()}
    assert rated == {free.pk: False, with_third.pk: True}


def test_a_rematch_is_not_for_credits_once_the_two_are_linked(person, dice):
    dice((3, 1), (4, 2))
    one, other = person("one"), person("other")
    match = handed_over(one, other)
    share(one, other)
    table = table_open(user=one, **STAKED)
    with pytest.raises(Linked):
        rematch_check(other.pk, match.players, table_state(table).terms)


def test_a_moderator_confirms_two_people_who_then_meet(two, reviewer):
    one, other = two
    moderator = reviewer("moderator")
    confirmed(other, one, moderator)
    confirmed(one, other, moderator)
    assert Acquaintance.objects.count() == 1
    table = table_open(user=one, **STAKED)
    table_join(user=other, table_id=table.pk)
    entries = JournalEntry.objects.filter(verb="links.confirm")
    assert {entry.subject for entry in entries} == {f"user:{one.pk}", f"user:{other.pk}"}
    wish = {"one": one, "other": other, "actor": moderator, "reason": "One person after all."}
    assert two_people_end(**wish, verified_at=timezone.now()) == 1
    assert are_linked(one.pk, other.pk)


def test_nobody_confirms_themselves_or_without_right_reason_and_factor(two, reviewer):
    one, other = two
    moderator = reviewer("moderator")
    for refused, wish in (
        (NoReviewer, {"actor": one}),
        (NoReviewer, {"other": moderator}),
        (TextMissing, {"reason": "  "}),
        (TextMissing, {"reason": "x" * 501}),
        (SecondFactorStale, {"factor": False}),
    ):
        with pytest.raises(refused):
            confirmed(**{"one": one, "other": other, "actor": moderator, **wish})
    assert not Acquaintance.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Acquaintance.objects.create(one=other, other=one, confirmed_by=moderator)


def test_the_desk_lists_links_and_confirms_them(two, anna):
    one, other = two
    desk, address = at_desk(anna), reverse("desk:player", args=[one.pk])
    assert other.username in desk.get(address).content.decode().partition('"links"')[2]
    form = {"other": other.pk, "reason": "Brother and sister."}
    desk.post(reverse("desk:two_people", args=[one.pk]), form)
    assert not are_linked(one.pk, other.pk)
    assert 'data-testid="two-people-end"' in desk.get(address).content.decode()
    desk.post(reverse("desk:two_people_end", args=[one.pk]), form)
    assert are_linked(one.pk, other.pk)


def test_the_desk_confirms_no_accounts_that_are_not_linked(two, anna, person):
    stranger = person("stranger")
    form = {"other": stranger.pk, "reason": "Brother and sister."}
    at_desk(anna).post(reverse("desk:two_people", args=[two[0].pk]), form)
    assert not Acquaintance.objects.exists()


@pytest.fixture
def closed(alarm, reviewer) -> User:
    """The taker of the case, closed by two moderators."""
    for name in ("first", "second"):
        judged(alarm, reviewer(name), Sanction.CLOSED)
    return User.objects.get(username="taker")


def test_a_second_account_of_somebody_under_a_decision_is_found_once(closed, person):
    second = person("second-account")
    share(closed, second)
    assert evasions_find() == 1
    assert evasions_find() == 0
    case = Case.objects.get(kind="evasion")
    assert [party.user for party in case.parties.all()] == [second]
    with pytest.raises(Barred):
        table_open(user=second, **STAKED)
    table_open(user=second, **RATED)
    reader = at_desk(second).get(reverse("fairplay_case", args=[case.pk]))
    assert closed.username not in reader.content.decode()
    assert {line.key for line in reader.context["lines"]} == {"browser"}


def test_a_network_counts_only_for_accounts_made_after_the_decision(closed, person):
    old, new = person("old"), person("new")
    User.objects.filter(pk=old.pk).update(date_joined=timezone.now() - timedelta(days=400))
    marks_note(closed.pk, browser="", address=HOME)
    for each in (old, new):
        marks_note(each.pk, browser=each.username, address=HOME)
    assert evasions_find() == 1
    assert Case.objects.get(kind="evasion").parties.get().user == new


def test_who_is_another_person_or_free_again_is_left_alone(closed, person, reviewer):
    brother = person("brother")
    share(closed, brother)
    confirmed(closed, brother, reviewer("third"))
    assert evasions_find() == 0
    cousin = person("cousin")
    share(closed, cousin)
    rows_age(Bar.objects.filter(user=closed, kind="lobby"), lifted_at=timezone.now())
    assert evasions_find() == 0


def test_a_case_about_a_second_account_ends_without_a_decision(closed, person, reviewer):
    second = person("second-account")
    share(closed, second)
    evasions_find()
    case = Case.objects.get(kind="evasion")
    for name in ("third", "fourth"):
        judged(case, reviewer(name), Sanction.NONE, refund=False)
    assert Case.objects.get(pk=case.pk).state == CaseState.CLEARED
    table_open(user=second, **STAKED)
    assert evasions_find() == 0


def test_what_two_accounts_have_in_common_is_named_in_the_case(person, dice):
    dice((3, 1), (4, 2))
    giver, taker = person("giver", 500), person("taker", 500)
    handed_over(giver, taker)
    share(giver, taker, browser="", address=HOME)
    results_screen()
    case = Case.objects.get()
    assert "network" in {fact["key"] for fact in case.evidence}
