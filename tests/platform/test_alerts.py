"""Figures of a house, and the alerts and dashboard of `deploy/monitoring/` that read them."""

import json
import logging
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import OutgoingMail, User
from games.models import Heartbeat, Match
from games.services.tables import table_open
from harness.home import free_port
from harness.processes import Processes
from harness.sitting import Sitting
from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS, wait_until
from ledger.seals import books_seal
from ledger.tasks import audit, audit_in_turns, audit_recent
from pasch.celery import app
from pasch.observability.parts import QUEUE
from pasch.web.frame_socket import FrameSocket
from tests.architecture.sources import ROOT
from tests.conftest import site_served
from tests.platform.test_metrics import figures

FOLDER = ROOT / "deploy/monitoring"
PROMTOOL = shutil.which("promtool")
DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text())
COLUMNS = 24
TOKEN = "only-the-tests-read-figures-with-this-one"
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed here")

#: what did not happen is counted nowhere; with dice from a file no command is fast
MAY_NOT_HAPPEN = {"busy", "5xx", "fast", "log"}


def promtool(*words: str | Path) -> None:
    done = subprocess.run(
        [str(PROMTOOL), *words], capture_output=True, text=True, timeout=WAIT_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@needs_promtool
@pytest.mark.parametrize(
    ("verb", "file"),
    [("check", "alerts.yml"), ("test", "alerts_test.yml"), ("test", "alerts_load_test.yml")],
)
def test_each_alert_is_sound_and_fires_above_its_limit_only(verb: str, file: str) -> None:
    promtool(verb, "rules", FOLDER / file)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("prometheus") is None, reason="Prometheus is not installed here")
def test_prometheus_collects_each_web_server_of_one_host_by_its_port(
    live: str, settings: Any, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN, settings.ALLOWED_HOSTS = TOKEN, ["pasch.example"]
    with site_served(FrameSocket) as other:
        _collected(tmp_path, [str(urlsplit(each).port) for each in (live, other)])


def _collected(tmp_path: Path, ports: list[str]) -> None:
    said = (FOLDER / "prometheus.yml").read_text()
    said = said.replace(":8000", f":{ports[0]}").replace(":8001", f":{ports[1]}")
    (tmp_path / "prometheus.yml").write_text(f"global: {{scrape_interval: 1s}}\n{said}")
    (tmp_path / "alerts.yml").write_text((FOLDER / "alerts.yml").read_text())
    (tmp_path / "pasch-token").write_text(TOKEN)
    at = f"127.0.0.1:{free_port()}"
    own = [f"--web.listen-address={at}", f"--storage.tsdb.path={tmp_path}/data"]
    with subprocess.Popen(
        ["prometheus", f"--config.file={tmp_path}/prometheus.yml", *own, "--log.level=error"]
    ) as prometheus:
        try:
            assert _up(at) == {f"127.0.0.1:{port}" for port in ports}
        finally:
            prometheus.terminate()


def _up(at: str) -> set[str]:
    """The instances of the job from which figures came, once there are two."""
    query = f"http://{at}/api/v1/query?query=up%7Bjob%3D%22pasch%22%7D%3D%3D1"

    def collected() -> set[str]:  # Prometheus gives no signal when it has
        found: set[str] = set()
        with suppress(OSError), urllib.request.urlopen(query, timeout=WAIT_SECONDS) as answer:
            told = json.load(answer)["data"]["result"]
            found = {each["metric"]["instance"] for each in told}
        return found if len(found) == 2 else set()

    return wait_until(collected, "Prometheus has no figures")


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_each_alert_has_a_test_in_which_it_fires() -> None:
    fire = set()
    for path in FOLDER.glob("*_test.yml"):
        for each in yaml.safe_load(path.read_text())["tests"]:
            fire |= {test["alertname"] for test in each["alert_rule_test"] if test["exp_alerts"]}
    names = [rule["alert"] for rule in rules()]
    assert fire == set(names)
    assert len(names) == len(set(names))


def asked() -> dict[str, str]:
    """Every query of the dashboard, by its panel."""
    return {
        f"{panel['title']} {target['refId']}": target["expr"].replace("$__rate_interval", "5m")
        for panel in DASHBOARD["panels"]
        for target in panel.get("targets", ())
    }


@needs_promtool
def test_prometheus_understands_every_query_of_the_dashboard(tmp_path: Path) -> None:
    file = tmp_path / "queries.yml"
    records = [{"record": f"query:{n}", "expr": expr} for n, expr in enumerate(asked().values())]
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": records}]}))
    promtool("check", "rules", file)


def test_the_panels_of_the_dashboard_have_ids_of_their_own_and_fit() -> None:
    panels = DASHBOARD["panels"]
    ids = [panel["id"] for panel in panels]
    assert len(ids) == len(set(ids))
    places = [panel["gridPos"] for panel in panels]
    assert all(place["x"] >= 0 and place["x"] + place["w"] <= COLUMNS for place in places)
    for one, other in combinations(places, 2):
        apart = any(
            a[start] + a[size] <= b[start]
            for a, b in ((one, other), (other, one))
            for start, size in (("x", "w"), ("y", "h"))
        )
        assert apart, (one, other)
    tops = [place["y"] for place in places]
    assert all(lower >= upper for upper, lower in pairwise(tops)), "they are listed in order"
    for panel in panels:
        letters = [target["refId"] for target in panel.get("targets", ())]
        assert len(letters) == len(set(letters)), panel["title"]


@pytest.fixture
def web(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, [(3, 1), (4, 2)]) as house:
        house.environment["METRICS_TOKEN"] = TOKEN
        house.start("web")
        yield house


def scraped(house: Processes) -> str:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    request = urllib.request.Request(f"{house.address}/metrics/", headers=headers)
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
        return str(answer.read().decode())


def labels_told(text: str) -> dict[str, dict[str, set[str]]]:
    """By figure, each of its labels with the values that it has."""
    told: dict[str, dict[str, set[str]]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = told.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return told


@pytest.mark.slow
def test_every_figure_and_label_that_is_read_is_one_of_a_running_house(
    web: Processes, sitting: Sitting, tilo: User
) -> None:
    table_open(user=tilo, mode="prize5", stake_cents=250)
    for role in ("sweep", "copy", "offsite"):
        Heartbeat.objects.update_or_create(role=role, defaults={"beat_at": timezone.now()})
    audit()
    books_seal()  # an audit in turns goes on from a sealed one
    audit_in_turns()
    audit_recent()
    for path in ("/rules/", "/api/v1/ranking/"):
        urllib.request.urlopen(f"{web.address}{path}", timeout=WAIT_SECONDS).close()
    with socket_of(sitting.players[0], web.address, sitting.pk) as socket:
        voice = Voice(socket)
        voice.resume()
        for command in ("roll", "roll"):
            voice.command({"type": command})
        text = scraped(web)
        while 'lane="sure",le="0.005",until="answer"' not in text:  # written once a second
            voice.say({"type": "ping", "sent_ms": 1})
            voice.hear("pong")
            text = scraped(web)
    told = labels_told(text)
    for name, expr in {**{rule["alert"]: rule["expr"] for rule in rules()}, **asked()}.items():
        for figure, selector in re.findall(r"\b(pasch_\w+)(\{[^}]*\})?", expr):
            assert figure in told, (name, figure)
            for label, how, value in re.findall(r'(\w+)(=|!=|=~)"([^"]*)"', selector):
                assert label in told[figure], (name, figure, label)
                wanted = set(value.split("|")) if how != "!=" else set()
                assert wanted - MAY_NOT_HAPPEN <= told[figure][label], (name, figure, value)
        for labels in re.findall(r"\bby \(([^)]*)\)", expr):
            known = {label for labels in told.values() for label in labels} | {"instance"}
            assert set(labels.split(", ")) <= known, (name, labels)


# --- figures --------------------------------------------------------------------------------------
__all__ = ["figures"]


def changed_in_spite_of_all_guards(match_id: object, **fields: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            Match.objects.filter(pk=match_id).update(**fields)
        finally:
            cursor.execute("SET session_replication_role = DEFAULT")


def test_an_escrow_that_holds_another_sum_is_counted(figures: Any, sitting: Sitting) -> None:
    wrong = 'pasch_escrow_wrong{of="matches"}'
    match = Match.objects.get(table=sitting.pk)
    assert figures()[wrong] == 0
    changed_in_spite_of_all_guards(match.pk, stake_cents=251)
    assert figures()[wrong] == 1
    changed_in_spite_of_all_guards(match.pk, stake_cents=250, ended_at=timezone.now())
    told = figures()
    assert told[wrong] == 1, "it has ended, and its stakes are still there"
    assert told['pasch_escrow_cents{of="matches"}'] == 0


@pytest.mark.django_db(transaction=True)
def test_queues_say_how_much_waits_and_since_when(figures: Any) -> None:
    told = figures()
    assert told["pasch_sweep_stuck"] == told["pasch_sweep_stuck_seconds"] == 0
    assert told['pasch_queue_length{queue="mails"}'] == told['pasch_queue_seconds{queue="mails"}']
    assert told['pasch_queue_seconds{queue="mails"}'] == 0
    for hours in (1, 3):
        mail = OutgoingMail.objects.create(to="a@example.org", subject="s", body="b")
        mail.created_at = timezone.now() - timedelta(hours=hours)
        mail.save(update_fields=["created_at"])
    told = figures()
    assert told["pasch_sweep_stuck"] == told["pasch_sweep_stuck_seconds"] == 0
    assert told['pasch_queue_length{queue="mails"}'] == 2
    assert 3 * 3600 <= told['pasch_queue_seconds{queue="mails"}'] < 3 * 3600 + 60


@pytest.mark.django_db(transaction=True)
def test_a_task_that_no_worker_takes_waits(figures: Any) -> None:
    with app.connection_for_write() as broker, broker.channel() as channel:
        channel.queue_purge("celery")
        assert figures()["pasch_tasks_waiting"] == 0
        app.send_task("games.tasks.sweep_lobby", connection=broker)
        try:
            assert figures()["pasch_tasks_waiting"] == 1
        finally:
            channel.queue_purge("celery")
    assert cache._cache.get_client().exists(QUEUE) == 0


@pytest.mark.django_db(transaction=True)
def test_pages_and_errors_are_counted(figures: Any, client: Client) -> None:
    pages = 'pasch_requests_total{kind="page",status="2xx"}'
    lost = 'pasch_requests_total{kind="page",status="4xx"}'
    seconds = 'pasch_request_seconds_count{kind="page"}'
    errors = "pasch_log_errors_total"
    before = figures()
    client.get("/rules/")
    client.get("/no/such/page/")
    logging.getLogger("django.request").error("planted")
    now = figures()
    assert now[pages] - before.get(pages, 0) == 1
    assert now[lost] - before.get(lost, 0) == 1
    assert now[seconds] - before.get(seconds, 0) == 2
    assert now[errors] - before[errors] == 1
