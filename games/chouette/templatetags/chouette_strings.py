"""The words that the scripts of a chouette table need, in the reader's language.

The page writes them as one JSON block. A key that ends in `_one` or `_other` is chosen by the
number in `{count}`; other `{names}` are filled in by the script.
"""

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.chouette.errors import ChouetteStakeNotPossible
from games.settlement import NO_STAKES
from games.templatetags.table_strings import rejections, table_strings

register = template.Library()


@register.simple_tag
def chouette_strings() -> dict[str, str]:
    """Return those of every table, and the texts of static/js/chouette by their keys."""
    return {
        **table_strings(),
        **_people(),
        **_cubes(),
        **_questions(),
        **_games(),
        **_advice(),
        **_talk(),
        **_seats(),
        **_news(),
        **_refusals(),
    }


def _people() -> dict[str, str]:
    """The sides and those who play on them."""
    return {
        "title": _("Chouette table"),
        "you_small": pgettext("in the middle of a sentence", "you"),
        "somebody": _("somebody"),
        "and": _("{names} and {last}"),
        "house_bot": _("house bot"),
        "role_box": pgettext("chouette", "Box"),
        "role_captain": _("Captain"),
        "role_acts": _("acts as captain"),
        "against_one": _("against one player"),
        "against_other": _("against {count}"),
        "with": _("with {names}"),
        "waiting_for": _("Waiting for {names}"),
        "equal_roll": _("Equal ({box}–{team}): once more."),
    }


def _cubes() -> dict[str, str]:
    """Where each cube lies and what it waits for."""
    return {
        "cube_middle": _("{name}: cube {value}, in the middle"),
        "cube_box": _("{name}: cube {value}, the box has it"),
        "cube_own": _("{name}: cube {value}, on their own side"),
        "cube_out": _("{name}: out of this game"),
        "out_dropped": _("dropped"),
        "out_box_dropped": _("box dropped"),
        "out_board": _("settled"),
        "out_left": _("left"),
        "your_choice": _("your choice"),
        "you_double": _("you double"),
        "you_do_not_double": _("no double"),
        "thinking": _("thinking"),
        "decided": _("decided"),
        "offered": _("double to {value}"),
        "beavered": _("beaver to {value}"),
        "box_has_it": _("the box has it"),
        "you_have_it": _("you have it"),
        "decided_of": _("{done} of {count} decided"),
        "offered_cubes_one": _("{count} cube waits for an answer"),
        "offered_cubes_other": _("{count} cubes wait for an answer"),
        "answer_for": _("Answer for the cube of {name}"),
        "stake_if_taken": _("At stake if you take: {sum}"),
        "stake_chosen": _("At stake with these answers: {sum}"),
        **_one_cube(),
    }


def _one_cube() -> dict[str, str]:
    """The one cube of a team."""
    return {
        "team": _("Team"),
        "team_cube": _("Cube of the team"),
        "took": _("takes"),
        "captain_decides": _("the captain decides"),
        "one_cube_waits": _("the cube waits for an answer"),
        "team_double_question": _("The cube of the team: double to {value}?"),
        "captain_decides_for_all": _("You decide for the whole team."),
        "doubles_team_to": _("{name} doubles for the team: to {value}"),
        "box_answers_team_one": _(
            "Take: you play on for {taken}. Drop: you lose {lost}, and the game is over."
        ),
        "box_answers_team_other": _(
            "Take: you play on for {taken} against each of {count}. Drop: you lose {lost} to each"
            " of them, and the game is over."
        ),
        "box_doubles_team_question": _("Do you double the team to {value}?"),
        "box_doubles_team_text_one": _("Your opponent takes or drops. After the answer you roll."),
        "box_doubles_team_text_other": _(
            "Each of {count} takes or drops alone. After the answers you roll."
        ),
    }


def _questions() -> dict[str, str]:
    """The questions to a player about cubes, and the answers."""
    return {
        "with_amount": _("{text} ({amount})"),
        "take": _("Take"),
        "beaver": _("Beaver"),
        "give_up": _("Give up"),
        "give_up_sure": _("Really give up?"),
        "play_on": _("Play on"),
        "lose": _("lose {value}"),
        "play_for": _("for {value}"),
        "double_question": _("Your cube: double to {value}?"),
        "double_means": _("Now: {now}. After a take: {taken}, with a gammon {gammon}."),
        "decided_in_secret": _("Nobody sees your choice before all have chosen."),
        "double_sure": _("Really double to {value}?"),
        "no_double": _("No double"),
        "answer_means": _("Take: you play for {taken}. Drop: you lose {lost} and are out."),
        "take_may_return": _("If all others drop, you beaver or drop."),
        "alone_means": _(
            "All others are out. Beaver: you play for {taken}. Drop: you lose {lost} and are out."
        ),
        "beaver_means": _("Play on for {value}, or give up {lost}."),
        "they_double_one": _("{names} doubles"),
        "they_double_other": _("{names} double"),
        "they_double_many": _("{number} players double"),
        "they_beaver_one": _("{names} answers with a beaver"),
        "they_beaver_other": _("{names} answer with beavers"),
        "they_beaver_many": _("{number} players answer with beavers"),
        "choose_answer": _("Choose an answer for the cube."),
        "choose_answers": _("Choose an answer for each cube. All go out together."),
        "chosen": _("{done} of {count} chosen."),
        "send_answers_one": _("Send the answer"),
        "send_answers_other": _("Send {count} answers"),
        "box_doubles_question": _("Do you double?"),
        "box_doubles_text": _("Choose the cubes to double. After the answers you roll."),
        "double_cubes_one": _("Double {count} cube"),
        "double_cubes_other": _("Double {count} cubes"),
        "double_cubes_sure_one": _("Really double {count} cube?"),
        "double_cubes_sure_other": _("Really double {count} cubes?"),
    }


def _games() -> dict[str, str]:
    """Points, results, and what comes between two games."""
    return {
        "all": _("all"),
        "after_games_one": _("after {count} game"),
        "after_games_other": _("after {count} games"),
        "a_point_is": _("{amount} a point"),
        "credits_so_far": _("Credits so far: {amounts}"),
        "joining": _("From the next game on: {names}."),
        "leaving": _("Leaves after this game: {names}."),
        "away": _("Not connected: {names}."),
        "you_watch": _("You are watching."),
        "result_of_game": _("{box} (box) {points}, {members}."),
        "result_voided": _("The game was voided: nobody won a point, and all stakes went back."),
        "result_voided_free": _("The game was voided: nobody won a point."),
        "rake_of_game": _("Rake {amount}."),
        "game_over": _("Game {game} is over"),
        "people_here_one": _("{count} player is here"),
        "people_here_other": _("{count} players are here"),
        "people_missing_one": _("{count} more player is needed to begin."),
        "people_missing_other": _("{count} more players are needed to begin."),
        "next_game_soon": _("The next game begins by itself."),
        "start_now": _("Start now"),
        "closed": _("This table is closed"),
        "closed_text": _("Nobody plays here any more. The points stay as they are."),
    }


def _advice() -> dict[str, str]:
    """Advice about plays, and whom the terms allow it."""
    return {
        "show_advice": _("Show {text} on the board"),
        "agree": _("Agree"),
        "agree_with": _("Agree with {name}: {text}"),
        "you_agree": _("you agree"),
        "they_agree_one": _("{names} agrees"),
        "they_agree_other": _("{names} agree"),
        "advice_how": _("Make the play on the board, then press Advise."),
        "advice_never": _("Nobody advises at this table."),
        "advice_own_cube": _("Team members may advise once their own cube was turned."),
        "advice_one_cube": _("Team members may advise once the cube was turned."),
        "advice_always": _("Team members may always advise."),
        "advised": _("The team sees your advice."),
    }


def _talk() -> dict[str, str]:
    """The talk of the table and that of the crew."""
    return {
        "tab_everybody": _("Table"),
        "tab_crew": _("Crew"),
        "tab_unread_one": _("{tab}, {count} new message"),
        "tab_unread_other": _("{tab}, {count} new messages"),
        "crew_says": _("{name} to the crew: {text}"),
        "talk_to_crew": _("To the captain and the crew alone"),
        "crew_reads": _("The box does not read this."),
        "all_read": _("Everybody reads this."),
        "crew_why_never": _("Nobody advises at this table."),
        "crew_why_own_cube": _(
            "While a play of the team is due, the captain and all whose own cube was turned write"
            " here."
        ),
        "crew_why_one_cube": _(
            "While a play of the team is due, captain and crew write here once the cube was turned."
        ),
        "crew_why_always": _("While a play of the team is due, captain and crew write here."),
        "unsaid_not_seated": _("Those who sit at the table write here."),
        "unsaid_crew_silent": _("You cannot write to the crew now. Nobody received the message."),
    }


def _seats() -> dict[str, str]:
    """Sitting down and standing up."""
    return {
        "invite_bot": _("Add a house bot"),
        "sit_down": _("Sit down"),
        "sit_means": _(
            "A point is worth {rate}. Two players win at most {limit} from each other in a game."
            " The house takes {rake} of what is won."
        ),
        "stand_up": _("Leave"),
        "stand_up_now": _("Leave now"),
        "stand_up_later": _("Leave after this game"),
        "stands_up_after": _("You leave after this game"),
        "stay_seated": _("Stay seated"),
        "stand_free": _("Standing up costs nothing."),
        "stand_costs_one": _(
            "You are in the middle of a game. Standing up now costs {count} point."
        ),
        "stand_costs_other": _(
            "You are in the middle of a game. Standing up now costs {count} points."
        ),
        "stand_costs_credits_one": _(
            "You are in the middle of a game. Standing up now costs {count} point: {amount}."
        ),
        "stand_costs_credits_other": _(
            "You are in the middle of a game. Standing up now costs {count} points: {amount}."
        ),
        "stand_and_lose_one": _("Lose {count} point"),
        "stand_and_lose_other": _("Lose {count} points"),
    }


def _news() -> dict[str, str]:
    """The changes that are read out."""
    return {
        "news_came": _("{name} sits down."),
        "news_went": _("{name} has left."),
        "news_begins": _("Game {game} begins. Box: {name}."),
        "news_decided": _("{name} has decided."),
        "news_offered": _("{name}: double to {value}."),
        "news_out": _("{name} is out of this game."),
        "news_dice": _("Dice: {dice}."),
        "news_advice": _("{name} advises {text}."),
    }


def _refusals() -> dict[str, str]:
    """Why the table refused something, by its code; a stale view is refused in the same words."""
    texts = {f"rejected_{code}": _(text) for code, text in NO_STAKES.items()}
    texts["rejected_insufficient_credits"] = _(ChouetteStakeNotPossible.sentence)
    texts |= rejections("games.services", "games.table", "games.chouette")
    del texts["rejected_stale"]
    return texts
