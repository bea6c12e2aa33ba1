"""docs/adding-a-kind-of-table.md works to the letter: its tiny kind is played, audited, shown."""

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from accounts.models import User
from games import kinds
from ledger import audit
from ledger.models import JournalEntry
from pasch.deletion.obstacles import obstacles
from pasch.observability.house import HouseFigures
from pasch.personal_data import kept, parts
from pasch.templatetags.desk import obstacle_words, subject_link
from tests.architecture.sources import ROOT

GUIDE = (ROOT / "docs" / "adding-a-kind-of-table.md").read_text()
FILES = re.findall(r"^`(\S+)`\n\n^```\w+\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
REGISTRATION = re.search(r"^```py\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def heads(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The kind of the guide, registered, with its tables in the database."""
    for path, text in FILES:
        assert not (ROOT / path).exists(), f"the example of the guide is in the project: {path}"
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(kinds, "_kinds", dict(kinds._kinds))
    monkeypatch.setattr(audit, "_checks", dict(audit._checks))
    models = importlib.import_module("heads.models")
    with connection.schema_editor() as editor:
        editor.create_model(models.Toss)
        editor.create_model(models.TossEvent)
    with connection.cursor() as cursor:
        cursor.execute((tmp_path / "heads/migrations/sql/heads.sql").read_text())
    assert REGISTRATION is not None
    exec(REGISTRATION[1], {})
    yield SimpleNamespace(models=models, services=importlib.import_module("heads.services"))
    for name in [name for name in sys.modules if name.partition(".")[0] == "heads"]:
        del sys.modules[name]
    del apps.all_models["heads"]
    apps.clear_cache()


def found() -> list[str]:
    """What the audit finds about tosses, whole and since the beginning."""
    (whole,) = audit.run(only=["Z1"]).results
    return [each.message for each in whole.findings]


def test_a_kind_of_table_is_a_folder_and_a_registration(heads: SimpleNamespace) -> None:
    player, anna = User.objects.create_user("player"), User.objects.create_user("anna")
    services = heads.services
    assert "heads.Toss.player" in kept()

    # it is played; meanwhile the account stays, and the figures count it
    toss = services.toss_begin(user=player, heads=True)
    assert obstacles(player) == ["heads"]
    assert obstacle_words("heads") == "waits for a coin"
    running = {each.name: each.samples for each in HouseFigures().collect()}
    assert [each.value for each in running["pasch_tosses_running"]] == [1]
    toss = services.toss_land(toss_id=toss.pk, heads=True)
    assert services.state_of(toss).won is True
    assert obstacles(player) == []

    # it is exported, and voided by a decision that the desk shows in words
    (part,) = (each for each in parts() if each.name == "tosses")
    assert [row["id"] for row in part.rows(player)] == [toss.pk]
    hanging = services.toss_begin(user=player, heads=False)
    services.toss_void(toss_id=hanging.pk, actor=anna, reason="it rolled away")
    entry = JournalEntry.objects.get(verb="heads.void")
    assert subject_link(entry.subject) == f"Toss {str(hanging.pk)[:8]}"

    # its journal is audited, and the database keeps it
    assert found() == []
    toss.state["won"] = False
    toss.save()
    assert found() == ["its stored state differs from its events"]
    with pytest.raises(Exception, match="these rows stay as they were written"):
        heads.models.TossEvent.objects.filter(toss=toss).update(seq=7)
