"""When the workers do what must be done again and again.

Every task is only a wake-up: deadlines are rows, so a lost or repeated task is harmless. Most of
them find nothing to do, so beat asks the rows first (`pasch.scheduler`) and sends a task when
something is due, and now and then in any case.
"""

from typing import Any, Final

from celery.schedules import crontab

#: how often a task is sent about which the rows say that nothing is due.
ANYWAY_SECONDS: Final = 60.0

#: of a task, the function that says whether anything is due for it; any other is always sent.
QUESTIONS: Final[dict[str, str]] = {
    "games.tasks.sweep_deadlines": "games.services.outages.sweep_is_due",
    "games.tasks.sweep_attendance": "games.services.attendance.somebody_plays",
    "games.tasks.sweep_lobby": "games.services.lobby.lobby_waits",
    "games.tasks.sweep_bots": "games.services.practice.bots_are_due",
    "games.tasks.count_matches": "games.services.figures.figures_are_due",
    "games.chouette.tasks.move_on": "games.chouette.services.playing.chouettes_are_due",
    "games.chouette.tasks.clear_places": "games.chouette.selectors.people_sit",
    "analysis.tasks.enqueue_matches": "analysis.queue.matches_have_ended",
    "fairplay.tasks.screen_results": "fairplay.screening.results_wait",
    "fairplay.tasks.note_conduct": "fairplay.leavers.conduct_is_due",
    "tournaments.tasks.move_on": "tournaments.services.offering.tournaments_wait",
    "tournaments.tasks.clear_seats": "tournaments.services.offering.people_sit",
    "accounts.tasks.send_mails": "accounts.mails.mails_are_due",
}


def _entry(task: str, when: float | crontab, *, expires: float | None) -> dict[str, Any]:
    """A task of the clock; while no worker runs, wake-ups must not pile up: they expire."""
    options = {} if expires is None else {"options": {"expires": expires}}
    return {"task": task, "schedule": when, **options}


def _every(seconds: float, *tasks: str) -> dict[str, dict[str, Any]]:
    return {task: _entry(task, seconds, expires=seconds) for task in tasks}


def _at(
    task: str, *, expires: float | None = None, **moment: int | str
) -> dict[str, dict[str, Any]]:
    return {task: _entry(task, crontab(**moment), expires=expires)}


#: each task by its name.
CELERY_BEAT_SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    **_every(
        1.0,
        "games.tasks.sweep_deadlines",
        "games.tasks.sweep_bots",
        "games.chouette.tasks.move_on",
    ),
    **_every(2.0, "tournaments.tasks.move_on"),
    **_every(3.0, "fairplay.tasks.screen_results"),
    **_every(
        5.0,
        "games.tasks.sweep_lobby",
        "games.tasks.count_matches",
        "analysis.tasks.enqueue_matches",
        "fairplay.tasks.note_conduct",
    ),
    **_every(10.0, "games.tasks.sweep_attendance"),
    **_every(15.0, "accounts.tasks.send_mails"),
    **_every(30.0, "games.chouette.tasks.clear_places", "tournaments.tasks.clear_seats"),
    **_every(
        60.0,
        "fairplay.tasks.move_cases_on",
        "ledger.tasks.seal",
        "pasch.tasks.decisions_take_effect",
        "pasch.tasks.tell_staff",
    ),
    **_every(300.0, "ratings.tasks.mark_ranks"),
    **_every(600.0, "fairplay.tasks.find_evasions"),
    **_at("analysis.tasks.enqueue_missed_matches", minute=3, expires=3000),
    **_at("ledger.tasks.snapshot", minute=7),
    **_at("ledger.tasks.lapse_proposals", minute=11),
    **_at("games.tasks.pack_tables", minute=21, expires=3000),
    **_at("accounts.tasks.end_guests", minute=27),
    **_at("ledger.tasks.audit_recent", minute=37, expires=1800),
    **_at("pasch.tasks.delete_accounts", minute=47, expires=3000),
    **_at("fairplay.tasks.check_play", minute=53),
    **_at("games.tasks.count_missed_matches", hour=2, minute=17),
    **_at("games.tasks.count_dice", hour=2, minute=47),
    **_at("ledger.tasks.audit_in_turns", hour=3, minute=17, day_of_week="mon-sat"),
    **_at("ledger.tasks.audit", hour=3, minute=17, day_of_week="sun"),
    **_at("accounts.tasks.forget_sessions", hour=4, minute=11),
    **_at("games.tasks.forget_commands", hour=4, minute=21),
    **_at("games.tasks.forget_chat", hour=4, minute=41),
    **_at("fairplay.tasks.forget_measurements", hour=4, minute=51),
}
