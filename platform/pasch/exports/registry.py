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
from games.chouette import exports as of_chouettes
from games.models import Match
from ledger import exports as of_credits
from ratings import exports as of_ratings
from tournaments import exports as of_tournaments

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


PARTS: Final = (
    *of_people.PARTS,
    *of_credits.PARTS,
    *of_ratings.PARTS,
    *of_games.PARTS,
    *of_analysis.PARTS,
    *of_fair_play.PARTS,
    *of_tournaments.PARTS,
    *of_chouettes.PARTS,
    ExportPart("decisions_about_matches", _match_decisions, frozenset()),
)

LEFT_OUT: Final = {
    **of_people.LEFT_OUT,
    **of_credits.LEFT_OUT,
    **of_ratings.LEFT_OUT,
    **of_games.LEFT_OUT,
    **of_fair_play.LEFT_OUT,
    **of_chouettes.LEFT_OUT,
    **of_tournaments.LEFT_OUT,
}

match_files: Final = of_games.match_files
