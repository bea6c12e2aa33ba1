"""The checks that the site adds to the audit; only it sees books, people, matches and ratings.

A check has its code, its title, the check of everything, and how a recent audit makes it: by a
function that takes the mark, whole because it is quick (`WHOLE`), or not at all (None). The last
function, if there is one, makes it in turns; the others are whole in an audit in turns.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from ledger.audit import AuditFinding, Check, TurnCheck, register
from pasch.audits import agreement, chouettes, conduct, dice, matches, people, staff, tournaments
from pasch.audits.guards import guards_changed
from pasch.staff import house
from ratings.audit import check_ratings

WHOLE: Final = "whole"


def _ratings() -> Iterator[AuditFinding]:
    """The findings of the ratings, which are independent of the books."""
    for found in check_ratings():
        yield AuditFinding(found.row, found.message)


Recent = Callable[..., Any] | str | None
CHECKS: Final[tuple[tuple[str, str, Check, Recent, *tuple[TurnCheck, ...]], ...]] = (
    ("A0", "Every guard of the database is as the migrations made it", guards_changed, WHOLE),
    ("R1", "Every rating follows from the rating log", _ratings, None),
    (
        "M1",
        "Every table follows from its events",
        matches.check_states,
        matches.check_recent_states,
        matches.check_states_in_turns,
    ),
    (
        "M2",
        "Every match paid what its ending says",
        matches.check_payouts,
        matches.check_recent_payouts,
        matches.check_payouts_in_turns,
    ),
    (
        "M3",
        "Every counted match was rated once",
        matches.check_rated,
        matches.check_recent_rated,
        matches.check_rated_in_turns,
    ),
    (
        "M4",
        "Every transfer of a match has a match behind it",
        matches.check_reasons,
        matches.check_recent_reasons,
        matches.check_reasons_in_turns,
    ),
    (
        "M5",
        "Events, row, result and ratings of every match say the same",
        agreement.check_agreement,
        agreement.check_recent_agreement,
        agreement.check_agreement_in_turns,
    ),
    (
        "T1",
        "Every tournament, its entries and meetings follow from its journal",
        tournaments.check_journals,
        tournaments.check_recent_journals,
        tournaments.check_journals_in_turns,
    ),
    (
        "T2",
        "Every pool holds its fees, or was paid as the final standing says",
        tournaments.check_pools,
        tournaments.check_recent_pools,
        tournaments.check_pools_in_turns,
    ),
    (
        "T3",
        "Every transfer of a tournament has an entry or an end behind it",
        tournaments.check_reasons,
        tournaments.check_recent_reasons,
        tournaments.check_reasons_in_turns,
    ),
    (
        "K1",
        "Every chouette, its people and its dice follow from its journal",
        chouettes.check_journals,
        chouettes.check_recent_journals,
        chouettes.check_journals_in_turns,
    ),
    (
        "K2",
        "Every game of a chouette holds its stakes, or paid each pair as its points say",
        chouettes.check_games,
        chouettes.check_recent_games,
        chouettes.check_games_in_turns,
    ),
    (
        "K3",
        "Every transfer of a chouette has the shares of a game behind it",
        chouettes.check_reasons,
        chouettes.check_recent_reasons,
        chouettes.check_reasons_in_turns,
    ),
    (
        "H1",
        "Every setting of the house keeps its rules and is as people decided it",
        house.check_house,
        WHOLE,
    ),
    (
        "U1",
        "Every right at the desk follows from a decision in force",
        staff.check_roles,
        WHOLE,
    ),
    (
        "U2",
        "Every second person was another one at that time",
        staff.check_second_persons,
        WHOLE,
    ),
    (
        "U3",
        "Every deleted account is closed, and has no name and no way in",
        people.check_deletions,
        WHOLE,
    ),
    (
        "F1",
        "Conduct at tables follows from how the matches ended",
        conduct.check_conduct,
        conduct.check_recent_conduct,
    ),
    (
        "D1",
        "Every record of dice is believed, and lay on the board",
        dice.check_records,
        dice.check_recent_records,
        dice.check_records_in_turns,
    ),
    ("D2", "The log of openings is one chain", dice.check_log, None),
    (
        "D3",
        "Every game with anything of value to win has dice of mode L",
        dice.check_modes,
        dice.check_recent_modes,
    ),
)


def register_all() -> None:
    """Add all of them to the audit."""
    for code, title, whole, recent, *turns in CHECKS:
        register(code, title, whole, _recent(whole, recent), *turns)


def _recent(whole: Check, recent: Recent) -> Callable[..., Any] | None:
    if recent == WHOLE:
        return lambda _mark: whole()
    assert recent is None or callable(recent)
    return recent
