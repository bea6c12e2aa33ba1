"""The events of contested matches are not packed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from fairplay.cases import Alarm, case_open, cases_move_on
from fairplay.models import Case, CaseKind, Complaint
from games.services.packing import tables_pack
from games.table import commands as cmd
from ledger.seals import books_seal
from tests.aging import rows_age

pytestmark = pytest.mark.django_db(transaction=True)

NOW = timedelta(0)


@pytest.fixture
def match(sitting, dice):
    """A match at a table that is closed."""
    dice((3, 1), (4, 2))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    sitting.give(0, cmd.StandUp())
    books_seal()
    return sitting.table.matches.get()


def test_a_match_in_an_open_case_stays_in_rows(match):
    case = case_open(
        Alarm(kind=CaseKind.DUMP, accused=frozenset(match.players), evidence=[], matches=[match])
    )
    assert tables_pack(older_than=NOW) == 0
    rows_age(Case.objects.filter(pk=case.pk), waits_until=timezone.now())
    assert cases_move_on() == 1
    assert tables_pack(older_than=NOW) == 1


def test_a_match_in_an_undecided_report_stays_in_rows(match):
    made = Complaint.objects.create(
        reporter_id=match.players[0], accused_id=match.players[1], match=match, reason="engine"
    )
    assert tables_pack(older_than=NOW) == 0
    rows_age(Complaint.objects.filter(pk=made.pk), outcome="cleared", decided_at=timezone.now())
    assert tables_pack(older_than=NOW) == 1
