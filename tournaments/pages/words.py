"""Tournaments in words: formats, terms, rounds, places."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.pages.words import terms_words
from tournaments.engine.formats.knockout import CONSOLATION, FINAL, LAST_CHANCE, MAIN
from tournaments.engine.formats.lives import FINALS
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Tournament
from tournaments.services.store import table_terms_of, terms_of
from tournaments.services.words import FORMATS

EXPLAINED: Final = {
    "knockout": gettext_lazy("A loss ends it."),
    "consolation": gettext_lazy(
        "Losers of the main bracket play on in the consolation, its early losers in the last"
        " chance. Places follow from the main bracket."
    ),
    "double": gettext_lazy(
        "Two losses end it. The winner of the losers' bracket has to win the final twice."
    ),
    "lives": gettext_lazy(
        "Everybody plays until their lives are lost, against somebody who has lost as often."
    ),
    "swiss": gettext_lazy(
        "Everybody plays every round, against somebody with about as many wins, and nobody twice."
        " A bye counts as a win."
    ),
    "robin": gettext_lazy("Everybody meets everybody once. Wins count."),
    "arena": gettext_lazy(
        "Until the time is over, free players are paired again and again. Every win counts."
    ),
}

BYES: Final = gettext_lazy("With free places the draw gives byes in round 1.")
BRACKETS: Final = ("knockout", "consolation", "double")

STAGES: Final = {
    MAIN: gettext_lazy("Main bracket"),
    CONSOLATION: gettext_lazy("Consolation"),
    LAST_CHANCE: gettext_lazy("Last chance"),
    FINAL: gettext_lazy("Final"),
    FINALS: gettext_lazy("Bracket"),
}

#: the prizes beside those of the places, in the order of `Tournament.sides_bps`
SIDE_PRIZES: Final = (
    gettext_lazy("Winner of the consolation"),
    gettext_lazy("Winner of the last chance"),
)


def format_words(terms: TournamentTerms) -> str:
    """The format with what goes with it: lives and bracket, rounds, minutes."""
    words = str(FORMATS[terms.format])
    if terms.format == "lives":
        lives = ngettext("%(count)s life", "%(count)s lives", terms.lives) % {"count": terms.lives}
        words = f"{words}, {lives}"
        if terms.bracket:
            words += ", " + _("then a bracket of %(places)s") % {"places": terms.bracket}
    elif terms.format == "swiss" and terms.rounds:
        words += ", " + ngettext("%(count)s round", "%(count)s rounds", terms.rounds) % {
            "count": terms.rounds
        }
    elif terms.format == "arena":
        words += ", " + _("%(count)s minutes") % {"count": terms.minutes}
    return words


def explained(terms: TournamentTerms) -> str:
    """The rules of the format; byes only where one begins with free places."""
    words = str(EXPLAINED[terms.format])
    return f"{words} {BYES}" if terms.format in BRACKETS and terms.least < terms.most else words


def line_of(tournament: Tournament) -> str:
    """Format, variant, length and clock in one line."""
    words = terms_words(table_terms_of(tournament))
    return " · ".join((format_words(terms_of(tournament)), *words["rules"], words["clock_label"]))


def round_title(stage: str, number: int, rounds: int, matches: int) -> str:
    """The title of a round with so many matches, of so many rounds in its stage."""
    if stage in (MAIN, FINALS):
        named = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
        return named.get(matches) or _("Round of %(players)s") % {"players": 2 * matches}
    if stage == FINAL:
        return _("Final") if number == 1 else _("Final, again")
    if number == rounds and matches == 1 and stage in (CONSOLATION, LAST_CHANCE):
        return _("Final")
    return _("Round %(number)s") % {"number": number}


def places_text(first: int | None, last: int | None) -> str:
    """A place, or the places that are shared: 3–4."""
    if first is None or last is None:
        return ""
    return str(first) if first == last else f"{first}–{last}"
