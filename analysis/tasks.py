"""Celery's face: finished matches enter the queue while nobody works on it; old files go."""

from analysis.imports.removing import brought_forget
from analysis.queue import LOOKS_BACK_OFTEN, enqueue_ended, enqueue_missed, matches_have_ended
from kit.periodic import at, every


@every(5.0, "analysis.tasks.enqueue_matches", due=matches_have_ended)
def enqueue_matches() -> int:
    """Queue every match that has just ended; how many there were."""
    return enqueue_ended(LOOKS_BACK_OFTEN)


enqueue_missed_matches = at(
    "analysis.tasks.enqueue_missed_matches", minute=3, expires_seconds=3000
)(enqueue_missed)
forget_brought = at("analysis.tasks.forget_brought", hour=4, minute=31)(brought_forget)
