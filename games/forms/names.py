"""The names of modes, variants, clocks and ways to begin, for people."""

from collections.abc import Iterable
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from backgammon.rules.match import SERIES
from backgammon.rules.start import StartRule
from backgammon.rules.variants import ALL as VARIANTS
from games.modes.mode import Mode
from games.modes.registry import ALL as MODES
from games.modes.terms import NO_CLOCK, Terms

#: every mode in the order of lists, by the name that its file gives it.
MODE_NAMES: Final = {mode.key: gettext_lazy(mode.name) for mode in MODES}


def mode_choices(modes: Iterable[Mode]) -> list[tuple[str, Promise]]:
    """Modes as a field offers them: keys and names."""
    return [(mode.key, MODE_NAMES[mode.key]) for mode in modes]


VARIANT_NAMES: Final = {variant.key: gettext_lazy(variant.name) for variant in VARIANTS}

#: what is played by its key (`Terms.game_key`): a variant, or a series, which is a mode of its own.
GAME_NAMES: Final = {**VARIANT_NAMES, **{key: MODE_NAMES[key] for key in SERIES}}

CLOCK_NAMES: Final = {
    "fast": gettext_lazy("fast"),
    "normal": gettext_lazy("normal"),
    "slow": gettext_lazy("slow"),
}


def clock_label(terms: Terms) -> str:
    """The clock in short: free seconds each turn, then the reserve (6 min, 1:30 min or 20 s)."""
    if terms.clock in NO_CLOCK:
        return _("no clock")
    return _("%(delay)s s + %(reserve)s") % {
        "delay": terms.delay_ms // 1000,
        "reserve": reserve_label(terms.reserve_ms),
    }


def reserve_label(reserve_ms: int) -> str:
    """A reserve with its unit: 6 min, 1:30 min, or 20 s if it is less than a minute."""
    minutes, seconds = divmod(reserve_ms // 1000, 60)
    if not minutes:
        return _("%(seconds)s s") % {"seconds": seconds}
    written = f"{minutes}:{seconds:02d}" if seconds else str(minutes)
    return _("%(minutes)s min") % {"minutes": written}


WATCHERS_NAMES: Final = {
    "": gettext_lazy("allowed, except at private tables"),
    "yes": gettext_lazy("allowed"),
    "no": pgettext_lazy("watchers", "not allowed"),
}


def begins_text(terms: Terms, opener: str = "") -> str:
    """The beginner of a table's games, in words for its opener, or with the opener's name."""
    if terms.start is StartRule.OPENER_ALTERNATES:
        if not opener:
            return _("You start the first game, then you take turns at starting.")
        words = _("%(name)s starts the first game, then you take turns at starting.")
        return words % {"name": opener}
    if terms.start is StartRule.WINNER_STARTS:
        return _(
            "A roll-off decides who starts the first game, and the winner of a game starts the"
            " next one."
        )
    return _("A roll-off decides who starts each game.")


#: why a message may be reported (`games.table.talk.ReportReason`).
REASON_NAMES: Final = {
    "insult": gettext_lazy("It insults somebody"),
    "threat": gettext_lazy("It threatens somebody"),
    "spam": gettext_lazy("It is advertising, or the same over and over"),
    "advice": gettext_lazy("It advises a player during the match"),
    "cheating": gettext_lazy("It arranges a result or offers to cheat"),
    "other": gettext_lazy("Something else"),
}

#: what follows from a report of words (`games.services.moderation`).
OUTCOME_NAMES: Final = {
    "nothing": gettext_lazy("Nothing"),
    "warn": gettext_lazy("A warning"),
    "silence_1": gettext_lazy("Silence for 1 day"),
    "silence_7": gettext_lazy("Silence for 7 days"),
    "silence_30": gettext_lazy("Silence for 30 days"),
    "name": gettext_lazy("The name is taken away"),
    "about": gettext_lazy("The description is taken away"),
    "both": gettext_lazy("Name and description are taken away"),
}

#: the set phrases of the talk (`games.table.talk.PHRASES`).
PHRASE_NAMES: Final = {
    "hello": gettext_lazy("Hello!"),
    "good_luck": gettext_lazy("Good luck!"),
    "well_played": gettext_lazy("Well played!"),
    "nice_roll": gettext_lazy("Nice roll!"),
    "thanks": gettext_lazy("Thank you!"),
    "sorry": gettext_lazy("Sorry!"),
    "one_moment": gettext_lazy("One moment, please."),
    "must_go": gettext_lazy("I have to go soon."),
    "good_game": gettext_lazy("Good game!"),
}

#: how games, matches and sessions end.
ENDING_NAMES: Final = {
    "borne_off": gettext_lazy("All checkers borne off"),
    "double_dropped": gettext_lazy("Double dropped"),
    "resigned": gettext_lazy("Resigned"),
    "left": gettext_lazy("Table left"),
    "time_over": gettext_lazy("Out of time"),
    "absent": gettext_lazy("Away too long"),
    "voided": gettext_lazy("Voided"),
    "stood_up": gettext_lazy("Left the seat before the first roll"),
    "adjudicated": gettext_lazy("Decided by the administrators"),
    "stopped": gettext_lazy("Stopped between two games"),
    "lapsed": gettext_lazy("Not both ready in time"),
    "bank_short": gettext_lazy("Bank too small for another game"),
}
