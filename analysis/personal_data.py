"""Personal data of the analysis (`kit/personal_data.py`).

Who asked, what they tried and what they brought from elsewhere goes; the reports and transcripts
name nobody and stay.
"""

from base64 import b64encode
from collections.abc import Iterator
from typing import Final

from django.db.models import Q

from accounts.models import User
from analysis.models import (
    DecidedMatch,
    DecisionList,
    ExerciseTry,
    Import,
    ImportedFile,
    ImportedMatch,
    Job,
    ListedDecision,
    MyDecision,
    NameInFiles,
    PositionNote,
)
from kit.personal_data import ExportPart, PersonalData, Row, part_of, rows_of

_COLUMNS: Final = (
    "exercise__xgid decision__line__xgid decision__report__match_id decision__game"
    " decision__number day answer loss at"
)
_PLACE: Final = ("decision_report_match_id", "decision_game", "decision_number")


def _tries(person: User) -> Iterator[Row]:
    """The person's tries. A match between others is no data of theirs, so its place is left out."""
    own = set(ExerciseTry.objects.filter(
        Q(decision__report__match__player_0=person) | Q(decision__report__match__player_1=person),
        person=person,
    ).values_list("decision__report__match_id", flat=True))  # fmt: skip
    for row in rows_of(ExerciseTry.objects.filter(person=person).order_by("at"), _COLUMNS):
        named = row["decision_report_match_id"] in own
        place = {} if named else dict.fromkeys(_PLACE)
        xgids = (row.pop("exercise_xgid"), row.pop("decision_line_xgid"))
        yield {"exercise_xgid": xgids[0] or xgids[1], **row, **place}


_OF_FILE: Final = ("upload_id", "path", "digest", "size_bytes", "read_at", "found", "changes")
_OF_DECISIONS: Final = ("analysis.DecidedMatch.person", "analysis.MyDecision.person")
_DECISION: Final = (
    "decision__line__xgid match__match_id match__imported_id match__source match__opponent"
    " match__played_at theme phase loss counted own_away opponent_away seconds"
)


def _decisions(person: User) -> Iterator[Row]:
    """The person's decisions in all of their matches."""
    return rows_of(MyDecision.objects.filter(person=person).order_by("pk"), _DECISION)


def _lists(person: User) -> Iterator[Row]:
    """The person's lists and exercises, a row for each decision in them."""
    entries = ListedDecision.objects.filter(list__person=person, list__removed_at=None)
    return rows_of(
        entries.order_by("list__made_at", "pk"),
        "list__name list__for_exercises list__made_at decision__line__xgid theme sound added_at",
    )


def _files(person: User) -> Iterator[Row]:
    """The person's files with their faults, and the bytes of those that are kept, in base64."""
    files = ImportedFile.objects.filter(upload__person=person).order_by("pk")
    for file in files.iterator(chunk_size=1):  # one may have ten megabytes
        row = {name: getattr(file, name) for name in _OF_FILE}
        content = None if file.content is None else b64encode(bytes(file.content)).decode()
        yield {**row, "content_base64": content}


PERSONAL_DATA: Final = PersonalData(
    parts=(
        part_of(
            "analyses_asked_for",
            Job,
            by=("asked_by",),
            columns="match_id transcript__digest depth queued_at done_at",
            order="queued_at",
        ),
        part_of(
            "imports",
            Import,
            by=("person",),
            columns="id name files_announced begun_at sent_at undone_at",
            order="begun_at",
        ),
        ExportPart("imported_files", _files, frozenset({"analysis.Import.person"})),
        part_of(
            "imported_matches",
            ImportedMatch,
            by=("person",),
            columns=(
                "id name_0 name_1 seat source event played_on in_part jacoby_assumed added_at"
                " removed_at replaced_by_id transcript__digest transcript__record"
            ),
            order="added_at",
        ),
        part_of(
            "names_in_files",
            NameInFiles,
            by=("person",),
            columns="name source is_mine",
            order="name",
        ),
        ExportPart("decisions", _decisions, frozenset(_OF_DECISIONS)),
        ExportPart("decision_lists", _lists, frozenset({"analysis.DecisionList.person"})),
        part_of(
            "position_notes",
            PositionNote,
            by=("person",),
            columns="xgid text changed_at",
            order="changed_at",
        ),
        ExportPart("exercises", _tries, frozenset({"analysis.ExerciseTry.person"})),
    ),
    erased=(
        (DecidedMatch, "person"),
        (MyDecision, "person"),
        (DecisionList, "person"),
        (PositionNote, "person"),
        (ExerciseTry, "person"),
        (ImportedMatch, "person"),
        (Import, "person"),
        (NameInFiles, "person"),
        (Job, "asked_by"),
    ),
)
