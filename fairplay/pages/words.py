"""Cases in words: kinds, states, sanctions, and every fact with its figures.

A fact of the evidence has a key, and of `here` (in these matches), `elsewhere` (the same player
against others) and `odds` (one honest case in so many looks like this) those that there are. `of`
is the id of the player whom it is about.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from fairplay.procedure import LASTS, CaseState, Sanction
from fairplay.settlement import credits_text

Text = str | Promise

STATES: Final[Mapping[str, Text]] = {
    CaseState.OPEN: gettext_lazy("not decided"),
    CaseState.DECIDED: gettext_lazy("decided, appeal possible"),
    CaseState.APPEALED: gettext_lazy("appealed"),
    CaseState.CONFIRMED: gettext_lazy("confirmed"),
    CaseState.CLEARED: gettext_lazy("nothing found"),
    CaseState.LAPSED: gettext_lazy("ended without a decision"),
}


def _days(sanction: Sanction) -> int:
    lasts = LASTS[sanction]
    assert lasts is not None
    return lasts.days


SANCTIONS: Final[Mapping[str, Text]] = {
    Sanction.NONE: gettext_lazy("Nothing: no violation"),
    Sanction.WARNING: gettext_lazy("Warning"),
    Sanction.NO_STAKES: format_lazy(
        gettext_lazy("No stakes for {days} days"), days=_days(Sanction.NO_STAKES)
    ),
    Sanction.NO_RATED: format_lazy(
        gettext_lazy("No stakes and no rated games for {days} days"), days=_days(Sanction.NO_RATED)
    ),
    Sanction.CLOSED: gettext_lazy("No games in this house any more"),
}


def _credits(value: float) -> str:
    return str(credits_text(round(value)))


def _percent(value: float) -> str:
    return f"{number_format(100 * value, 0)} %"


def _figure(value: float) -> str:
    return number_format(value, 1)


def _yes(_value: float) -> str:
    return _("yes")


def _count(value: float) -> str:
    return number_format(value, 0)


@dataclass(frozen=True, slots=True)
class FactWords:
    """How a kind of fact is named and written; `private` ones are for reviewers alone."""

    label: Text
    write: Callable[[float], str]
    private: bool = False


FACTS: Final[Mapping[str, FactWords]] = {
    "net": FactWords(gettext_lazy("Credits that went to %(name)s"), _credits),
    "chouette": FactWords(gettext_lazy("Of it in chouettes"), _credits),
    "tournament": FactWords(gettext_lazy("Of it in tournaments"), _credits),
    "won": FactWords(gettext_lazy("Matches won by %(name)s"), _percent),
    "matches": FactWords(gettext_lazy("Matches of the pair"), _count),
    "quick": FactWords(gettext_lazy("Matches within a day"), _count),
    "pr": FactWords(gettext_lazy("Error rate (PR) of %(name)s"), _figure),
    "given_up": FactWords(gettext_lazy("Given up early by %(name)s"), _percent),
    "share": FactWords(
        gettext_lazy("Share of all stakes of %(name)s against this player"), _percent
    ),
    "age": FactWords(gettext_lazy("Days since %(name)s registered"), _count, private=True),
    "ring": FactWords(gettext_lazy("Accounts whose credits went to one player"), _count),
    "browser": FactWords(gettext_lazy("Logins from the same browser"), _yes),
    "network": FactWords(gettext_lazy("Logins from the same network"), _yes),
    "mailbox": FactWords(gettext_lazy("The same mailbox"), _yes),
    "under": FactWords(gettext_lazy("Like %(name)s, who is under a decision"), _yes, private=True),
    "decisions": FactWords(gettext_lazy("Counted decisions"), _count),
    "play_pr": FactWords(gettext_lazy("Error rate (PR)"), _figure),
    "exact": FactWords(gettext_lazy("Decisions without any loss"), _percent),
    "hard": FactWords(gettext_lazy("Hard decisions without any loss"), _percent),
    "easy": FactWords(gettext_lazy("Easy decisions without any loss"), _percent),
    "hard_seconds": FactWords(gettext_lazy("Seconds for a hard decision, median"), _figure),
    "easy_seconds": FactWords(gettext_lazy("Seconds for an easy decision, median"), _figure),
    "z": FactWords(gettext_lazy("Better than before, in standard errors"), _figure),
    "opened": FactWords(gettext_lazy("Opened by a moderator"), _count),
    "reports": FactWords(gettext_lazy("Players who reported"), _count),
}


@dataclass(frozen=True, slots=True)
class FactLine:
    """A fact in words, as a row of the table."""

    key: str
    label: str
    here: str
    elsewhere: str
    odds: str
    words: str


def lines(
    evidence: Iterable[Mapping[str, Any]], names: Mapping[int, str], *, private: bool
) -> list[FactLine]:
    """The evidence as rows; private facts only for those who may see them."""
    found = []
    for fact in evidence:
        kind = FACTS.get(str(fact.get("key")))
        if kind is None or (kind.private and not private):
            continue
        name = names.get(int(fact.get("of") or 0), "")
        found.append(
            FactLine(
                key=str(fact["key"]),
                label=_label(kind, name),
                here=_written(kind, fact.get("here")),
                elsewhere=_written(kind, fact.get("elsewhere")),
                odds=_odds(fact.get("odds")),
                words=str(fact.get("words", "")),
            )
        )
    return found


def _label(kind: FactWords, name: str) -> str:
    text = str(kind.label)
    return text % {"name": name} if "%(" in text else text


def _written(kind: FactWords, value: Any) -> str:
    return "" if value is None else kind.write(float(value))


def _odds(value: Any) -> str:
    """`1 in 4,000`; empty without figures."""
    if value is None or float(value) < 2:
        return ""
    many = number_format(min(float(value), 1e6), 0, force_grouping=True)
    return _("1 in %(many)s") % {"many": many}


def summary(kind: str) -> str:
    """The subject of a case of this kind in one sentence, for the player."""
    sentences = {
        "dump": _("In these matches credits went one way more than the play of both explains."),
        "engine": _("In these matches the play was better than people are known to play."),
        "evasion": _(
            "You have logged in like an account that may not play, from its browser or network."
        ),
        "conduct": _("Players have reported conduct in these matches."),
    }
    return sentences[kind]
