"""The formats of tournaments by their key. A new one is a file and a line here."""

from collections.abc import Mapping
from typing import Final

from tournaments.engine.errors import BadTournamentTerms
from tournaments.engine.formats.arena import Arena
from tournaments.engine.formats.base import Format
from tournaments.engine.formats.knockout import Consolation, DoubleElimination, Knockout
from tournaments.engine.formats.lives import Lives
from tournaments.engine.formats.robin import RoundRobin
from tournaments.engine.formats.swiss import Swiss
from tournaments.engine.terms import TournamentTerms

FORMATS: Final[Mapping[str, Format]] = {
    each.key: each
    for each in (
        Knockout(), Consolation(), DoubleElimination(), Lives(), Swiss(), RoundRobin(), Arena(),
    )
}  # fmt: skip


def format_of(terms: TournamentTerms) -> Format:
    """Return the format of these terms. Raises `BadTournamentTerms`."""
    found = FORMATS.get(terms.format)
    if found is None:
        raise BadTournamentTerms(f"there is no format {terms.format!r}", field="format")
    found.check(terms)
    return found
