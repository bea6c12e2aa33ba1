"""The words that the analysis board's scripts need, in the reader's language."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.pages.moves import replay_strings


def board_strings() -> dict[str, str]:
    """Every text of static/js/analysis-board.js and the board, by its key."""
    board = (
        *("point_", "empty_", "own_", "their_", "can_", "target", "selected", "describe_"),
        *("bar", "off", "step", "board_label", "pips", "replay_copied", "no_move"),
    )
    words = {key: text for key, text in replay_strings().items() if key.startswith(board)}
    return {**words, **_page(), **_answer(), **_verdicts(), **_rollout()}


def _page() -> dict[str, str]:
    return {
        "all_placed": _("All 15 checkers of this side are on the board."),
        "side_light": _("light"),
        "side_dark": _("dark"),
        "brush_light": _("Light checkers are set."),
        "brush_dark": _("Dark checkers are set."),
        "brush_none": _("Checkers are removed."),
        "pips_of": _("Pips {count}"),
        "off_of": _("off {count}"),
        "offline": _("No connection. Try again."),
        "too_large": _("A file may have {most} kB at most."),
        "reading": _("Reading …"),
        "waiting": _("Waiting in the queue …"),
        "waiting_behind_one": _("Waiting: one question is before yours."),
        "waiting_behind_other": _("Waiting: {count} questions are before yours."),
        "working": _("The engine is searching …"),
        "no_worker": _(
            "No worker of this house is running. Your question waits; the answer appears here."
        ),
        "changed": _("The position has changed. Choose a depth to ask about it."),
        "file_read_one": _("One decision was found."),
        "file_read_other": _("{count} decisions were found; choose one."),
        "decision_play": _("{game}.{number} {name} {dice}: {play}"),
        "decision_cube": _("{game}.{number} {name}: cube"),
        "decision_doubled": _("{game}.{number} {name}: doubles"),
        "player": _("Player {number}"),
    }


def _answer() -> dict[str, str]:
    return {
        "best_play": _("Best: {play}"),
        "play": pgettext("analysis", "Play"),
        "equity": _("Equity"),
        "loses": _("Loses"),
        "depth": _("Depth"),
        "ply": _("{count}-ply"),
        "exact": _("exact"),
        "plays_more": _("The best {count} of {all} plays."),
        "win": _("Win"),
        "gammon": _("Gammon"),
        "backgammon": _("Backgammon"),
        "loss": _("Loss"),
        "gammon_lost": _("Gammon lost"),
        "backgammon_lost": _("Backg. lost"),
        "engine": _("{engine} {version} · {depth} · {seconds} s"),
        "arrows": _("Arrows: {play}"),
    }


def _verdicts() -> dict[str, str]:
    return {
        "no_double": _("No double"),
        "double_take": _("Double, take"),
        "double_drop": _("Double, drop"),
        "redouble_no": _("No redouble"),
        "redouble_take": _("Redouble, take"),
        "redouble_drop": _("Redouble, drop"),
        "verdict_no_double": _("No double; opponent would take."),
        "verdict_too_good": _("Too good to double: play on for the gammon. Opponent would drop."),
        "verdict_double_take": _("Double, and the opponent takes."),
        "verdict_double_drop": _("Double, and the opponent drops."),
        "verdict_double_beaver": _("Double, although the opponent beavers."),
        "verdict_no_double_beaver": _("No double; the opponent would beaver."),
        "verdict_redouble_no_double": _("No redouble; the opponent would take."),
        "verdict_redouble_too_good": _(
            "Too good to redouble: play on for the gammon. The opponent would drop."
        ),
        "verdict_redouble_double_take": _("Redouble, and the opponent takes."),
        "verdict_redouble_double_drop": _("Redouble, and the opponent drops."),
        "verdict_redouble_double_beaver": _("Redouble, although the opponent beavers."),
        "verdict_redouble_no_double_beaver": _("No redouble; the opponent would beaver."),
        "refusal_crawford": _("No doubling in the Crawford game."),
        "refusal_not_yours": _("The opponent owns the cube, so there is nothing to decide."),
        "refusal_dead": _("The cube is dead: a plain win already wins the match."),
    }


def _rollout() -> dict[str, str]:
    return {
        "band": _("± 95 %"),
        "rolling_of": _("Playing on: {trials} trials of each choice so far, {most} at most."),
        "rollout_waits": _("Waiting for a worker. Rollouts come after all other questions."),
        "stopped": _("Stopped. This is what the trials so far have given."),
        "stopped_at_once": _("Stopped before the first trials were over."),
        "rollout_engine": _(
            "{engine} {version} · rollout · {trials} trials of {turns} turns · {seconds} s"
        ),
        "compared_play": _("{better} is better than {worse} by {by} ± {band}."),
        "compared_double": _("Doubling is better than not doubling by {by} ± {band}."),
        "compared_no_double": _("Not doubling is better than doubling by {by} ± {band}."),
        "compared_take": _("Taking is better than dropping by {by} ± {band}."),
        "compared_drop": _("Dropping is better than taking by {by} ± {band}."),
        "compared_clear": _("That is more than chance explains (95 %)."),
        "compared_open": _("The difference lies within chance: more trials could turn it round."),
        "compared_few": _("There are too few trials yet to say how exact this is."),
    }
