"""The checks that the site adds to the audit; only it sees books, people, matches and ratings.

A check has its code, its title, the check of everything, and how a recent audit makes it: by a
function that takes the mark, whole because it is quick (`WHOLE`), or not at all (None). The last
function, if there is one, makes it in turns; the others are whole in an audit in turns.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from django.utils.translation import gettext_noop

from ledger.audit import AuditFinding, Check, TurnCheck, register
from pasch.audits import agreement, dice, matches, people
from pasch.audits.guards import guards_changed
from pasch.staff import house
from ratings import replay

WHOLE: Final = "whole"


def _ratings() -> Iterator[AuditFinding]:
    """The findings of the ratings, which are independent of the books."""
    for found in replay.check():
        message = f"stored {found.stored}; the log gives {found.rebuilt}"
        yield AuditFinding(found.row, message)


Recent = Callable[..., Any] | str | None
CHECKS: Final[tuple[tuple[str, str, Check, Recent, *tuple[TurnCheck, ...]], ...]] = (
    (
        "A0",
        gettext_noop("Every guard of the database is as the migrations made it"),
        guards_changed,
        WHOLE,
    ),
    ("R1", gettext_noop("Every rating follows from the rating log"), _ratings, None),
    (
        "M3",
        gettext_noop("Every counted match was rated once"),
        matches.check_rated,
        matches.check_recent_rated,
        matches.check_rated_in_turns,
    ),
    (
        "M5",
        gettext_noop("Events, row, result and ratings of every match say the same"),
        agreement.check_agreement,
        agreement.check_recent_agreement,
        agreement.check_agreement_in_turns,
    ),
    (
        "M6",
        gettext_noop("Every outage was given back to each match for credits that goes on"),
        matches.check_outages,
        WHOLE,
    ),
    (
        "H1",
        gettext_noop("Every setting of the house keeps its rules and is as people decided it"),
        house.check_house,
        WHOLE,
    ),
    (
        "U1",
        gettext_noop("Every right at the desk follows from a decision in force"),
        people.check_roles,
        WHOLE,
    ),
    (
        "U2",
        gettext_noop("Every second person was another one at that time"),
        people.check_second_persons,
        WHOLE,
    ),
    (
        "U3",
        gettext_noop("Every deleted account is closed, and has no name and no way in"),
        people.check_deletions,
        WHOLE,
    ),
    (
        "F1",
        gettext_noop("Conduct at tables follows from how the matches ended"),
        matches.check_conduct,
        matches.check_recent_conduct,
    ),
    ("D2", gettext_noop("The log of openings is one chain"), dice.check_log, None),
    (
        "D3",
        gettext_noop("Every game with anything of value to win has dice of mode L"),
        dice.check_modes,
        dice.check_recent_modes,
    ),
)


def register_all() -> None:
    """Add all of them to the audit."""
    for check in (*matches.CHECKS, *dice.CHECKS):
        check.register()
    for code, title, whole, recent, *turns in CHECKS:
        register(code, title, whole, _recent(whole, recent), *turns)


def _recent(whole: Check, recent: Recent) -> Callable[..., Any] | None:
    if recent == WHOLE:
        return lambda _mark: whole()
    assert recent is None or callable(recent)
    return recent
