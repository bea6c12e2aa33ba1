"""When the workers do what must be done again and again.

Every task is only a wake-up: deadlines are rows, so a lost or repeated task is harmless.
"""

from typing import Final

from celery.schedules import crontab

CELERY_BEAT_SCHEDULE: Final[dict[str, dict[str, object]]] = {
    "sweep-deadlines": {
        "task": "games.tasks.sweep_deadlines",
        "schedule": 1.0,
        "options": {"expires": 1},  # while no worker runs, wake-ups must not pile up
    },
    "sweep-attendance": {
        "task": "games.tasks.sweep_attendance",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "mark-ranks": {
        "task": "ratings.tasks.mark_ranks",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "sweep-lobby": {
        "task": "games.tasks.sweep_lobby",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "sweep-bots": {
        "task": "games.tasks.sweep_bots",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "count-matches": {
        "task": "games.tasks.count_matches",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "queue-matches-for-analysis": {
        "task": "analysis.tasks.enqueue_matches",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "queue-missed-matches-for-analysis": {
        "task": "analysis.tasks.enqueue_missed_matches",
        "schedule": crontab(minute=3),
        "options": {"expires": 3000},
    },
    "screen-results": {
        "task": "fairplay.tasks.screen_results",
        "schedule": 3.0,
        "options": {"expires": 3},
    },
    "note-conduct": {
        "task": "fairplay.tasks.note_conduct",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "move-tournaments-on": {
        "task": "tournaments.tasks.move_on",
        "schedule": 2.0,
        "options": {"expires": 2},
    },
    "move-chouettes-on": {
        "task": "games.chouette.tasks.move_on",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "clear-places": {
        "task": "games.chouette.tasks.clear_places",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "clear-seats": {
        "task": "tournaments.tasks.clear_seats",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "check-play": {"task": "fairplay.tasks.check_play", "schedule": crontab(minute=53)},
    "find-evasions": {"task": "fairplay.tasks.find_evasions", "schedule": 600.0},
    "move-cases-on": {
        "task": "fairplay.tasks.move_cases_on",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "forget-measurements": {
        "task": "fairplay.tasks.forget_measurements",
        "schedule": crontab(hour=4, minute=51),
    },
    "count-missed-matches": {
        "task": "games.tasks.count_missed_matches",
        "schedule": crontab(hour=2, minute=17),
    },
    "count-the-dice": {"task": "games.tasks.count_dice", "schedule": crontab(hour=2, minute=47)},
    "put-decisions-in-force": {
        "task": "pasch.tasks.decisions_take_effect",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "tell-the-staff": {
        "task": "pasch.tasks.tell_staff",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "end-guests": {"task": "accounts.tasks.end_guests", "schedule": crontab(minute=27)},
    "delete-accounts": {
        "task": "pasch.tasks.delete_accounts",
        "schedule": crontab(minute=47),
        "options": {"expires": 3000},
    },
    "forget-sessions": {
        "task": "accounts.tasks.forget_sessions",
        "schedule": crontab(hour=4, minute=11),
    },
    "forget-chat": {"task": "games.tasks.forget_chat", "schedule": crontab(hour=4, minute=41)},
    "forget-commands": {
        "task": "games.tasks.forget_commands",
        "schedule": crontab(hour=4, minute=21),
    },
    "pack-tables": {
        "task": "games.tasks.pack_tables",
        "schedule": crontab(minute=21),
        "options": {"expires": 3000},
    },
    "seal-the-books": {
        "task": "ledger.tasks.seal",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "send-mails": {
        "task": "accounts.tasks.send_mails",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "note-the-balances": {"task": "ledger.tasks.snapshot", "schedule": crontab(minute=7)},
    "lapse-proposals": {"task": "ledger.tasks.lapse_proposals", "schedule": crontab(minute=11)},
    "audit-in-turns": {
        "task": "ledger.tasks.audit_in_turns",
        "schedule": crontab(hour=3, minute=17, day_of_week="mon-sat"),
    },
    "audit-the-books": {
        "task": "ledger.tasks.audit",
        "schedule": crontab(hour=3, minute=17, day_of_week="sun"),
    },
    "audit-what-is-new": {
        "task": "ledger.tasks.audit_recent",
        "schedule": crontab(minute=37),
        "options": {"expires": 1800},
    },
}
