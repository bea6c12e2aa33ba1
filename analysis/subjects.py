"""The subject of an analysis: a match of the house, or the transcript of one from elsewhere."""

from typing import Any

from analysis.models import Job, Report, Transcript
from backgammon.formats.record import MatchRecord
from backgammon.formats.record_json import record_from_json
from games.models import Match
from games.selectors import match_terms
from games.services.archive import match_record

Subject = Match | Transcript


def about(subject: Subject) -> dict[str, Any]:
    """Return the value of the column that names this subject in a job or a report."""
    return {"match": subject} if isinstance(subject, Match) else {"transcript": subject}


def subject_of(row: Job | Report) -> Subject:
    """Return what a job or a report is about."""
    subject = row.match or row.transcript
    assert subject is not None, "the database wants one of them"
    return subject


def record_of(subject: Subject) -> MatchRecord:
    """Return the record of the match; a transcript's has no names."""
    if isinstance(subject, Match):
        return match_record(subject)
    return record_from_json(subject.record)


def has_cube(subject: Subject) -> bool:
    """Return True if the match is played with a cube."""
    if isinstance(subject, Match):
        return match_terms(subject).has_cube
    return bool(subject.record["has_cube"])
