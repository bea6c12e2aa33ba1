"""The parts of an account's export, from all apps; only the site sees all of them.

An app adds a part to `PARTS` of its `exports.py`. A foreign key to a person that no part follows
stands in its `LEFT_OUT`, with the reason.
"""

from collections.abc import Iterator
from typing import Final

from accounts import exports as of_people
from accounts.exports import ExportPart, Row
from accounts.models import User
from analysis import exports as of_analysis
from fairplay import exports as of_fair_play
from games import exports as of_games
from games.kinds import kinds
from games.models import Match
from ledger import exports as of_credits
from ratings import exports as of_ratings

SUBJECTS_AT_ONCE: Final = 500


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


def parts() -> tuple[ExportPart, ...]:
    """All parts of an export."""
    return (
        *of_people.PARTS,
        *of_credits.PARTS,
        *of_ratings.PARTS,
        *of_analysis.PARTS,
        *of_fair_play.PARTS,
        *(part for kind in kinds() for part in kind.export_parts),
        ExportPart("decisions_about_matches", _match_decisions, frozenset()),
    )


def left_out() -> dict[str, str]:
    """The foreign keys that no part follows, with the reasons."""
    return {
        **of_people.LEFT_OUT,
        **of_credits.LEFT_OUT,
        **of_ratings.LEFT_OUT,
        **of_fair_play.LEFT_OUT,
        **{column: why for kind in kinds() for column, why in kind.export_left_out.items()},
    }


match_files: Final = of_games.match_files
