"""Tasks are called by name, which no import checks: every name that is sent must be registered."""

import ast

import pytest
from django.utils.module_loading import import_string

from kit.periodic import PERIODIC
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


def test_every_task_stands_in_its_module_under_its_name(registered: set[str]) -> None:
    assert registered
    assert {name for name in registered if import_string(name).name != name} == set()


def test_every_periodic_task_is_woken_by_the_clock(registered: set[str]) -> None:
    """Every sweep is scheduled, and every task is sent or scheduled."""
    assert registered == PERIODIC.keys() | sent_names().keys()
