"""Decisions about matches on real connections at once: one outcome, and no one decides in parts."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings as django_settings

from accounts.models import User
from games.models import Match
from games.services.match_decisions import MatchCase
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import TableError
from harness.decisions import adjudicate_shown, administrator, now, void_shown
from harness.rig import opener_begins
from harness.sitting import Sitting
from ledger.audit import run
from ledger.errors import LedgerError
from ledger.models import JournalEntry, Proposal
from ledger.selectors import escrow_balance
from ledger.services.proposals import proposal_confirm
from tests.racing import RACERS, Runner, racers, tries

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TRIES = tries(3, long=25)
LARGE = {"mode": "stake", "stake_cents": 300}  # 30 ℂ a side
SMALL = {"mode": "single", "rate_cents": 100, "limit_cents": 1000}  # 10 ℂ a side


@pytest.fixture
def race(transactional_db: None) -> Iterator[Runner]:
    with racers() as runner:
        yield runner
    assert [result for result in run().results if result.findings] == []


@pytest.fixture
def begin(transactional_db: None, dice: Callable[..., None]) -> Callable[..., Sitting]:
    """`begin("1", **wishes)`: two new people play, and have rolled."""
    dice((3, 1), (4, 2))

    def play(name: str, **wishes: Any) -> Sitting:
        players = (User.objects.create_user(f"a-{name}"), User.objects.create_user(f"b-{name}"))
        table = table_open(user=players[0], **opener_begins(wishes))
        table_join(user=players[1], table_id=table.pk)
        sitting = Sitting(table, players)
        sitting.turn()
        return sitting

    return play


def match_of(sitting: Sitting) -> Match:
    return Match.objects.get(table=sitting.pk)


def refusals(outcomes: list[Any]) -> int:
    """The number of refusals; any other error fails the test."""
    broken = [
        outcome
        for outcome in outcomes
        if isinstance(outcome, Exception) and not isinstance(outcome, TableError | LedgerError)
    ]
    assert broken == []
    return sum(isinstance(outcome, Exception) for outcome in outcomes)


def test_of_many_who_confirm_at_once_one_pays(begin: Callable[..., Sitting], race: Runner) -> None:
    seconds = [administrator(f"second-{number}") for number in range(RACERS)]
    for number in range(TRIES):
        sitting = begin(str(number), **LARGE)
        match = match_of(sitting)
        decided = adjudicate_shown(match.pk, administrator("ida"), 1)
        outcomes = race(
            [
                partial(
                    proposal_confirm,
                    proposal_id=decided,
                    actor=second,
                    verified_at=now(),
                )
                for second in seconds
            ]
        )
        assert refusals(outcomes) == RACERS - 1
        assert escrow_balance(match.reference) == 0
        assert (
            JournalEntry.objects.filter(subject=match.reference, verb="match.adjudicate").count()
            == 1
        )


@pytest.mark.parametrize("kind", ["match.void", "match.adjudicate"])
def test_a_match_that_ends_while_it_is_decided_ends_once(
    begin: Callable[..., Sitting], race: Runner, kind: str
) -> None:
    endings = set()
    for number in range(TRIES * 2):
        sitting = begin(str(number), **LARGE)
        match = match_of(sitting)
        ida = administrator("ida")
        void = kind == "match.void"
        decided = void_shown(match.pk, ida) if void else adjudicate_shown(match.pk, ida, 1)
        race(
            [
                partial(
                    proposal_confirm,
                    proposal_id=decided,
                    actor=administrator("second"),
                    verified_at=now(),
                ),
                partial(sitting.give, 1, cmd.Leave()),
            ]
        )
        match.refresh_from_db()
        proposal = Proposal.objects.get(pk=decided)
        assert (proposal.state == "done") == (match.ending in ("voided", "adjudicated"))
        assert escrow_balance(match.reference) == 0
        endings.add(match.ending)
    assert endings <= {"left", "voided", "adjudicated"}


def test_two_decisions_at_once_do_not_pass_the_limit(
    begin: Callable[..., Sitting], race: Runner
) -> None:
    """Two hold 10 ℂ each, and 20 are allowed: of eight at once two are decided alone."""
    for number in range(TRIES):
        ida = administrator(f"ida-{number}")
        matches = [match_of(begin(f"{number}-{seat}", **SMALL)) for seat in range(RACERS)]
        shown = [MatchCase(match.pk).effect().shown for match in matches]
        outcomes = race(
            [
                partial(void_shown, match.pk, ida, shown=seen, verified_at=now())
                for match, seen in zip(matches, shown, strict=True)
            ]
        )
        assert refusals(outcomes) == 0
        alone = [it for it in outcomes if it is None]
        assert len(alone) == django_settings.LEDGER_ALONE_CENTS // 1000 == 2
        ended = Match.objects.filter(pk__in=[match.pk for match in matches], ending="voided")
        assert ended.count() == 2
