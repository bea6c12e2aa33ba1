"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from uuid import UUID

from celery import shared_task

from games.kinds import answers_forget, clocks_are_due, clocks_sweep, kinds, somebody_waits
from games.live.presence import people_gone_for_sure, seats_away, tables_lacking
from games.services.attendance import (
    attendance_note,
    seats_awaited,
    seats_taken,
    somebody_plays,
)
from games.services.challenges import challenges_expire_due
from games.services.chat_reports import messages_forget
from games.services.dice.statistics import statistics_make
from games.services.figures import figures_are_due, figures_make, figures_make_missed
from games.services.lobby import offers_make, tables_close_unpayable
from games.services.packing import SECONDS_AT_ONCE, tables_pack
from games.services.practice import bot_answer, bots_answer_due, bots_are_due
from games.services.stand_ins import searches_end_due
from kit.periodic import at, every

sweep_deadlines = every(1.0, "games.tasks.sweep_deadlines", due=clocks_are_due)(clocks_sweep)
sweep_bots = every(1.0, "games.tasks.sweep_bots", due=bots_are_due)(bots_answer_due)
count_matches = every(5.0, "games.tasks.count_matches", due=figures_are_due)(figures_make)
count_missed_matches = at("games.tasks.count_missed_matches", hour=2, minute=17)(
    figures_make_missed
)
forget_commands = at("games.tasks.forget_commands", hour=4, minute=21)(answers_forget)
forget_chat = at("games.tasks.forget_chat", hour=4, minute=41)(messages_forget)


@every(10.0, "games.tasks.sweep_attendance", due=somebody_plays)
def sweep_attendance() -> int:
    """Record absences that a web server did not record before it ended; returns their number.

    Presence is compared first, so only tables at which somebody is missing are read.
    """
    away = seats_away(seats_awaited(tables_lacking(seats_taken())))
    return sum(
        attendance_note(table_id=table_id, seat=seat, present=False) for table_id, seat in away
    )


@every(5.0, "games.tasks.sweep_lobby", due=somebody_waits)
def sweep_lobby() -> int:
    """End what has run out, close tables that cannot be paid; those who have gone leave."""
    ended = challenges_expire_due() + tables_close_unpayable() + searches_end_due()
    offers_make()
    for kind in kinds():
        ended += kind.leave(people_gone_for_sure(kind.waiting(), kind.gone_seconds))
    return ended


@at("games.tasks.pack_tables", minute=21, expires_seconds=3000)
def pack_tables() -> int:
    """Pack the events of tables that have been closed for a while; how many tables."""
    return tables_pack(within_seconds=SECONDS_AT_ONCE)


@at("games.tasks.count_dice", options={"acks_late": False}, hour=2, minute=47)
def count_dice() -> int:
    """Count and test all dice of the house; how many rolls there have been."""
    return statistics_make().rolls


@shared_task(name="games.tasks.bot_move")
def bot_move(table_id: str) -> int:
    """Let the house bot of a practice table answer; how many commands it gave."""
    return bot_answer(table_id=UUID(table_id))
