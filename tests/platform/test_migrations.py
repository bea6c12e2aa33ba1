"""An empty database is migrated quickly."""

import pytest
from django.apps import apps
from django.db.migrations import AddConstraint, AddIndex, CreateModel, Migration
from django.db.migrations.loader import MigrationLoader

OURS = ("accounts", "ledger", "ratings", "games", "analysis", "fairplay")


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
