"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from uuid import UUID

from celery import shared_task

from games.live.presence import people_gone, seats_away, tables_lacking
from games.services.answers import answers_forget
from games.services.attendance import attendance_note, seats_awaited, seats_taken
from games.services.challenges import challenges_expire_due
from games.services.chat_reports import messages_forget
from games.services.dice.statistics import statistics_make
from games.services.figures import figures_make, figures_make_missed
from games.services.lobby import absence_counts, openers, tables_close_of, tables_close_unpayable
from games.services.packing import SECONDS_AT_ONCE, tables_pack
from games.services.practice import bot_answer, bots_answer_due
from games.services.tables import tables_wake_due


@shared_task(name="games.tasks.sweep_deadlines", ignore_result=True)
def sweep_deadlines() -> int:
    """Wake every table whose time limit has passed."""
    return tables_wake_due()


@shared_task(name="games.tasks.sweep_attendance", ignore_result=True)
def sweep_attendance() -> int:
    """Record absences that a web server did not record before it ended; returns their number.

    Presence is compared first, so only tables at which somebody is missing are read.
    """
    away = seats_away(seats_awaited(tables_lacking(seats_taken())))
    return sum(
        attendance_note(table_id=table_id, seat=seat, present=False) for table_id, seat in away
    )


@shared_task(name="games.tasks.sweep_lobby", ignore_result=True)
def sweep_lobby() -> int:
    """End expired challenges, close tables whose openers have gone or cannot pay."""
    ended = challenges_expire_due() + tables_close_unpayable()
    if not absence_counts():
        return ended
    return ended + tables_close_of(people_gone(openers()))


@shared_task(name="games.tasks.bot_move", ignore_result=True)
def bot_move(table_id: str) -> int:
    """Let the house bot of a practice table answer; how many commands it gave."""
    return bot_answer(table_id=UUID(table_id))


@shared_task(name="games.tasks.sweep_bots", ignore_result=True)
def sweep_bots() -> int:
    """Let every house bot answer whose wake-up was lost; how many tables there were."""
    return bots_answer_due()


@shared_task(name="games.tasks.count_dice", ignore_result=True, acks_late=False)
def count_dice() -> int:
    """Count and test all dice of the house; how many rolls there have been."""
    return statistics_make().rolls


@shared_task(name="games.tasks.forget_chat", ignore_result=True)
def forget_chat() -> int:
    """Delete what was said at tables a season ago; how many messages."""
    return messages_forget()


@shared_task(name="games.tasks.forget_commands", ignore_result=True)
def forget_commands() -> int:
    """Delete the answers to commands that nobody repeats any more; how many."""
    return answers_forget()


@shared_task(name="games.tasks.pack_tables", ignore_result=True)
def pack_tables() -> int:
    """Pack the events of tables that have been closed for a while; how many tables."""
    return tables_pack(within_seconds=SECONDS_AT_ONCE)


@shared_task(name="games.tasks.count_matches", ignore_result=True)
def count_matches() -> int:
    """Count finished matches for the statistics of their players; how many matches."""
    return figures_make()


@shared_task(name="games.tasks.count_missed_matches", ignore_result=True)
def count_missed_matches() -> int:
    """Count the matches that `count_matches` left behind; how many matches."""
    return figures_make_missed()
