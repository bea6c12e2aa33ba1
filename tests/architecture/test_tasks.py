"""Tasks are called by name, which no import checks: every name that is sent must be registered."""

import ast

import pytest
from django.conf import settings

from pasch import celery_app
from tests.architecture.sources import named, sources


@pytest.fixture(scope="module")
def registered() -> set[str]:
    celery_app.loader.import_default_modules()
    return {name for name in celery_app.tasks if not name.startswith("celery.")}


def sent_names() -> dict[str, str]:
    """The names of the tasks that are sent: name -> file."""
    found = {}
    texts = {path: path.read_text() for path in sources(".py")}
    calling = {path: text for path, text in texts.items() if "send_task" in text}
    for path, text in calling.items():  # few do, and reading syntax takes time
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "send_task"
            ):
                assert isinstance(node.args[0], ast.Constant), f"{named(path)}: {ast.dump(node)}"
                found[node.args[0].value] = named(path)
    return found


def test_every_task_that_is_sent_exists(registered: set[str]) -> None:
    assert {name: file for name, file in sent_names().items() if name not in registered} == {}


def test_every_task_of_the_clock_exists(registered: set[str]) -> None:
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= registered


def test_every_task_is_named_after_its_module(registered: set[str]) -> None:
    wrong = {
        name: task.__module__
        for name, task in celery_app.tasks.items()
        if name in registered and not name.startswith(f"{task.__module__}.")
    }
    assert registered
    assert wrong == {}


def test_every_periodic_task_is_woken_by_the_clock(registered: set[str]) -> None:
    """Every sweep is scheduled, and every task is sent or scheduled."""
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert registered - scheduled - set(sent_names()) == set()
