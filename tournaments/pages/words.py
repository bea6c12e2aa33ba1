"""Tournaments in words: formats, terms, rounds, places, refusals."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.pages.refusals import REFUSALS, refusal_of
from games.pages.words import terms_words
from games.table.errors import TableError
from tournaments.engine.formats.knockout import CONSOLATION, FINAL, LAST_CHANCE, MAIN
from tournaments.engine.formats.lives import FINALS
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Tournament
from tournaments.services.naming import FORMATS
from tournaments.services.store import table_terms_of, terms_of

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

TOURNAMENT_REFUSALS: Final = {
    "wrong_phase": gettext_lazy("The registration is closed."),
    "full": gettext_lazy("All places are taken."),
    "not_entered": gettext_lazy("You have not entered."),
    "no_such_tournament": gettext_lazy("There is no such tournament."),
    "plays_now": gettext_lazy("Finish your match first, or leave its table and forfeit it."),
    "paid_by_the_house": gettext_lazy("Only the house holds tournaments with an entry fee."),
    "announced_too_many": gettext_lazy(
        "You have announced several tournaments today. The next one is possible at {until}."
    ),
    "tournaments_too_many": gettext_lazy("You hold as many open tournaments as possible."),
    "added_by_you": gettext_lazy("You have added credits of the house to this tournament."),
    "no_such_club": gettext_lazy("There is no such club."),
    "not_member": gettext_lazy("Members of the club write here."),
    "club_name_taken": gettext_lazy("Another club has this name."),
    "club_words_withdrawn": gettext_lazy(
        "The moderators took this away from a club. Choose something else."
    ),
    "name_reserved": gettext_lazy("This name is reserved for the house."),
    "title_withdrawn": gettext_lazy(
        "The moderators took this name away from a tournament. Choose another one."
    ),
    "named_by_the_house": gettext_lazy("The house gave this name."),
    "wrong_state": gettext_lazy("The moderators have decided about it already."),
    "too_many_reports": gettext_lazy("You have reported enough for today."),
    "clubs_too_many": gettext_lazy("You have founded as many clubs as possible."),
    "not_director": gettext_lazy(
        "Only a director can do this, and nobody in a match of their own."
    ),
    "no_such_pairing": gettext_lazy("There is no such match, or it has its result."),
    "would_unravel": gettext_lazy("Later results rest on this one."),
    "bad_terms": gettext_lazy("A correction needs a reason of three characters or more."),
    "founder_stays": gettext_lazy(
        "The founder of a club decides alone whether to direct it and when to leave."
    ),
    "invitation_refused": gettext_lazy(
        "This player has refused an invitation to this club. They can ask to join."
    ),
    "invitations_too_many": gettext_lazy("You have invited enough players for today."),
    "invited_too_often": gettext_lazy("This player has enough invitations at the moment."),
    "last_director": gettext_lazy("Make another member a director first."),
    "members_only": gettext_lazy("This tournament is for members of its club."),
    "not_seated": gettext_lazy("No match of yours is called at the moment."),
    "insufficient_credits": gettext_lazy("You do not have enough credits for this entry fee."),
}


def refused(error: TableError) -> str:
    """A refusal in the reader's language."""
    reason = error.fields.get("reason")
    code = str(reason) if isinstance(reason, str) and reason in REFUSALS else error.code
    return refusal_of(code, error, TOURNAMENT_REFUSALS)


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
