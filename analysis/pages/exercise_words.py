"""The words about exercises: themes, what is asked, how an answer was."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from analysis.exercises.grading import Graded
from analysis.pages.words import option_words
from analysis.training.tasks import Task
from backgammon.counting.situation import MINE


def theme_words(theme: str) -> str:
    """The name of a theme."""
    words = {
        "own": _("Your own errors"),
        "others": _("Errors of other people"),
        "opening": _("Opening"),
        "bar": _("From the bar"),
        "hitting": _("Hit or not"),
        "priming": _("Primes"),
        "holding": _("Anchors"),
        "middle": _("Middle game"),
        "race": _("Race"),
        "off": _("Bearing off"),
        "double": _("Double or not"),
        "take": _("Take or drop"),
    }
    return words.get(theme, theme)


def theme_facts(theme: str) -> str:
    """The common trait of the positions of a theme."""
    words = {
        "own": _("Counted errors of 0.040 or more in your analysed matches."),
        "others": _("From matches whose analysis everybody may see; without names."),
        "opening": _("Most checkers of both sides are where they began."),
        "bar": _("One of your checkers is on the bar."),
        "hitting": _("At least one play hits."),
        "priming": _("Four points in a row, and a checker behind them."),
        "holding": _("You hold a point in the opponent’s home."),
        "middle": _("Contact, and none of the other themes."),
        "race": _("No contact any more."),
        "off": _("All of your checkers are at home."),
        "double": _("Before your roll, at some score."),
        "take": _("The opponent has doubled."),
    }
    return words.get(theme, "")


def asked_words(task: Task) -> str:
    """The question to the reader."""
    if task.kind == "double":
        return _("Do you double?")
    return _("Take or drop?") if task.kind == "take" else _("What would you play?")


def score_words(task: Task) -> str:
    """The score as the reader sees it."""
    xgid = task.xgid
    if not xgid.length:
        return _("unlimited")
    own, other = xgid.score[::-1] if task.kind == "take" else xgid.score
    text = _("{own} : {other}, match to {length}")
    if xgid.crawford:
        text = _("{own} : {other}, match to {length}, Crawford")
    return text.format(own=own, other=other, length=xgid.length)


def cube_words(task: Task) -> str:
    """The cube as the reader sees it."""
    cube = task.situation.cube
    if task.kind == "take":
        return _("The opponent doubles to {value}.").format(value=2 * cube.value)
    if cube.owner is None:
        return _("{value}, in the middle").format(value=cube.value)
    text = _("{value}, yours") if cube.owner == MINE else _("{value}, the opponent’s")
    return text.format(value=cube.value)


def verdict_words(given: Graded, best: str) -> str:
    """How the answer was, in one line."""
    name = option_words(best)
    if given.text == best:
        return _("Found: {best}").format(best=name)
    text = {
        "found": _("Good; {best} is hardly better"),
        "close": _("Close, but {best} is better"),
        "error": _("An error; {best} is better"),
        "blunder": _("A blunder; {best} is much better"),
    }[given.grade]
    return text.format(best=name)


def grade_words(grade: str | None) -> str:
    """A grade in a word."""
    words = {
        "found": pgettext("exercise", "found"),
        "close": pgettext("exercise", "close"),
        "error": pgettext("exercise", "error"),
        "blunder": pgettext("exercise", "blunder"),
    }
    return words.get(grade or "", "–")
