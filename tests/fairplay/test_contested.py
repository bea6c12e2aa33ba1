"""The events of contested matches are not packed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from fairplay.models import Case, CaseMatch, Complaint, Kind
from games.services.packing import tables_pack
from games.table import commands as cmd
from ledger.seals import books_seal

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
    case = Case.objects.create(kind=Kind.DUMP)
    CaseMatch.objects.create(case=case, match=match)
    assert tables_pack(older_than=NOW) == 0
    case.state, case.closed_at = "lapsed", timezone.now()
    case.save()
    assert tables_pack(older_than=NOW) == 1


def test_a_match_in_an_undecided_report_stays_in_rows(match):
    made = Complaint.objects.create(
        reporter_id=match.players[0], accused_id=match.players[1], match=match, reason="engine"
    )
    assert tables_pack(older_than=NOW) == 0
    Complaint.objects.filter(pk=made.pk).update(outcome="cleared", decided_at=timezone.now())
    assert tables_pack(older_than=NOW) == 1
