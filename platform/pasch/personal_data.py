"""All that is stored about people, from all apps; only the site sees all of them.

An app lists it in its `personal_data.py`, a kind of table in its `kind.py`.
"""

from collections.abc import Iterator
from typing import Final

from accounts import personal_data as of_people
from accounts.models import User
from analysis import personal_data as of_analysis
from fairplay import personal_data as of_fair_play
from games.kinds import kinds
from games.models import Match
from kit.personal_data import Erased, ExportPart, PersonalData, Row, rows_erase
from ledger import personal_data as of_credits
from ratings import personal_data as of_ratings

SUBJECTS_AT_ONCE: Final = 500


def _all() -> tuple[PersonalData, ...]:
    apps = (of_people, of_credits, of_ratings, of_analysis, of_fair_play)
    return (*(app.PERSONAL_DATA for app in apps), *(kind.personal_data for kind in kinds()))


def parts() -> tuple[ExportPart, ...]:
    """All parts of an export."""
    found = (part for data in _all() for part in data.parts)
    return (*found, ExportPart("decisions_about_matches", _match_decisions, frozenset()))


def left_out() -> dict[str, str]:
    """The foreign keys that no part follows, with the reasons."""
    return {column: why for data in _all() for column, why in data.all_left_out.items()}


def erased() -> tuple[Erased, ...]:
    """The rows that go with a person."""
    return tuple(rows for data in _all() for rows in data.erased)


def kept() -> dict[str, str]:
    """The foreign keys to a person that stay, with the reasons."""
    return {column: why for data in _all() for column, why in data.all_kept.items()}


def person_erase(person: User) -> None:
    """Erase a person in the caller's transaction; the account stays, with its number as a name."""
    for data in reversed(_all()[1:]):
        rows_erase(data.erased, person.pk)
    of_people.person_erase(person)


def _match_decisions(person: User) -> Iterator[Row]:
    """Decisions of administrators about matches of the person."""
    subjects: list[str] = []
    for number in (0, 1):
        keys = Match.objects.filter(**{f"player_{number}": person}).values_list("pk", flat=True)
        for key in keys.iterator():
            subjects.append(f"match:{key}")
            if len(subjects) == SUBJECTS_AT_ONCE:
                yield from of_credits.journal_rows(subjects)
                subjects = []
    yield from of_credits.journal_rows(subjects)
