"""Winnings are held for 72 hours, and longer only if two people say why."""

import pytest
from django.db import Error, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from accounts.models import OutgoingMail
from accounts.roles import Role
from fairplay.errors import CaseOver
from fairplay.holding import hold_prolong
from fairplay.models import Party
from fairplay.procedure import HOLD
from fairplay.settlement import holds_of
from ledger.audit import run
from ledger.errors import MalformedPosting, NotAllowed
from ledger.models import Hold, JournalEntry, Proposal
from ledger.selectors import held_cents
from ledger.services.proposals import proposal_confirm
from tests.aging import rows_age
from tests.desk.conftest import anna, at_desk, bert, staff

__all__ = ["anna", "bert", "staff"]

pytestmark = pytest.mark.django_db(transaction=True)

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
