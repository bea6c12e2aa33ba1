"""Why a decision is right or wrong, in sentences; each says what was counted, and nothing more."""

from collections.abc import Sequence
from typing import Final

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from analysis.models import Opinion
from analysis.pages.numbers import percent, plain, signed
from analysis.pages.report_decisions import ReportDecision
from backgammon.analysis.json_lines import Line
from backgammon.counting.judging import SHOWN
from backgammon.facts.plays import Difference, PlayFacts, differences

#: so many sentences are read; what decides most games comes first.
SENTENCES_MOST: Final = 6

#: chances that differ by less than one game in 100 are not put into words.
_GAME: Final = 0.01

#: a smaller loss is none.
_NOTHING: Final = 0.0005


def option_words(text: str) -> str:
    """An option about the cube in words; a play is written as it is."""
    words = {
        "no double": _("No double"),
        "double": _("Double"),
        "take": pgettext("cube", "Take"),
        "drop": pgettext("cube", "Drop"),
        "beaver": _("Beaver"),
        "raccoon": _("Raccoon"),
        "": _("No move"),
    }
    return words.get(text, text)


def mark_words(mark: str) -> str:
    """The mark of a loss in words."""
    return {"??": _("Blunder"), "?": _("Error"), "?!": _("Doubtful")}.get(mark, _("No error"))


def opinion_words(opinion: Opinion, best: str) -> str:
    """The second engine's judgement on an error, whose best choice is `best` by the first one."""
    loss, engine = plain(opinion.loss, 3), opinion.engine
    if opinion.loss < _NOTHING:
        return _("{engine} sees no better choice.").format(engine=engine)
    if opinion.loss < SHOWN:
        said = _("{engine} sees only {loss}.").format(engine=engine, loss=loss)
    else:
        said = _("{engine} agrees: {loss}.").format(engine=engine, loss=loss)
    if opinion.best != best:
        other = option_words(opinion.best)
        said += " " + _("Its best choice: {choice}.").format(choice=other)
    return said


def rolled_words(row: ReportDecision) -> str:
    """The loss that a rollout has found where judges differ; "" where there was none."""
    rolled = row.rolled
    if rolled is None:
        return ""
    error = "" if rolled["error"] is None else f" ± {plain(rolled['error'], 3)}"
    said = ngettext(
        "checked by rollout: {loss} ({trials} trial)",
        "checked by rollout: {loss} ({trials} trials)",
        rolled["trials"],
    )
    loss = signed(-(row.loss or 0.0)) + error
    return said.format(loss=loss, trials=number_format(rolled["trials"], force_grouping=True))


# --- plays ----------------------------------------------------------------------------------------


def play_reasons(
    best: Line, played: Line, best_facts: PlayFacts, played_facts: PlayFacts
) -> list[str]:
    """The difference between the best play and the one made."""
    names = (best["text"], played["text"])
    said = _chances_said(names, best["chances"], played["chances"])
    found = [_fact(names, each) for each in differences(best_facts, played_facts)]
    said += [sentence for sentence in found if sentence]
    if not best_facts.contact and not played_facts.contact:
        own, theirs = best_facts.pips
        said.append(_("A race: {own} pips against {theirs}.").format(own=own, theirs=theirs))
    return said[:SENTENCES_MOST]


def _chances_said(
    names: tuple[str, str], best: Sequence[float] | None, played: Sequence[float] | None
) -> list[str]:
    if best is None or played is None:
        return []
    texts = (
        (0, _("Wins per 100 games: {more} after {best}, {less} after {played}.")),
        (1, _("Gammons won in 100 games: {more} after {best}, {less} after {played}.")),
        (3, _("Gammons lost in 100 games: {more} after {best}, {less} after {played}.")),
    )
    return [
        format_html(
            text,
            best=_bold(names[0]),
            played=_bold(names[1]),
            more=plain(100 * best[index], 0 if abs(best[index] - played[index]) > 0.02 else 1),
            less=plain(100 * played[index], 0 if abs(best[index] - played[index]) > 0.02 else 1),
        )
        for index, text in texts
        if abs(best[index] - played[index]) >= _GAME
    ]


def _fact(names: tuple[str, str], found: Difference) -> str:
    """A difference in a sentence; "" if it is said elsewhere."""
    best, played = names
    one, other = found.best, found.played
    if isinstance(one, tuple) or isinstance(other, tuple):
        assert isinstance(one, tuple)
        assert isinstance(other, tuple)
        told = ((best, one), (played, other))
        said = (_points_said(found.name, name, points) for name, points in told if points)
        return format_html_join(" ", "{}", ((each,) for each in said))
    more, less = (best, played) if one > other else (played, best)
    high, low = max(one, other), min(one, other)
    match found.name:
        case "hits":
            text = _("{more} hits, {less} does not.")
            if low:
                text = _("{more} hits {high} checkers, {less} {low}.")
        case "shots":
            text = _("After {more} {high} of 36 rolls hit, after {less} {low}.")
            if not low:
                text = _("After {more} {high} of 36 rolls hit, after {less} none.")
        case "off":
            text = _("{more} bears off {high}, {less} {low}.")
        case "block":
            text = _("{more} holds {high} points in a row, {less} {low}.")
            if not low:
                text = _("{more} holds {high} points in a row, {less} fewer than three.")
        case "anchor":
            text = _("{more} keeps an anchor, {less} doesn’t.")
        case _:
            text = _("Checkers in the opponent's home: {high} after {more}, {low} after {less}.")
    return format_html(text, more=_bold(more), less=_bold(less), high=high, low=low)


def _points_said(name: str, play: str, points: Sequence[int]) -> str:
    listed = ", ".join(map(str, points))
    if name == "made":
        text = ngettext(
            "{play} makes the {points}-point.", "{play} makes the points {points}.", len(points)
        )
    else:
        text = ngettext(
            "{play} gives up the {points}-point.",
            "{play} gives up the points {points}.",
            len(points),
        )
    return format_html(text, play=_bold(play), points=listed)


def _bold(play: str) -> SafeString:
    return format_html("<b>{}</b>", play)


# --- the cube -------------------------------------------------------------------------------------


def cube_reasons(cube: Line, doubler: str, taker: str) -> list[str]:
    """The facts behind the judgement about a double, as the player on roll sees the position."""
    win, gammon, _backgammon, lost_gammon, _lost_backgammon = cube["chances"]
    said = [
        _("Played to the end {name} wins {wins} of 100 games, {gammons} of them with a gammon,"
          " and loses {lost} with a gammon.").format(
            name=doubler,
            wins=plain(100 * win, 0),
            gammons=plain(100 * gammon, 0),
            lost=plain(100 * lost_gammon, 0),
        )
    ]  # fmt: skip
    take, double = cube.get("take_point"), cube.get("double_point")
    if take is not None:
        said.append(
            _("At this score {name} needs {take} of the games to take a dead cube, and has"
              " {chance}.").format(name=taker, take=percent(take, 0), chance=percent(1 - win, 0))
        )  # fmt: skip
    if double is not None:
        said.append(
            _("The doubling window opens at {point}: from there on a double that is taken gains"
              " more than it risks.").format(point=percent(double, 0))
        )  # fmt: skip
    no_double, double_take = cube["no_double"], cube["double_take"]
    if double_take > 1:
        said.append(
            _("Dropping costs {taker} 1 point, taking {value}.").format(
                taker=taker, value=plain(double_take, 3)
            )
        )
    if no_double > min(double_take, 1.0) and no_double > 1:
        said.append(
            _("Too good to double: playing on is worth {value}, a drop only 1 point.").format(
                value=signed(no_double)
            )
        )
    return said
