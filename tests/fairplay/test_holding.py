"""Winnings are held for 72 hours, and longer only if two people say why."""

from itertools import permutations
from math import ceil

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.models import OutgoingMail
from accounts.roles import Role
from fairplay.errors import CaseOver
from fairplay.holding import hold_prolong
from fairplay.models import Case, Party
from fairplay.procedure import HOLD
from fairplay.screening import results_screen
from fairplay.settlement import holds_of
from ledger.audit import run
from ledger.errors import MalformedPosting, NotAllowed
from ledger.models import Hold, JournalEntry, Proposal
from ledger.selectors import held_cents, wallet_balance
from ledger.services.proposals import proposal_confirm
from tests.aging import rows_age
from tests.desk.conftest import anna, at_desk, bert, staff
from tests.fairplay.test_gains import chouette, four, sit_and_go

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["anna", "bert", "staff"]


REASON = "We wait for the analysis of ten matches."


@pytest.fixture
def taker(alarm):
    user = next(party.user for party in alarm.parties.all() if held_cents(party.user_id))
    user.email = "taker@example.org"
    user.save(update_fields=["email"])
    return user


def proposed(case, actor, reason=REASON):
    return hold_prolong(case_id=case.pk, actor=actor, reason=reason, verified_at=timezone.now())


def confirmed(proposal, actor):
    return proposal_confirm(proposal_id=proposal.pk, actor=actor, verified_at=timezone.now())


def test_two_people_prolong_a_hold_and_the_player_reads_why(alarm, taker, anna, bert):
    """By the pages that they use."""
    end = holds_of(taker.pk)[0].ends_at
    page = reverse("desk:case", args=[alarm.pk])
    assert 'data-testid="prolong"' in at_desk(anna).get(page).content.decode()
    at_desk(anna).post(reverse("desk:case_prolong", args=[alarm.pk]), {"reason": REASON})
    assert holds_of(taker.pk)[0].ends_at == end, "one person changes nothing"
    waiting = Proposal.objects.get(kind="hold.prolong")
    assert REASON in at_desk(bert).get(reverse("desk:proposals")).content.decode()
    at_desk(bert).post(reverse("desk:proposal_confirm", args=[waiting.pk]))
    assert holds_of(taker.pk)[0].ends_at == end + HOLD
    entry = JournalEntry.objects.get(verb="hold.prolong", subject=alarm.reference)
    assert (entry.actor, entry.after["first"], entry.reason) == (bert, anna.pk, REASON)
    for place in (reverse("fairplay_case", args=[alarm.pk]), reverse("fairplay_mine")):
        assert REASON in at_desk(taker).get(place).content.decode()
    assert OutgoingMail.objects.filter(to=taker.email, body__contains="hours more").exists()


def test_nobody_prolongs_alone_or_without_a_reason_or_in_a_case_of_their_own(
    alarm, taker, reviewer
):
    one, two = reviewer("one"), reviewer("two")
    end = holds_of(taker.pk)[0].ends_at
    with pytest.raises(MalformedPosting):
        proposed(alarm, one, " ")
    waiting = proposed(alarm, one)
    with pytest.raises(NotAllowed):
        confirmed(waiting, one)
    with pytest.raises(NotAllowed):
        confirmed(waiting, taker)
    Party.objects.create(case=alarm, user=two, role="affected")
    with pytest.raises(NotAllowed):
        confirmed(waiting, two)
    assert holds_of(taker.pk)[0].ends_at == end


def test_a_hold_that_nobody_prolongs_ends_after_72_hours(alarm, taker, reviewer):
    waiting = proposed(alarm, reviewer("one"))
    placed = Hold.objects.get(user=taker)
    assert placed.ends_at <= placed.placed_at + HOLD
    rows_age(Hold.objects.filter(pk=placed.pk), placed_at=F("placed_at") - HOLD, ends_at=Now())
    assert held_cents(taker.pk) == 0
    with pytest.raises(CaseOver):
        confirmed(waiting, reviewer("two", Role.ADMINISTRATOR))
    with pytest.raises(CaseOver):
        proposed(alarm, reviewer("three"))


def test_the_database_prolongs_nothing_that_two_people_did_not_decide(alarm, taker, reviewer):
    held = Hold.objects.filter(user=taker)
    end = held.get().ends_at
    with pytest.raises(Error, match="longer than its case waits"), transaction.atomic():
        held.update(ends_at=end + HOLD)
    confirmed(proposed(alarm, reviewer("one")), reviewer("two"))
    assert held.get().ends_at == end + HOLD
    assert not [result for result in run(only=("A24", "A25")).results if result.findings]


# --- what is held where more than two play --------------------------------------------------------
__all__ = ["four"]

ABOVE = "is more than was won of the others whom its case accuses"


def held_again(hold: Hold, cents: int) -> None:
    """Place this hold anew, with another amount; nothing of it stays."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Hold.objects.filter(pk=hold.pk).delete()
        cursor.execute("SET LOCAL session_replication_role = origin")
        Hold.objects.create(
            user_id=hold.user_id,
            reference=hold.reference,
            amount_cents=cents,
            reason_class=hold.reason_class,
            placed_at=hold.placed_at,
            ends_at=hold.ends_at,
        )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)


def at_most(hold: Hold, cents: int) -> None:
    """The guard lets so much be held and no cent more, and the audit says so."""
    held_again(hold, cents)
    with pytest.raises(IntegrityError, match="more than was won"):
        held_again(hold, cents + 1)
    rows_age(Hold.objects.filter(pk=hold.pk), amount_cents=cents)
    assert found() == []
    rows_age(Hold.objects.filter(pk=hold.pk), amount_cents=F("amount_cents") + 1)
    assert [message.split(",")[0] for message in found()] == [ABOVE]
    rows_age(Hold.objects.filter(pk=hold.pk), amount_cents=hold.amount_cents)


def found() -> list[str]:
    return [each.message for result in run(("A24",)).results for each in result.findings]


def test_of_a_tournament_an_equal_part_of_each_who_won_less(four, dice):
    dice((3, 1), (4, 2))
    sit_and_go(four[0], four[1:])
    results_screen()
    held = Hold.objects.filter(user=four[0], reference__contains=":tournament:")
    won_cents = wallet_balance(four[0].pk) - 2_000
    assert held.count() == 3
    for hold in held:
        at_most(hold, ceil(won_cents / 3))


def test_of_a_chouette_what_the_member_lost_and_of_its_captain_what_all_lost(four, dice):
    dice((3, 1), (4, 2), (6, 5))
    game = chouette(four[0], four[1:])
    results_screen()
    lost = {each.user_id: each.stake_cents - each.paid_cents for each in game.shares.all()}
    won_cents = -lost.pop(game.box_id)
    assert won_cents < sum(lost.values()), "the house took its rake"
    held = Hold.objects.filter(user=game.box_id, reference__contains=":chouette:")
    assert held.count() == 3
    for hold in held:
        case = Case.objects.get(pk=hold.reference.split(":")[1])
        (giver,) = case.parties.exclude(user=game.box_id).values_list("user_id", flat=True)
        at_most(hold, won_cents if giver == game.captain_id else lost[giver])


def test_of_a_chouette_a_member_wins_of_the_box_alone(four, dice):
    dice((3, 1), (4, 2), (6, 5))
    game = chouette(four[0], four[1:], loses=False)
    won = {each.user_id: each.paid_cents - each.stake_cents for each in game.shares.all()}
    with connection.cursor() as cursor:
        for taker, giver in permutations(set(won) - {game.box_id}, 2):
            for of, cents in ((game.box_id, won[taker]), (giver, 0)):
                cursor.execute("SELECT gained_from_chouette(%s, %s, %s)", [str(game.pk), taker, of])
                assert cursor.fetchone() == (cents,)
    assert min(cents for user, cents in won.items() if user != game.box_id) > 0
