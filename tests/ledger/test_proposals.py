"""Proposals are decided once, unchanged, in time, and by another person with the right."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from ledger.audit import run
from ledger.errors import (
    MalformedPosting,
    NotAllowed,
    ProposalStale,
    ProposalWaits,
    SecondFactorStale,
    WrongState,
)
from ledger.models import JournalEntry, Proposal
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create
from ledger.selectors_desk import proposals_past, proposals_waiting
from ledger.services.limits import player_freeze
from ledger.services.proposals import (
    proposal_confirm,
    proposal_holds,
    proposal_kind,
    proposal_make,
    proposal_refuse,
    proposal_withdraw,
    proposals_lapse,
)
from ledger.tasks import lapse_proposals
from tests.ledger.proof import SCHEMA
from tests.racing import RACERS, Runner, racers, tries

pytestmark = pytest.mark.django_db

KIND, RIGHT = "house.settings", "ledger.stop_stakes"
STALE = timedelta(hours=1)
GUARD, NO_RIGHT = "LG009", "42501"


def now() -> datetime:
    return timezone.now()


def propose(actor: User, **other: Any) -> Proposal:
    said = {
        "kind": KIND,
        "subject": "house",
        "content": {"rake_bps": 500},
        "before": {"rake_bps": 1000},
        "reason": "a week of half the rake",
        "verified_at": now(),
    }
    return proposal_make(actor=actor, **said | other)


def refuse(proposal: Proposal, actor: User, reason: str = "no") -> Proposal:
    return proposal_refuse(proposal_id=proposal.pk, actor=actor, verified_at=now(), reason=reason)


ACTION: list[Callable[[Proposal], object]] = []


@proposal_kind(KIND, permission=RIGHT, concerns=lambda it, who: it.content.get("for") == who.pk)
def carry_out(proposal: Proposal, _actor: User) -> None:
    """Do what the test confirms with."""
    for action in ACTION:
        action(proposal)


def confirm(
    proposal: Proposal, actor: User, action: Callable[[Proposal], object] = bool, **other: Any
) -> Proposal:
    ACTION[:] = [action]
    return proposal_confirm(proposal_id=proposal.pk, actor=actor, **{"verified_at": now()} | other)


def aged(proposal: Proposal, age: timedelta) -> None:
    """Move a proposal into the past by this much."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_proposal DISABLE TRIGGER proposal_guard")
        Proposal.objects.filter(pk=proposal.pk).update(proposed_at=now() - age)
        cursor.execute("ALTER TABLE ledger_proposal ENABLE TRIGGER proposal_guard")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_second_person_confirms_and_the_action_runs_with_what_was_proposed(
    anna: User, bert: User
) -> None:
    proposal = propose(anna)
    carried_out: list[Any] = []
    done = confirm(proposal, bert, action=lambda it: carried_out.append(it.content), reason="yes")
    assert carried_out == [{"rake_bps": 500}]
    assert (done.state, done.decided_by, done.decision_reason) == ("done", bert, "yes")
    steps = JournalEntry.objects.filter(subject="house").order_by("id")
    assert [(step.actor, step.verb) for step in steps] == [
        (anna, "proposal.make"),
        (bert, "proposal.confirm"),
    ]
    assert steps[0].after["rake_bps"] == 500


def test_confirming_twice_carries_out_once(anna: User, bert: User) -> None:
    proposal, carried_out = propose(anna), []
    for _ in range(2):
        confirm(proposal, bert, action=carried_out.append)
    assert len(carried_out) == 1


def test_the_proposer_confirms_nothing(anna: User) -> None:
    proposal = propose(anna)
    with pytest.raises(NotAllowed):
        confirm(proposal, anna)
    with pytest.raises(NotAllowed):
        proposal_refuse(proposal_id=proposal.pk, actor=anna, verified_at=now(), reason="no")


def test_both_need_the_right_of_the_proposal(
    administrator: Callable[..., User], anna: User, magriel: User
) -> None:
    moderator = administrator("moderator", "moderator")
    with pytest.raises(NotAllowed):
        propose(moderator)
    proposal = propose(anna)
    for who in (moderator, magriel):
        with pytest.raises(NotAllowed):
            confirm(proposal, who)
        with pytest.raises(NotAllowed):
            proposal_refuse(proposal_id=proposal.pk, actor=who, verified_at=now(), reason="no")


@pytest.mark.parametrize("verified_at", [None, now() - STALE, now() + STALE])
def test_every_step_needs_a_fresh_second_factor(
    anna: User, bert: User, verified_at: datetime | None
) -> None:
    with pytest.raises(SecondFactorStale):
        propose(anna, verified_at=verified_at)
    proposal = propose(anna)
    with pytest.raises(SecondFactorStale):
        confirm(proposal, bert, verified_at=verified_at)
    with pytest.raises(SecondFactorStale):
        proposal_refuse(proposal_id=proposal.pk, actor=bert, verified_at=verified_at, reason="no")
    proposal.refresh_from_db()
    assert proposal.state == "waiting"


def test_one_waits_for_each_kind_and_subject(anna: User, bert: User) -> None:
    first = propose(anna)
    with pytest.raises(ProposalWaits):
        propose(bert, content={"rake_bps": 0})
    propose(anna, subject="mode:prize5")
    proposal_refuse(proposal_id=first.pk, actor=bert, verified_at=now(), reason="too little")
    propose(bert, content={"rake_bps": 0})


def test_whom_a_proposal_concerns_decides_nothing(anna: User, bert: User) -> None:
    proposal = propose(anna, content={"for": bert.pk})
    for act in (partial(confirm, proposal), partial(refuse, proposal)):
        with pytest.raises(NotAllowed, match="concerns bert"):
            act(bert)


def test_what_changed_since_is_named_and_nothing_is_carried_out(anna: User, bert: User) -> None:
    proposal = propose(anna, before={"rake_bps": 1000, "stake_cents": 250})
    with pytest.raises(ProposalStale) as stale:
        confirm(
            proposal,
            bert,
            action=lambda it: proposal_holds(it, {"rake_bps": 1000, "stake_cents": 500}),
        )
    assert stale.value.changed == ("stake_cents",)
    proposal.refresh_from_db()
    assert proposal.state == "waiting"
    confirm(
        proposal,
        bert,
        action=lambda it: proposal_holds(it, {"stake_cents": 250, "rake_bps": 1000}),
    )


def test_the_action_and_the_decision_are_one_transaction(anna: User, bert: User) -> None:
    proposal = propose(anna)

    def action(_proposal: Proposal) -> None:
        player_freeze(user=anna, actor=bert, reason="on the way")
        raise MalformedPosting("too late")

    with pytest.raises(MalformedPosting):
        confirm(proposal, bert, action=action)
    proposal.refresh_from_db()
    assert proposal.state == "waiting"
    assert not JournalEntry.objects.filter(verb="player.freeze").exists()


def test_a_refusal_says_why_and_ends_it(anna: User, bert: User) -> None:
    proposal = propose(anna)
    with pytest.raises(MalformedPosting):
        proposal_refuse(proposal_id=proposal.pk, actor=bert, verified_at=now(), reason=" ")
    refused = proposal_refuse(
        proposal_id=proposal.pk, actor=bert, verified_at=now(), reason="not now"
    )
    assert (refused.state, refused.decision_reason) == ("refused", "not now")
    with pytest.raises(WrongState):
        confirm(proposal, bert)


def test_the_proposer_withdraws_it_and_nobody_else(anna: User, bert: User) -> None:
    proposal = propose(anna)
    with pytest.raises(NotAllowed):
        proposal_withdraw(proposal_id=proposal.pk, actor=bert)
    assert proposal_withdraw(proposal_id=proposal.pk, actor=anna).state == "withdrawn"
    with pytest.raises(WrongState):
        confirm(proposal, bert)
    assert JournalEntry.objects.filter(verb="proposal.withdraw", actor=anna).exists()


def test_a_proposal_lapses_after_seven_days(anna: User, bert: User) -> None:
    proposal, young = propose(anna), propose(anna, subject="mode:prize5")
    aged(proposal, timedelta(days=7, seconds=1))
    aged(young, timedelta(days=6, hours=23))
    with pytest.raises(WrongState):
        confirm(proposal, bert)
    assert list(proposals_waiting([RIGHT])) == [young]
    assert list(proposals_past([RIGHT])) == [proposal]
    assert lapse_proposals() == 1
    proposal.refresh_from_db()
    assert (proposal.state, proposal.decided_by) == ("lapsed", None)
    assert proposals_lapse() == 0


def test_a_lapsed_one_makes_room_for_the_next(anna: User) -> None:
    aged(propose(anna), timedelta(days=8))
    propose(anna)


def test_each_reader_sees_the_proposals_of_their_rights(anna: User) -> None:
    proposal = propose(anna)
    assert list(proposals_waiting(anna.get_all_permissions())) == [proposal]
    assert list(proposals_waiting(["games.decide_match"])) == []
    assert list(proposals_waiting([RIGHT], subject="mode:prize5")) == []


# --- what the database refuses to everybody -------------------------------------------------------
FORGED = {
    "another content": "content = '[]'",
    "another subject": "subject = 'mode:single'",
    "another right": "permission = 'accounts.view_user'",
    "another proposer": "proposed_by_id = {bert}",
    "an earlier day": "proposed_at = now() - interval '1 day'",
    "decided by the proposer": "state = 'done', decided_by_id = {anna}",
    "decided by nobody": "state = 'done'",
    "refused without a word": "state = 'refused', decided_by_id = {bert}",
    "withdrawn by another": "state = 'withdrawn', decided_by_id = {bert}",
    "lapsed before its time": "state = 'lapsed'",
    "a state that there is not": "state = 'doing', decided_by_id = {bert}",
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_the_database_refuses_a_forged_decision(anna: User, bert: User, change: str) -> None:
    propose(anna)
    statement = f"UPDATE ledger_proposal SET {change.format(anna=anna.pk, bert=bert.pk)}"
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert refused.value.__cause__.sqlstate in (GUARD, "23514")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_proposal SET decision_reason = 'other'",
        "UPDATE ledger_proposal SET state = 'waiting', decided_by_id = NULL, decided_at = NULL",
        "UPDATE ledger_proposal SET state = 'refused'",
        "DELETE FROM ledger_proposal",
    ],
)
def test_a_decision_stays(anna: User, bert: User, statement: str) -> None:
    confirm(propose(anna), bert)
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert refused.value.__cause__.sqlstate == GUARD  # type: ignore[union-attr]


def test_the_application_deletes_none(anna: User) -> None:
    propose(anna)
    assert role_create()
    rights_grant()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}")
    try:
        with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM ledger_proposal")
        assert refused.value.__cause__.sqlstate == NO_RIGHT  # type: ignore[union-attr]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


def test_none_begins_decided(anna: User, bert: User) -> None:
    fields = {"kind": KIND, "subject": "house", "permission": RIGHT, "reason": "so"}
    with pytest.raises((Error, IntegrityError)) as refused, transaction.atomic():
        Proposal.objects.create(
            **fields,
            content={},
            before={},
            proposed_by=anna,
            state="done",
            decided_by=bert,
            decided_at=now(),
        )
    assert refused.value.__cause__.sqlstate == GUARD  # type: ignore[union-attr]


def test_the_guards_of_proposals_are_audited(anna: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_proposal DISABLE TRIGGER proposal_guard")
    (schema,) = run(only=(SCHEMA,)).results
    assert schema.findings


# --- races ----------------------------------------------------------------------------------------
@pytest.fixture
def race(transactional_db: None) -> Iterator[Runner]:
    with racers(in_transactions=True) as runner:
        yield runner


def test_of_two_who_confirm_at_once_one_carries_out(
    race: Runner, administrator: Callable[..., User], anna: User
) -> None:
    seconds = [administrator(f"second_{number}") for number in range(RACERS)]
    for _ in range(tries(3, long=25)):
        proposal = propose(anna)
        carried_out: list[Proposal] = []
        outcomes = race(
            [partial(confirm, proposal, second, action=carried_out.append) for second in seconds]
        )
        assert len(carried_out) == 1
        assert sum(isinstance(outcome, Proposal) for outcome in outcomes) == 1
        assert sum(isinstance(outcome, WrongState) for outcome in outcomes) == RACERS - 1


def test_confirming_refusing_and_withdrawing_at_once_is_one_decision(
    race: Runner, anna: User, bert: User
) -> None:
    for _ in range(tries(4, long=25)):
        proposal = propose(anna)
        carried_out: list[Proposal] = []
        race(
            [
                partial(confirm, proposal, bert, action=carried_out.append),
                partial(
                    proposal_refuse,
                    proposal_id=proposal.pk,
                    actor=bert,
                    verified_at=now(),
                    reason="no",
                ),
                partial(proposal_withdraw, proposal_id=proposal.pk, actor=anna),
            ]
        )
        proposal.refresh_from_db()
        assert proposal.state != "waiting"
        assert (proposal.state == "done") == bool(carried_out)


def test_of_many_proposals_at_once_one_waits(race: Runner, anna: User) -> None:
    outcomes = race([partial(propose, anna)] * RACERS)
    assert sum(isinstance(outcome, Proposal) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, ProposalWaits) for outcome in outcomes) == RACERS - 1
