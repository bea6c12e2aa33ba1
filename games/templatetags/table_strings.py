"""The words the table page's scripts need, in the reader's language.

The page writes them as one JSON block. A key that ends in `_one` or `_other` is chosen by the
number in `{count}`; other `{names}` are filled in by the script.
"""

from collections.abc import Mapping
from typing import get_args

from django import template
from django.utils.translation import gettext as _

from backgammon.rules.variants import ALL
from games.forms.names import MODE_NAMES
from games.templatetags.ending_strings import ending_words
from games.templatetags.reason_strings import reason_words
from games.templatetags.stake_strings import stake_words
from games.templatetags.tables import practice_words
from games.templatetags.talk_strings import phrases, talk_words
from games.wire.frames import ErrorCode, RejectedCode
from kit.fragments import kept
from kit.sentences import sentences_by_code

register = template.Library()


@register.simple_tag
def table_strings() -> dict[str, str]:
    """Return every text of static/js/table and static/board by its key."""
    return dict(_texts())


@kept
def _texts() -> Mapping[str, str]:
    """The texts, translated once in a process for each language and house."""
    return {
        **_board(),
        **_words(),
        **_facts(),
        **_variants(),
        **_turns(),
        **_decisions(),
        **ending_words(),
        **stake_words(),
        **_news(),
        **practice_words(),
        **_dice(),
        **talk_words(),
        **phrases(),
        **rejections("games.settlement", "games.services", "games.table"),
        **reason_words(),
    }


def _board() -> dict[str, str]:
    """Places and positions, for screen readers."""
    return {
        "board_label": _("Backgammon board. You play the light checkers."),
        "point_label": _("Point {point}: {content}"),
        "empty_point": _("empty"),
        "own_checkers_one": _("one checker of yours"),
        "own_checkers_other": _("{count} checkers of yours"),
        "their_checkers_one": _("one opposing checker"),
        "their_checkers_other": _("{count} opposing checkers"),
        "pinned_own": _("yours is pinned"),
        "pinned_theirs": _("the opposing one is pinned"),
        "can_move": _("can move"),
        "target": _("can be reached"),
        "target_hits": _("can be hit"),
        "selected": _("selected"),
        "bar": _("bar"),
        "off": _("off"),
        "bar_label": _("Bar: {mine} of yours, {theirs} opposing"),
        "hand_label": _("Not entered yet: {mine} of yours, {theirs} opposing"),
        "off_label": _("Borne off: {mine} of yours, {theirs} opposing"),
        "count_on_point": _("{count} on {point}"),
        "describe_own": _("You: {points}; bar {bar}; off {off}."),
        "describe_theirs": _("Opponent: {points}; bar {bar}; off {off}."),
        "step": _("{from} to {to}"),
        "cannot_move_there": _("No legal move here: {place}"),
    }


def _words() -> dict[str, str]:
    """The table in words. A command's text lists the words it can be typed with."""
    return {
        "count_at_point": _("{count} on point {point}"),
        "count_at_bar": _("{count} on the bar"),
        "count_in_hand": _("{count} not entered yet"),
        "count_off": _("{count} borne off"),
        "dice_are": _("rolled: {dice}"),
        "last_play_was": _("last play: {text}"),
        "typed_so_far": _("So far: {text}"),
        "typed_unknown": _("Not understood. Type a play such as 24/18 13/11, or a command."),
        "typed_not_now": _("There is nothing to play now."),
        "typed_illegal": _("That play is not legal. Nothing has changed."),
        "typed_complete": _("Play complete. Press Enter to confirm."),
        "command_roll": _("roll r"),
        "command_double": _("double"),
        "command_take": _("take"),
        "command_drop": _("drop"),
        "command_undo": _("undo u"),
        "command_done": _("done"),
        "command_pips": _("pips p"),
        "command_last": _("last l"),
        "command_clocks": _("clocks c"),
        "command_board": _("board b"),
    }


def _facts() -> dict[str, str]:
    """Players, score and stake."""
    return {
        "title": _("Backgammon table: {names}"),
        "you": _("You"),
        "you_named": _("You · {name}"),
        "empty_seat": _("Empty seat"),
        "online": _("connected"),
        "offline": _("offline"),
        "strength": _("Strength {group} of 6: {name}"),
        "strength_1": _("Beginner"),
        "strength_2": _("Improver"),
        "strength_3": _("Solid"),
        "strength_4": _("Strong"),
        "strength_5": _("Expert"),
        "strength_6": _("Master"),
        "points_one": _("{count} point"),
        "points_other": _("{count} points"),
        "to_points_one": _("to {count} point"),
        "to_points_other": _("to {count} points"),
        "of_games_one": _("{count} game"),
        "of_games_other": _("{count} games, most points win"),
        "one_game": _("one game"),
        "session": _("until either stops"),
        "bank_of": _("Bank of {name}"),
        "game_costs_at_most": _("A game costs at most"),
        **{f"mode_{key}": str(name) for key, name in MODE_NAMES.items()},
        "game_number": _("Game {game}"),
        "crawford": _("Crawford"),
        "crawford_game": _("Crawford game: no doubling in this game"),
        "watchers_one": _("{count} watching"),
        "watchers_other": _("{count} watching"),
        "no_stake": _("none"),
        "in_escrow": _("in escrow"),
        "this_game": _("This game"),
        "a_point": _("A point is worth"),
        "most_to_lose": _("Maximum loss"),
        "rake_at_most": _("Rake (maximum)"),
        "cube": _("Doubling cube"),
        "no_cube": _("none"),
        "cube_rests": _("out of play (Crawford)"),
        "cube_middle": _("{value} · in the middle"),
        "cube_mine": _("{value} · yours"),
        "cube_of": _("{value} · {name}’s"),
        "stake_each": _("Stake per player"),
        "winner_gets": _("The winner gets"),
        "rake": _("Rake"),
    }


def _variants() -> dict[str, str]:
    """Variants and optional rules by name."""
    return {
        **{f"variant_{variant.key}": _(variant.name) for variant in ALL},
        "rule_holland": _("Holland rule"),
        "rule_jacoby": _("Jacoby rule"),
        "rule_max_five": _("Max five"),
        "rule_no_hit_and_run": _("No hit-and-run"),
        "rule_no_extra_roll": _("no extra roll after doubles"),
        "unrated": _("unrated"),
        "rule_beavers": _("Beavers"),
        "rule_raccoons": _("Raccoons"),
        "rule_auto_doubles": _("Automatic doubles"),
    }


def _turns() -> dict[str, str]:
    """The player on turn, and what there is to do."""
    return {
        "your_turn": _("Your turn"),
        "your_turn_cube": _("Your turn: roll or double."),
        "is_to_move": _("{name} is to move"),
        "match_over": _("The match is over"),
        "game_over": _("The game is over"),
        "waits_for_answer": _("Waiting for the answer of {name}"),
        "still_to_play": _("still to play: {dice}"),
        "play_complete": _("Play complete"),
        "double_to": _("Double to {value}"),
        "double_sure": _("Really double to {value}?"),
        "beaver_to": _("Beaver to {value}"),
        "raccoon_to": _("Raccoon to {value}"),
        "drop": _("Drop"),
        "drop_sure": _("Really drop?"),
        "time_low": _("20 seconds left."),
        "read_pips": _("Pips: you {me}, opponent {op}."),
        "read_clocks": _("Time left: you {me}, opponent {op}."),
        "waiting_for_opponent": _("Waiting for an opponent"),
        "seat_is_free": _("A seat is free at this table"),
        "stake_and_prize": _("Stake {stake} each; the winner gets {prize}."),
        "rate_and_limit": _("{rate} a point; nobody can lose more than {limit}."),
        "nothing_taken_yet": _("Nothing is reserved until someone sits down."),
        "table_closed": _("This table is closed"),
        "table_closed_text": _("This table is closed. Open tables are in the lobby."),
        "closed_by_opener": _(
            "{name} closed this table, or left before anyone joined. Open tables are in the lobby."
        ),
    }


def _decisions() -> dict[str, str]:
    """The bands over the board, with what each answer means."""
    return {
        "doubles_to": _("{name} doubles to {value}"),
        "beavers_to": _("{name} beavers to {value}"),
        "raccoons_to": _("{name} answers with a raccoon: {value}"),
        "take_means": _("Take: the game counts {worth}."),
        "take_means_both": _("Take: you win {win} or lose {loss}."),
        "drop_means": _("Drop: {name} wins {worth}."),
        "drop_costs": _("Drop: you lose {amount}, {name} gains {worth}."),
        "resigns": _("{name} resigns: {level}"),
        "accept_means": _("Accept: you win {worth}."),
        "accept_wins_match": _("That wins you the match."),
        "accept_ends_match": _("That ends the match."),
        "refuse_means": _("Play on: the game continues."),
        "you_win_game_one": _("You win {count} point"),
        "you_win_game_other": _("You win {count} points"),
        "game_won_one": _("{name} wins {count} point"),
        "game_won_other": _("{name} wins {count} points"),
        "game_drawn": _("Nobody wins this game"),
        "score_now": _("The score is {me} : {op}."),
        "waiting_for_ready": _("Waiting for your opponent."),
    }


def _news() -> dict[str, str]:
    """The events that have just happened."""
    return {
        "sat_down": _("{name} has sat down."),
        "you_rolled": _("You rolled {dice}."),
        "rolled": _("{name} rolled {dice}."),
        "played": _("{name} played {text}."),
        "no_move": _("no legal move"),
        "no_play_yet": _("Nobody has played in this game yet."),
        "you_cannot_move": _("No legal move for you"),
        "cannot_move": _("No legal move for {name}"),
        "forced": _("That play was forced"),
        "not_saved": _("Not saved. Try again."),
        "log_double_offered": _("doubles to {value}"),
        "log_beavered": _("beavers to {value}"),
        "log_raccooned": _("raccoon: {value}"),
        "roll_off_you": _("You start: {me} to {op}."),
        "roll_off_other": _("{name} begins: {me} against {op}."),
        "roll_off_equal": _("Tie: {me} each. Roll again."),
        "log_takes": _("takes"),
        "log_position_set": _("Begun from a position"),
        "log_drops": _("drops"),
        "takes": _("{name} takes. Cube on {value}"),
        "drops": _("{name} drops"),
        "refuses": _("{name} plays on"),
        "absent": _("{name} has lost connection"),
        "back": _("{name} is back"),
        "absent_for": _("{name} has lost connection. You can claim the win in {time}."),
        "may_claim": _("{name} is still away. You may claim the win."),
        "win_claimed": _("{name} has claimed the win"),
        "outage_credited": _(
            "The server was down for {time}. Clocks were stopped; no one lost time."
        ),
        "left": _("{name} has left the table"),
        "stood_up": _("{name} has left the seat"),
        "time_ran_out": _("{name} has run out of time"),
        "your_time_ran_out": _("You have run out of time"),
        "reconnecting": _("Connection lost. Reconnecting …"),
        "reconnect_in": _("Connection lost. Trying again in {seconds} s"),
    }


def _dice() -> dict[str, str]:
    """The origin of the dice, and the texts of the seal."""
    return {
        "dice_on_their_way": _("Rolling …"),
        "seal_checked_one": _("{count} roll of this match checked"),
        "seal_checked_other": _("{count} rolls of this match checked"),
        "seal_absent_me": _("your device took no part in the last one"),
        "seal_absent_op": _("your opponent’s device took no part in the last one"),
        "seal_absent_both": _("neither player’s device took part in the last one"),
        "seal_broken": _(
            "A roll in this match failed verification. Save the match record and contact us."
        ),
    }


def rejections(*modules: str) -> dict[str, str]:
    """Why the table refused something, by the protocol's codes, in the words of these modules."""
    texts = sentences_by_code(*modules)
    codes = texts.keys() & {*get_args(RejectedCode), *get_args(ErrorCode)}
    return {
        **{f"rejected_{code}": texts[code] for code in codes},
        "rejected_bad_frame": _("This page is out of date. Please reload it."),
        "rejected_unknown_type": _("This page is out of date. Please reload it."),
        "rejected_too_fast": _("That was too fast. Please try again."),
    }
