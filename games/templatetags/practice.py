"""The form of the practice card, wherever a page shows it."""

from django import template
from django.utils.translation import gettext as _

from backgammon.bots.engine import PLIES
from backgammon.bots.strength import LEVELS
from games.forms.practice import LevelWords, PracticeForm, levels_in_words, opponent_name, pr_text

register = template.Library()


@register.simple_tag
def practice_form() -> PracticeForm:
    """A fresh form."""
    return PracticeForm.of({}, auto_id="practice_%s")


@register.simple_tag
def house_bot_levels() -> list[LevelWords]:
    """Every level of the house bot with its sentence and its measured PR."""
    return levels_in_words()


@register.filter
def house_bot_words(plays_as: str) -> str:
    """How strong a house bot plays, in words; `plays_as` as in the view of its table."""
    return practice_words()[f"house_bot_{plays_as}"]


def practice_words() -> dict[str, str]:
    """The texts of the house bot."""
    engine_words = _("Engine: bgsage, %(plies)s-ply.") % {"plies": PLIES}
    return {
        **_level_words(),
        "house_bot_alone": _("both sides are yours"),
        "hint_play": _("The house bot would play"),
        "hint_roll": _("The house bot would roll, not double"),
        "hint_double": _("The house bot would double"),
        "hint_take": _("The house bot would take"),
        "hint_drop": _("The house bot would drop"),
        "hint_beaver": _("The house bot would beaver"),
        "hint_raccoon": _("The house bot would raccoon"),
        "hint_name_double": _("The house bot would name the double {number}–{number}"),
        "hint_best": _("best"),
        "hint_small_error": _("small error"),
        "hint_error": _("error"),
        "hint_blunder": _("blunder"),
        "hint_engine": engine_words,
        "hint_by_engine": _("Points lost per game against the best play. {engine}").format(
            engine=engine_words
        ),
        "hint_by_net": _(
            "Points lost per game against the best play. Judged by a net of this house, which is"
            " younger than bgsage."
        ),
        "hint_by_eye": _("No engine supports this variant; hints follow rules of thumb."),
        "took_back": _("{name} takes the last play back"),
        "rejected_only_in_practice": _("That is possible in practice only."),
    }


def _level_words() -> dict[str, str]:
    """The name and the PR of each level at a table."""
    words: dict[str, str] = {}
    for level in LEVELS:
        words[f"house_bot_{level.key}"] = _("Bot · %(level)s") % {"level": opponent_name(level.key)}
        words[f"house_bot_rate_{level.key}"] = pr_text(level)
    return words
