"""Dependencies that import-linter cannot see: foreign keys, SQL, tasks and migrations."""

import ast
import re

import pytest
from django.apps import apps
from django.db.migrations import AddConstraint, AddIndex, CreateModel, Migration
from django.db.migrations.loader import MigrationLoader
from django.utils.module_loading import import_string

from kit.periodic import PERIODIC
from pasch import celery_app
from tests.architecture.sources import ROOT, named, sources

LAYERS = (
    {"kit"},
    {"house"},
    {"accounts"},
    {"ledger", "ratings"},
    {"games"},
    {"chouette"},
    {"analysis"},
    {"fairplay"},
    {"tournaments"},
)
RANK = {app: rank for rank, layer in enumerate(LAYERS) for app in layer}


def test_foreign_keys_point_down() -> None:
    """Any app may have a key to `AUTH_USER_MODEL`: the settings name the model of people."""
    for model in apps.get_models():
        here = model._meta.app_label
        for field in model._meta.get_fields():
            if not (field.is_relation and field.concrete and field.related_model):
                continue
            there = field.related_model._meta.app_label
            is_person = getattr(field, "swappable_setting", None) == "AUTH_USER_MODEL"
            if here in RANK and there in RANK and there != here and not is_person:
                assert RANK[there] < RANK[here], f"{model.__name__}.{field.name} points up"


# --- tasks ----------------------------------------------------------------------------------------
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


# --- migrations -----------------------------------------------------------------------------------
OURS = (
    "accounts",
    "analysis",
    "chouette",
    "fairplay",
    "games",
    "house",
    "kit",
    "ledger",
    "ratings",
    "tournaments",
)
SQL = "kit.migration_sql"
"""What migrations import of the house: it reads SQL."""


def own_migrations() -> list[Migration]:
    loaded = MigrationLoader(None).disk_migrations
    return [loaded[key] for key in sorted(loaded) if key[0] in OURS]


@pytest.mark.parametrize("migration", own_migrations(), ids=str)
def test_a_table_is_made_with_its_indexes_and_constraints(migration: Migration) -> None:
    """Django writes them as operations of their own, and builds all models again for each."""
    made = {each.name_lower for each in migration.operations if isinstance(each, CreateModel)}
    added = [each for each in migration.operations if isinstance(each, AddIndex | AddConstraint)]
    assert [each.describe() for each in added if each.model_name_lower in made] == [], (
        "name them in the options of CreateModel"
    )


def test_every_app_of_ours_has_migrations() -> None:
    assert set(OURS) <= {app.label for app in apps.get_app_configs()}
    assert {migration.app_label for migration in own_migrations()} == set(OURS)


@pytest.mark.parametrize("app", OURS)
def test_migrations_import_no_code_that_changes(app: str) -> None:
    """Code of the house is another one when a new house runs a migration of an old release."""
    live = [
        f"{named(path)}: {module}"
        for path in sorted((ROOT / app / "migrations").glob("*.py"))
        for module in imported(path.read_text(encoding="utf-8"))
        if module.split(".")[0] in {*OURS, "pasch"} and module != SQL
    ]
    assert live == []


def imported(source: str) -> list[str]:
    modules = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            modules.append(f"{'.' * node.level}{node.module or ''}")
        elif isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
    return modules


# --- SQL ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("app", sorted(RANK))
def test_the_sql_of_an_app_names_no_app_above_it(app: str) -> None:
    above = "|".join(one for one in RANK if one != app and RANK[one] >= RANK[app]) or "(?!)"
    named = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / app / "migrations" / "sql").glob("*.sql"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"\b({above})_\w", line.split("--")[0])
    ]
    assert named == []
