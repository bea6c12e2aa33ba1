"""The texts of the talk at a table: set phrases, reasons of a report, labels of the page."""

from typing import get_args

from django import template
from django.utils.translation import gettext as _

from games.forms.names import REASON_NAMES
from games.services.chat import SILENT
from games.table.talk import PHRASES, REPORT_REASONS
from games.wire.frames import UnsaidCode
from kit.sentences import sentences_by_code

register = template.Library()


@register.simple_tag
def set_phrases() -> list[tuple[str, str]]:
    """The set phrases in the reader's language, by their keys, in the order of their buttons."""
    words = phrases()
    return [(key, words[f"phrase_{key}"]) for key in PHRASES]


@register.simple_tag
def report_reasons() -> list[tuple[str, str]]:
    """Why a message may be reported."""
    return [(key, str(REASON_NAMES[key])) for key in REPORT_REASONS]


def phrases() -> dict[str, str]:
    """The set phrases of the talk."""
    return {
        "phrase_hello": _("Hello!"),
        "phrase_good_luck": _("Good luck!"),
        "phrase_well_played": _("Well played!"),
        "phrase_nice_roll": _("Nice roll!"),
        "phrase_thanks": _("Thank you!"),
        "phrase_sorry": _("Sorry!"),
        "phrase_one_moment": _("One moment, please."),
        "phrase_must_go": _("I have to go soon."),
        "phrase_good_game": _("Good game!"),
    }


def talk_words() -> dict[str, str]:
    """Talk at the table; why a message was not stored is said by its code, or the reason of it."""
    texts = sentences_by_code("games.services", "games.table")
    unsaid = {code: texts[code] for code in texts.keys() & get_args(UnsaidCode)}
    unsaid |= {reason: _(text) for reason, text in SILENT.items()}
    return {
        **{f"unsaid_{code}": text for code, text in unsaid.items()},
        "talk": _("Chat"),
        "talk_unread_one": _("Chat, {count} new message"),
        "talk_unread_other": _("Chat, {count} new messages"),
        "talk_says": _("{name} says: {text}"),
        "talk_watches": _("(watching)"),
        "talk_to_everybody": _("To everybody at this table"),
        "talk_to_watchers": _("To watchers only, until the match ends"),
        "talk_about": _("Mute or report {name}"),
        "talk_message_of": _("Message of {name}"),
        "talk_mute": _("Mute {name}"),
        "talk_hear_again": _("Unmute"),
        "talk_hear_again_of": _("Unmute {name}"),
        "talk_reported": _("Reported. The moderators will look at it."),
        "unsaid_not_seated": _("This table does not allow watchers."),
        "no_watchers": _("This table does not allow watchers."),
    }
