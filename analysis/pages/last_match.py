"""The last match of a reader with its costliest moment, on a small board and in one sentence."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.mistakes import exercise_of, mistakes_of
from analysis.models import DecisionRow, Report
from analysis.pages.card import CardPlace, DecisionCard, card
from analysis.pages.numbers import plain
from analysis.pages.positions import without_tries
from analysis.pages.report_decisions import ReportDecision, decision_of
from analysis.pages.words import option_words
from analysis.report_state import newest_report, standing
from analysis.training.tasks import key_of
from games.models import Match
from games.selectors import match_terms
from games.services.archive import is_analysed, result_of

Row = dict[str, Any]


def last_match_shown(match: Match, reader_id: int) -> Row:
    """Return the result of an ended match for one of its players, and their costliest mistake."""
    seat = match.players.index(reader_id)
    people = (match.player_0, match.player_1)
    score = match.score_shown
    row: Row = {
        "match": match,
        "opponent": people[1 - seat],
        "result": result_of(match, seat),
        "score": (score[seat], score[1 - seat]),
    }
    if not is_analysed(match, people):
        return row
    report = newest_report(match)
    if report is None:
        quick = standing(match, "quick")
        return {**row, "state": quick.state, "percent": quick.percent}
    return {**row, "state": "done", **_mistakes_shown(match, report, seat)}


def _mistakes_shown(match: Match, report: Report, seat: int) -> Row:
    made = mistakes_of(report, seat)
    row: Row = {"mistakes": made.count, "pr": "" if made.pr is None else plain(made.pr, 1)}
    return row if made.worst is None else {**row, **_moment(match, made.worst, seat)}


def _moment(match: Match, worst: DecisionRow, seat: int) -> Row:
    decision = decision_of(worst)
    span = decision.line.get("span")
    place = CardPlace(
        variant=match.variant,
        has_cube=match_terms(match).has_cube,
        names=(match.player_0.get_username(), match.player_1.get_username()),
        near=seat,
        points=span is not None and span[0] < 0,
    )
    shown, asked = card(decision, place), exercise_of(worst)
    return {
        "shown": without_tries(shown.shown),
        "sentence": moment_words(decision, shown),
        "url": f"{reverse('match_report', args=[match.pk])}?d={decision.key}",
        "exercise": None if asked is None else key_of("own", asked),
    }


def moment_words(decision: ReportDecision, shown: DecisionCard) -> str:
    """Return the costliest mistake in one sentence, made of the figures of the report."""
    best, made = decision.line["options"][0], decision.option_made
    names = {"best": option_words(best["text"]), "played": option_words(decision.line["played"])}
    if made is not None and best["chances"] and made["chances"]:
        more, less = (plain(100 * each["chances"][0], 0) for each in (best, made))
        if best["chances"][0] > made["chances"][0] and more != less:
            text = _("{best} instead of {played}: you win {more} games of 100 instead of {less}.")
            return text.format(**names, more=more, less=less)
    text = _("{best} instead of {played}: your choice cost {loss} points.")
    return text.format(**names, loss=plain(decision.loss, 3))
