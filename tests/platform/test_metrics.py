"""The operator's figures: for the operator alone, correct, and summed over several processes."""

import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Deadline, Heartbeat
from harness.waiting import wait_until
from ledger.tasks import audit
from pasch import checks
from pasch.observability import metrics
from tests.architecture.sources import ROOT
from tests.live.conftest import voice

__all__ = ["voice"]

TOKEN = "only-the-tests-read-figures-with-this-one"


@pytest.fixture
def figures(settings: Any, client: Client) -> Any:
    """The figures by name and labels, as text."""
    settings.METRICS_TOKEN = TOKEN

    def read() -> dict[str, float]:
        answer = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        lines = answer.content.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    return read


@pytest.mark.django_db
def test_nobody_else_reads_them(client: Client, settings: Any) -> None:
    assert client.get("/metrics/").status_code == 404, "without a token there is no such page"
    settings.METRICS_TOKEN = TOKEN
    for given in ("", "Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer ä"):
        assert client.get("/metrics/", headers={"Authorization": given}).status_code == 403
    assert client.post("/metrics/").status_code == 405
    settings.METRICS_TOKEN = "short"
    assert [each.id for each in checks.check_metrics_token()] == ["pasch.E008"]


@pytest.mark.django_db
def test_a_web_server_is_watched_at_its_own_address_and_played_at_by_its_name(
    client: Client, settings: Any
) -> None:
    settings.METRICS_TOKEN, settings.ALLOWED_HOSTS = TOKEN, ["pasch.example"]
    settings.SECURE_SSL_REDIRECT = True
    asked = {"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1:8001"}
    for path, status in (("/metrics/", 200), ("/health/live/", 200), ("/rules/", 400)):
        assert client.get(path, headers=asked).status_code == status, path


def test_they_say_what_the_house_does(figures: Any, sitting: Any) -> None:
    told = figures()
    assert told["pasch_database_up"] == told["pasch_valkey_up"] == 1
    assert told['pasch_matches_running{mode="prize5"}'] == 1
    assert told['pasch_escrow_cents{of="matches"}'] == 500
    assert told['pasch_escrow_wrong{of="matches"}'] == 0
    assert told["pasch_players"] == 2
    assert told["pasch_sweep_delay_seconds"] == 0
    assert 'pasch_audit_findings{audit="whole"}' not in told

    Deadline.objects.update(due_at=timezone.now() - timedelta(minutes=5))
    Heartbeat.objects.create(role="sweep", beat_at=timezone.now() - timedelta(minutes=4))
    audit()
    told = figures()
    assert told["pasch_sweep_delay_seconds"] >= 300
    assert told['pasch_heartbeat_age_seconds{role="sweep"}'] >= 240
    assert told['pasch_audit_findings{audit="whole"}'] == 0
    assert 0 <= told['pasch_audit_age_seconds{audit="whole"}'] < 300


@pytest.mark.slow
def test_commands_and_sockets_are_counted(
    figures: Any, voice: Any, magriel: Any, sitting: Any, dice: Any
) -> None:
    dice((3, 1))
    rolled, seconds = (
        'pasch_commands_total{outcome="accepted",type="roll"}',
        'pasch_command_seconds_count{lane="sure",until="answer"}',
    )
    refused = 'pasch_commands_total{outcome="wrong_phase",type="roll"}'
    sockets = 'pasch_sockets{kind="table"}'
    before = figures()
    one = voice(magriel)
    one.resume()
    assert one.command({"type": "roll"})["type"] == "accepted"
    one.resume()
    assert one.command({"type": "roll"})["type"] == "rejected"
    one.say({"type": "ping", "sent_ms": 1})
    one.hear("pong")
    # what is counted is written once a second
    wait_until(lambda: figures().get(refused, 0) > before.get(refused, 0))
    now = figures()
    assert now[rolled] - before.get(rolled, 0) == 1
    assert now[refused] - before.get(refused, 0) == 1
    assert now[seconds] - before.get(seconds, 0) == 2
    assert now[sockets] - before.get(sockets, 0) == 1


COUNTING = """
import os, signal
import asyncio, time
from games.live.figures import SOCKETS, WRITE_SECONDS, command_done
from games.table.commands import Roll
async def three_commands():
    for _ in range(3):
        now = time.perf_counter()
        command_done(Roll(), "accepted", now - 0.006, now - 0.002, fast=True)
    await asyncio.sleep(2 * WRITE_SECONDS)
asyncio.run(three_commands())
SOCKETS.labels("table").inc()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_several_processes_add_up_and_the_dead_hold_no_sockets(
    tmp_path: Path, monkeypatch: Any
) -> None:
    for _ in range(2):
        told = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
        subprocess.run([sys.executable, "-c", COUNTING], cwd=ROOT, env=told, check=False)
    monkeypatch.setenv(metrics.FOLDER, str(tmp_path))
    text = metrics.generate_latest(metrics._counted()).decode()
    assert 'pasch_commands_total{outcome="accepted",type="roll"} 6.0' in text
    assert 'pasch_command_seconds_bucket{lane="fast",le="0.005",until="commit"} 6.0' in text
    assert 'pasch_command_seconds_bucket{lane="fast",le="0.005",until="answer"} 0.0' in text
    way = 'lane="fast"'
    for until, spent in (("commit", 0.024), ("answer", 0.036)):
        assert f'pasch_command_seconds_bucket{{{way},le="+Inf",until="{until}"}} 6.0' in text
        assert f'pasch_command_seconds_count{{{way},until="{until}"}} 6.0' in text
        (found,) = re.findall(rf'pasch_command_seconds_sum{{{way},until="{until}"}} (\S+)', text)
        assert float(found) == pytest.approx(spent, abs=0.01)
    assert "# TYPE pasch_command_seconds histogram" in text
    assert "within" not in text
    assert 'pasch_command_lanes_total{lane="fast"} 6.0' in text
    assert "pasch_sockets" not in text


def test_every_figure_is_explained_to_the_operator() -> None:
    reference = (ROOT / "docs/operations-reference.md").read_text()
    page = reference.split("\n## Figures\n")[1].split("\n## ")[0]
    folder = ROOT / "platform/pasch/observability"
    sources = [folder / f"{name}.py" for name in ("metrics", "counts", "house", "servers")]
    kinds = ("games/kind.py", "games/chouette/kind.py", "tournaments/kind.py")
    sources += [ROOT / path for path in ("games/live/figures.py", *kinds)]
    named = {name for path in sources for name in re.findall(r'"(pasch_\w+)"', path.read_text())}
    assert set(re.findall(r"`(pasch_[a-z_]+?)(?:_total)?[`{]", page)) == named
