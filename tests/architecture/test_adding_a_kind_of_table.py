"""The example of docs/adding-a-kind-of-table.md is a kind of table: played, audited, shown."""

import importlib
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.utils import timezone

from accounts.models import User
from games import kinds
from games.broadcast import channel_key
from games.models import GameDice, Outage
from games.modes.terms import Terms
from games.services.administration import MayNotDecide
from games.services.dice.fair import dice_begin
from games.services.dice.parts import DiceSide, Parts
from games.tasks import sweep_lobby
from harness.decisions import administrator
from ledger import audit
from ledger.audit_rows import ReasonCheck
from ledger.models import JournalEntry
from pasch.deletion import obstacles
from pasch.observability.house import HouseFigures
from pasch.personal_data import kept, parts
from pasch.templatetags.desk import obstacle_words, subject_link

EXAMPLE = "tests.architecture.heads"


@pytest.fixture
def heads(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The kind of the guide, registered, with its tables in the database."""
    monkeypatch.setattr(kinds, "_kinds", dict(kinds._kinds))
    monkeypatch.setattr(audit, "_checks", dict(audit._checks))
    models = importlib.import_module(f"{EXAMPLE}.models")
    with connection.schema_editor() as editor:
        editor.create_model(models.Toss)
        editor.create_model(models.TossEvent)
    with connection.cursor() as cursor:
        cursor.execute("SELECT journal_stays('heads_tossevent', 'toss_id')")
    kinds.kind_register(importlib.import_module(f"{EXAMPLE}.kind").KIND)
    yield SimpleNamespace(models=models, services=importlib.import_module(f"{EXAMPLE}.services"))
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE heads_tossevent, heads_toss")
    for name in [name for name in sys.modules if name.startswith(EXAMPLE)]:
        del sys.modules[name]
    del apps.all_models["heads"]
    apps.clear_cache()


def test_a_kind_that_moves_credits_cannot_start_without_its_gains(heads: SimpleNamespace) -> None:
    kind = kinds.kind_of("heads")
    assert kind is not None
    transfers = ReasonCheck(code="Z2", title="", function="heads_unjustified", about="true")
    with pytest.raises(ImproperlyConfigured, match="heads: credits move"):
        kinds.kind_register(replace(kind, checks=(transfers,)))
    with pytest.raises(TypeError, match="gains"):
        kinds.Credits(escrow_name="tosses", escrows="SELECT")  # type: ignore[call-arg]  # the point


class Coin(Parts[GameDice]):
    """The dice of a toss."""

    def __init__(self, game: GameDice) -> None:
        self.game = game
        self.sides = [DiceSide(), DiceSide()]
        self._opened, self._changed = [], False


def test_no_game_of_a_new_kind_gets_dice_without_the_rule_for_their_mode() -> None:
    own = GameDice(id=uuid4(), mode="L", terms="{}", house_tip=bytes(32))
    with pytest.raises(ValueError, match="Nonce"):
        Coin(own).make_roll(1, 1)  # it has no chain of the house

    for stake_cents, mode in ((0, "K"), (100, "L")):
        game = GameDice(id=uuid4())
        terms = Terms(mode="normal", stake_cents=stake_cents)
        game.mode = dice_begin(game, terms, {}, (False, False))
        assert game.mode == mode
        assert Coin(game).make_roll(1, 1).n == 0


def found() -> list[str]:
    """What the audit finds about tosses, whole and since the beginning."""
    (whole,) = audit.run(only=["Z1"]).results
    return [each.message for each in whole.findings]


def ended(toss: Any) -> bool:
    toss.refresh_from_db()
    return toss.ended_at is not None


def test_time_outages_and_presence_hold_for_a_new_kind(heads: SimpleNamespace) -> None:
    player = User.objects.create_user("player")
    begin = partial(heads.services.toss_begin, user=player, heads=True)

    # its clock ends nothing during an outage of the house, and gives the time back after it
    toss, long_ago = begin(), timezone.now() - timedelta(seconds=30)
    heads.models.Toss.objects.update(created_at=long_ago)
    outage = Outage.objects.create(
        role="web", began_at=long_ago - timedelta(minutes=5), ended_at=timezone.now()
    )
    assert kinds.kind_move_on("heads") == 0
    Outage.objects.update(credited_at=timezone.now())
    assert kinds.kind_move_on("heads") == 0, "its time began anew"
    Outage.objects.update(ended_at=outage.ended_at - timedelta(seconds=20))
    assert kinds.clocks_are_due()
    assert kinds.kind_move_on("heads") == 1
    assert ended(toss)

    # whoever has gone leaves, but not while the house was away
    toss = begin()
    assert kinds.somebody_waits()
    valkey = redis.Redis.from_url(settings.REDIS_URL)
    valkey.zadd(channel_key("people"), {str(player.pk): time.time() - 61})
    sweep_lobby()
    assert not ended(toss)
    Outage.objects.all().update(ended_at=timezone.now() - timedelta(seconds=70))
    sweep_lobby()
    assert ended(toss)


def test_a_kind_of_table_is_a_folder_and_a_registration(heads: SimpleNamespace) -> None:
    player = User.objects.create_user("player")
    services = heads.services
    assert "heads.Toss.player" in kept()

    # it is played; meanwhile the account stays, and the figures count it
    toss = services.toss_begin(user=player, heads=True)
    assert obstacles(player) == ["heads"]
    assert obstacle_words("heads") == "waits for a coin"
    running = {each.name: each.samples for each in HouseFigures().collect()}
    assert [each.value for each in running["pasch_tosses_running"]] == [1]
    toss = services.toss_land(toss_id=toss.pk, heads=True)
    assert services.JOURNAL.stored(toss).won is True
    assert obstacles(player) == []

    # it is exported, and voided by a decision that the desk shows in words
    (part,) = (each for each in parts() if each.name == "tosses")
    assert [row["id"] for row in part.rows(player)] == [toss.pk]
    hanging = services.toss_begin(user=player, heads=False)
    reference, wish = f"heads:{hanging.pk}", {"reason": "it rolled away", "shown": ""}
    with pytest.raises(MayNotDecide):
        kinds.table_void(reference=reference, actor=player, **wish)
    wish["shown"] = kinds.void_case(reference).effect().shown
    kinds.table_void(reference=reference, actor=administrator("anna"), **wish)
    assert ended(hanging)
    entry = JournalEntry.objects.get(verb="heads.void")
    assert subject_link(entry.subject) == f"Toss {str(hanging.pk)[:8]}"

    # its journal is audited, and the database keeps it
    assert found() == []
    toss.state["won"] = False
    toss.save()
    assert found() == ["its stored state differs from its events"]
    with pytest.raises(Exception, match="these rows stay as they were written"):
        heads.models.TossEvent.objects.filter(toss=toss).update(seq=7)
