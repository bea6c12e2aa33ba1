"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from celery import shared_task

from fairplay.cases import cases_move_on
from fairplay.leavers import conduct_note_ended
from fairplay.links import evasions_find
from fairplay.play import players_check
from fairplay.refunds import measurements_forget
from fairplay.screening import results_screen


@shared_task(name="fairplay.tasks.screen_results", ignore_result=True)
def screen_results() -> int:
    """Screen every result for credits that has ended or was analysed; return how many."""
    return results_screen()


@shared_task(name="fairplay.tasks.note_conduct", ignore_result=True)
def note_conduct() -> int:
    """Note how matches ended; return how many."""
    return conduct_note_ended()


@shared_task(name="fairplay.tasks.check_play", ignore_result=True)
def check_play() -> int:
    """Check players with new full analyses for help of an engine; return how many."""
    return players_check()


@shared_task(name="fairplay.tasks.find_evasions", ignore_result=True)
def find_evasions() -> int:
    """Open cases about second accounts of people under a decision; return how many."""
    return evasions_find()


@shared_task(name="fairplay.tasks.move_cases_on", ignore_result=True)
def move_cases_on() -> int:
    """Move cases on whose deadlines are over; return how many."""
    return cases_move_on()


@shared_task(name="fairplay.tasks.forget_measurements", ignore_result=True)
def forget_measurements() -> int:
    """Delete measurements that are older than their time; return how many rows."""
    return measurements_forget()
