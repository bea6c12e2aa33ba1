"""Migrations run when a house is made or upgraded: quickly, and whatever the code is by then."""

import ast

import pytest
from django.apps import apps
from django.db.migrations import AddConstraint, AddIndex, CreateModel, Migration
from django.db.migrations.loader import MigrationLoader

from tests.architecture.sources import ROOT, named

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
