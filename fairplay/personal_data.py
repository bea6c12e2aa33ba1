"""Personal data of fair play (`kit/personal_data.py`).

People under suspicion and people affected get what concerns them; who reported, and opinions before
the decision, are left out.
"""

from collections.abc import Iterator
from typing import Final

from accounts.models import User
from fairplay.models import Complaint, Conduct, Opinion, Party, PartyRole, Pause, Statement, Wait
from fairplay.procedure import CaseState
from kit.personal_data import ExportPart, PersonalData, Row, part_of, rows_of


def _opinions(person: User) -> Iterator[Row]:
    """The opinions in decided cases in which the person is under suspicion, without names."""
    found = Opinion.objects.filter(
        case__parties__user=person, case__parties__role=PartyRole.ACCUSED, number__gt=0
    ).exclude(case__state=CaseState.OPEN)
    columns = "case_id number sanction refund for_them reasons made_at"
    return rows_of(found.order_by("case_id", "number"), columns)


def _evidence(person: User) -> Iterator[Row]:
    found = Party.objects.filter(user=person, role=PartyRole.ACCUSED).order_by("case_id")
    return rows_of(found, "case_id case__evidence")


_PARTS: Final = (
    part_of(
        "fair_play_cases",
        Party,
        by=("user",),
        columns="case_id role case__kind case__state case__opened_at case__sanction"
        " case__decided_at case__closed_at",
        order="case_id",
    ),
    ExportPart("fair_play_evidence", _evidence, frozenset()),
    ExportPart("fair_play_opinions", _opinions, frozenset()),
    part_of(
        "fair_play_statements", Statement, by=("user",), columns="case_id text is_appeal made_at"
    ),
    part_of(
        "fair_play_reports_made",
        Complaint,
        by=("reporter",),
        columns="match_id reason words made_at outcome decided_at",
    ),
    part_of(
        "waiting_winnings",
        Wait,
        by=("user",),
        columns="reference since until over_at",
        order="since",
    ),
    part_of("conduct", Conduct, by=("user",), columns="match_id fault at", order="at"),
    part_of("pauses", Pause, by=("user",), columns="step faults matches placed_at ends_at"),
)

_CASE: Final = "a case stays, so that victims and the player can have it checked"

PERSONAL_DATA: Final = PersonalData(
    parts=_PARTS,
    left_out={
        "fairplay.Complaint.accused": "would name the person who reported; the case says what it"
        " found",
    },
    erased=((Conduct, "user"), (Pause, "user")),
    kept={
        "fairplay.Party.user": _CASE,
        "fairplay.Statement.user": _CASE,
        "fairplay.Wait.user": "a gain waits by the number of the account, and is deleted in time",
        "fairplay.Complaint.reporter": "shows how much their reports count",
        "fairplay.Complaint.accused": _CASE,
    },
    of_staff=(
        "fairplay.Case.opened_by",
        "fairplay.CaseMatch.refunded_by",
        "fairplay.Opinion.reviewer",
    ),
)
