"""The alerts of `deploy/monitoring/` fire at their limits, and read figures that a house has."""

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml
from django.utils import timezone

from games.models import Heartbeat
from ledger.seals import books_seal
from ledger.tasks import audit, audit_in_turns, audit_recent
from tests.architecture.sources import ROOT
from tests.platform.test_metrics import figures

__all__ = ["figures"]

FOLDER = ROOT / "deploy/monitoring"
PROMTOOL = shutil.which("promtool")


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed here")
@pytest.mark.parametrize("what", [("check", "alerts.yml"), ("test", "alerts_test.yml")])
def test_each_alert_is_sound_and_fires_above_its_limit_only(what: tuple[str, str]) -> None:
    verb, file = what
    command = [str(PROMTOOL), verb, "rules", str(FOLDER / file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.django_db(transaction=True)
def test_every_figure_and_label_of_an_alert_is_one_of_the_house(figures: Any) -> None:
    Heartbeat.objects.create(role="sweep", beat_at=timezone.now())
    audit()
    books_seal()  # an audit in turns goes on from a sealed one
    audit_in_turns()
    audit_recent()
    told = set(figures())
    (group,) = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    read = {re.split(r" [=>]", rule["expr"])[0] for rule in group["rules"]}
    told |= {name.split("{")[0] for name in told}
    assert read - told == set()
