"""The figures of the house and of its servers say what is wrong, and nothing when nothing is."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import OutgoingMail
from games.models import Match
from harness.sitting import Sitting
from pasch.celery import app
from pasch.observability.parts import QUEUE
from tests.platform.test_metrics import figures

__all__ = ["figures"]

pytestmark = pytest.mark.django_db(transaction=True)


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
