"""Games against the bots of the house are analysed, for guests, too, and count apart."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from analysis.decisions.filters import DecisionFilter
from analysis.decisions.search import DecisionSearch
from analysis.models import DecisionRow, ErrorExercise, Job, Report
from analysis.progress import ProgressAsked
from analysis.queue import ENGINE_HOURS, engine_seconds, enqueue_ended, waiting, work_once
from fairplay.facts import _errors
from fairplay.play import _rows
from games.bots.player import answer
from games.models import Match
from games.services.house_bots import ALONE
from games.table import commands as cmd
from games.tasks import bot_move
from harness.logins import logged_in
from tests.analysis.test_queue import Bare
from tests.face.looks import DESKTOP, PHONE
from tests.practice.conftest import Practice, decided, practise
from tests.practice.test_guests import press

__all__ = ["practise"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


#: three checkers a side, which is soon over.
SHORT = {"strength": "child", "variant": "hypergammon"}


def played_out(table: Practice) -> Match:
    """Play until the game at this table is over; return its match."""
    alone = table.table.people[1]["plays_as"] == ALONE
    while (state := table.state).phase != "over":
        if state.decider == 1 and not alone:
            assert bot_move(str(table.pk)) > 0
        else:
            table.give(decided(state, state.decider or 0))
    return Match.objects.get(table=table.pk)


@pytest.fixture
def against_bot(practise: Callable[..., Practice]) -> Match:
    """hilde's game against the weakest bot."""
    return played_out(practise(**SHORT))


def mistakes(client: Client, match: Match) -> Any:
    return client.get(f"/match/{match.pk}/analysis/?part=mistakes").json()


def test_the_quick_look_is_made_at_once_and_the_full_one_after_those_of_people(
    against_bot: Match, played: Match
) -> None:
    assert enqueue_ended() == 2
    assert enqueue_ended() == 0
    order = [(job.match == against_bot, job.depth) for job in waiting()]
    assert sorted(order[:2]) == [(False, "quick"), (True, "quick")]
    assert order[2:] == [(False, "full"), (True, "full"), (False, "deep")]


def test_the_end_card_learns_how_many_mistakes_there_were(against_bot: Match, hilde: User) -> None:
    client = logged_in(Client(), hilde)
    assert mistakes(client, against_bot) == {"state": "queued"}
    enqueue_ended()
    assert work_once(Bare())
    report = Report.objects.get(match=against_bot)
    own = DecisionRow.objects.filter(report=report, seat=0, line__mark__in=("??", "?"))
    worst = own.order_by("-loss").first()
    told = mistakes(client, against_bot)
    assert (told["state"], told["mistakes"]) == ("done", own.count())
    assert told["worst"] == (f"{worst.game}.{worst.number}" if worst else "")
    page = client.get(f"/match/{against_bot.pk}/analysis/")
    assert "Pasch" in page.content.decode()


def test_a_guest_learns_their_own_mistakes_and_nobody_else_does(dice: Any) -> None:
    guest, other = Client(), Client()
    table = press(guest, **SHORT)
    match = played_out(Practice(User.objects.get(is_guest=True), table))
    enqueue_ended()
    assert work_once(Bare())
    assert mistakes(guest, match)["state"] == "done"
    assert guest.get(f"/match/{match.pk}/analysis/").status_code == 200
    assert guest.get(f"/match/{match.pk}/").status_code == 200
    assert "mistakes" not in mistakes(other, match)


def test_practice_is_no_evidence_and_no_part_of_the_rate_of_matches(
    against_bot: Match, hilde: User
) -> None:
    enqueue_ended()
    while work_once(Bare()):
        pass
    assert Report.objects.filter(match=against_bot, depth="full").exists()
    assert _rows(hilde.pk, None) == []
    assert _errors(hilde.pk, [])[1] is None
    assert ProgressAsked(hilde, hilde).latest(10) == []


def test_decisions_against_bots_are_listed_where_they_are_asked_for(
    against_bot: Match, hilde: User
) -> None:
    enqueue_ended()
    while work_once(Bare()):
        pass
    usual = DecisionSearch(hilde, DecisionFilter({}), timezone.now())
    practice = DecisionFilter({"source": frozenset({"practice"})})
    asked = DecisionSearch(hilde, practice, timezone.now())
    assert (usual.decisions, usual.all_decisions, usual.pr) == (0, 0, None)
    assert list(usual.queryset()) == usual.rows(0, 5) == []
    assert asked.decisions == usual.counts("source")["practice"] == asked.queryset().count() > 0
    assert asked.pr is not None


def test_a_game_alone_is_not_analysed(practise: Callable[..., Practice], hilde: User) -> None:
    match = played_out(practise(**{**SHORT, "strength": ALONE}))
    assert match.ended_at is not None
    assert enqueue_ended() == 0
    told = mistakes(logged_in(Client(), hilde), match)
    assert told == {"state": "unsupported"}


def test_the_full_look_takes_of_the_hours_of_a_week(
    against_bot: Match, practise: Callable[..., Practice], hilde: User
) -> None:
    enqueue_ended()
    Job.objects.filter(depth="full").update(
        seconds=3600 * ENGINE_HOURS, done_at=timezone.now() - timedelta(days=1)
    )
    assert engine_seconds(hilde.pk) == 3600 * ENGINE_HOURS
    second = played_out(practise(**SHORT))
    assert enqueue_ended() == 1
    assert [job.depth for job in Job.objects.filter(match=second)] == ["quick"]


def test_own_errors_against_a_bot_become_exercises(against_bot: Match) -> None:
    enqueue_ended()
    while work_once(Bare()):
        pass
    errors = DecisionRow.objects.filter(report__depth="full", counted=True, loss__gte=0.04)
    asked = ErrorExercise.objects.filter(report__match=against_bot)
    assert set(asked.values_list("decision", flat=True)) <= set(errors.values_list("pk", flat=True))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_card_at_the_end_leads_to_the_costliest_mistake(
    player: Callable[..., Any], practise: Callable[..., Practice], screen: dict[str, Any]
) -> None:
    table = practise(strength="child")
    while table.types().count("play_made") < 8:
        state = table.state
        if state.decider == 1:
            bot_move(str(table.pk))
        else:
            weak = answer(state, 0, strength="child", seed="")
            table.give(cmd.Roll() if state.phase == "roll" or weak is None else weak)
    table.give(cmd.Leave())
    page = player("hilde", **screen)
    page.goto(f"/table/{table.pk}/")
    card = page.locator("#result-mistakes")
    expect(card).to_contain_text("angesehen")
    enqueue_ended()
    assert work_once(Bare())
    expect(card).to_contain_text(re.compile(r"\d+ Fehler, PR \d+,\d\."))
    card.get_by_role("link", name="Den teuersten ansehen").click()
    page.wait_for_url("**/analysis/?d=*")
    assert page.problems == []
