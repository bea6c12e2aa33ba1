"""Words that the scripts of a table say by keys, which views and frames have in their place."""

from collections.abc import Mapping
from typing import Final, get_args

from django import template
from django.utils.translation import gettext as _

from backgammon.bots.engine import PLIES
from backgammon.rules.variants import ALL as VARIANTS
from games.forms.names import (
    ENDING_NAMES,
    MODE_NAMES,
    PHRASE_NAMES,
    REASON_NAMES,
    VARIANT_NAMES,
)
from games.services.chat import SILENT
from games.settlement import NO_STAKES
from games.table.talk import PHRASES, REPORT_REASONS
from games.templatetags.tables import bot_names, bot_rates
from games.wire.frames import ErrorCode, RejectedCode, UnsaidCode
from kit.fragments import kept
from kit.sentences import sentences_by_code

#: the levels that have names: a single game, a gammon, a backgammon.
NAMED_LEVELS: Final = 3

Words = Mapping[str, Mapping[str, str]]

register = template.Library()


@register.simple_tag
def set_phrases() -> list[tuple[str, str]]:
    """The set phrases in the reader's language, by their keys, in the order of their buttons."""
    return [(key, str(PHRASE_NAMES[key])) for key in PHRASES]


@register.simple_tag
def report_reasons() -> list[tuple[str, str]]:
    """The reasons for which a message may be reported."""
    return [(key, str(REASON_NAMES[key])) for key in REPORT_REASONS]


@register.simple_tag
@kept
def table_words() -> Words:
    """Return the words by their kind, then by their key, for `word` of static/js/say.js."""
    return {
        "variants": _named(VARIANT_NAMES),
        "modes": _named(MODE_NAMES),
        "endings": _named(ENDING_NAMES),
        "phrases": _named(PHRASE_NAMES),
        "bots": bot_names(),
        "bot_rates": bot_rates(),
        "judged_by": _judges(),
        "levels": {each.key: "checkers" for each in VARIANTS if max(each.levels) > NAMED_LEVELS},
        "no_stakes": {code: _(text) for code, text in NO_STAKES.items()},
        "refused": refused("games.settlement", "games.services", "games.table"),
        "unsaid": unsaid() | {"not_seated": _("This table does not allow watchers.")},
    }


def refused(*modules: str) -> dict[str, str]:
    """The reasons of a refused command by the protocol's codes, in the words of these modules."""
    texts = sentences_by_code(*modules)
    codes = texts.keys() & {*get_args(RejectedCode), *get_args(ErrorCode)}
    return {
        **{code: texts[code] for code in codes},
        "bad_frame": _("This page is out of date. Please reload it."),
        "unknown_type": _("This page is out of date. Please reload it."),
        "too_fast": _("That was too fast. Please try again."),
    }


def unsaid() -> dict[str, str]:
    """The reasons why a message was not stored, by its code or its own reason."""
    texts = sentences_by_code("games.services", "games.table")
    return {
        **{code: texts[code] for code in texts.keys() & get_args(UnsaidCode)},
        **{reason: _(text) for reason, text in SILENT.items()},
    }


def _named(names: Mapping[str, object]) -> dict[str, str]:
    return {key: str(name) for key, name in names.items()}


def _judges() -> dict[str, str]:
    """The engines that judge the plays of a hint."""
    engine = _("Engine: bgsage, %(plies)s-ply.") % {"plies": PLIES}
    return {
        "engine_alone": engine,
        "engine": _("Points lost per game against the best play. {engine}").format(engine=engine),
        "net": _(
            "Points lost per game against the best play. Judged by our own neural net, which is"
            " less tested than bgsage."
        ),
        "eye": _("No engine supports this variant; hints follow rules of thumb."),
    }
