"""Celery's face: tasks only wake services up. What is due stands in rows, so none may be missed."""

from fairplay.cases import cases_move_on
from fairplay.leavers import conduct_is_due, conduct_note_ended
from fairplay.links import evasions_find
from fairplay.play import players_check
from fairplay.refunds import measurements_forget
from fairplay.screening import results_screen, results_wait
from kit.periodic import at, every

screen_results = every(3.0, "fairplay.tasks.screen_results", due=results_wait)(results_screen)
note_conduct = every(5.0, "fairplay.tasks.note_conduct", due=conduct_is_due)(conduct_note_ended)
move_cases_on = every(60.0, "fairplay.tasks.move_cases_on")(cases_move_on)
find_evasions = every(600.0, "fairplay.tasks.find_evasions")(evasions_find)
check_play = at("fairplay.tasks.check_play", minute=53)(players_check)
forget_measurements = at("fairplay.tasks.forget_measurements", hour=4, minute=51)(
    measurements_forget
)
