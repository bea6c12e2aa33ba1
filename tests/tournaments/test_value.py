"""Whatever can win or lose anything of value has dice of mode L: tables, events, chouettes."""

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone

from games.chouette.models import Game
from games.models import GameDice
from games.modes.registry import ALL, OPENED
from games.services.dice.fair import dice_mode
from games.services.tables import table_join, table_open
from harness.chouettes import Hands
from harness.tournaments import called, entered
from ledger.audit import run as audit
from tests.modes.test_registry import every_rule, every_terms
from tests.tournaments.conftest import late
from tests.tournaments.test_audit import without_guards
from tournaments.engine.formats import FORMATS
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Meeting, Tournament
from tournaments.services.holding import tournament_hold

FEE_CENTS = 250
NEEDS = {"lives": {"lives": 2}, "arena": {"minutes": 10}}


@pytest.mark.parametrize("mode", ALL, ids=lambda mode: mode.key)
def test_value_alone_decides_about_the_mode_of_the_dice(mode):
    usual = every_terms(mode)
    for terms in [*usual, *every_rule(mode, usual[0])]:
        assert dice_mode(terms) == ("L" if terms.stake_cents else "K")
        assert dice_mode(msgspec.structs.replace(terms, for_prize=True)) == "L"
        free = msgspec.structs.replace(terms, stake_cents=0)
        assert dice_mode(free) == "K"


@pytest.mark.parametrize("mode", OPENED, ids=lambda mode: mode.key)
def test_every_mode_at_a_table(people, mode):
    players = people(4, 500_000)
    with_and_without = {bool(terms.stake_cents): terms for terms in every_terms(mode)}
    for staked, terms in with_and_without.items():
        table = table_open(user=players.pop(), **mode.wishes_of(terms))
        table_join(user=players.pop(), table_id=table.pk)
        assert GameDice.objects.get(table=table).mode == ("L" if staked else "K")


def event(format_key: str, kind: str) -> Tournament:
    """A tournament for four that begins with them: for nothing, or for something of value."""
    terms = TournamentTerms(format_key, length=1, least=4, most=4, **NEEDS.get(format_key, {}))
    more = {} if kind == "free" else {"fee_cents": FEE_CENTS}
    if kind == "sides":
        more["sides_bps"] = (2_000, 500)
    if kind == "satellite":
        later = TournamentTerms("knockout", length=1, least=2, most=8)
        more["satellite_of"] = tournament_hold(
            founder=None, name="Later", terms=later, fee_cents=400,
            starts_at=timezone.now() + timedelta(hours=2),
        )  # fmt: skip
    return tournament_hold(founder=None, name="Event", terms=terms, offer="value", **more)


def first_table(people, tournament: Tournament) -> GameDice:
    """The dice of the first table of this tournament; nobody comes, so it opens by time."""
    entered(tournament, people(4))
    meeting: Meeting = called(tournament)[0]
    late(meeting)
    return GameDice.objects.get(match=meeting.match_id)


@pytest.mark.parametrize("format_key", FORMATS)
@pytest.mark.parametrize("kind", ["free", "fee"])
def test_every_format_of_a_tournament(people, format_key, kind):
    made = first_table(people, event(format_key, kind))
    assert made.mode == ("K" if kind == "free" else "L")
    assert ('"prize":true' in made.terms) == (kind == "fee")
    assert modes_found() == []


@pytest.mark.parametrize(
    ("format_key", "kind"), [("knockout", "satellite"), ("consolation", "sides")]
)
def test_seats_and_prizes_of_other_brackets(people, format_key, kind):
    assert first_table(people, event(format_key, kind)).mode == "L"


@pytest.mark.parametrize("rate_cents", [0, 100])
def test_every_chouette(people, rate_cents):
    Hands(people(3, 50_000), rate_cents=rate_cents).later(60_000)
    assert '"mode":"L"' in Game.objects.get().terms
    assert modes_found() == []


def modes_found() -> list[str]:
    """The findings of D3."""
    (result,) = audit(only=["D3"]).results
    return [each.message for each in result.findings]


def in_mode_k() -> None:
    """Exchange the dice of the only game as the owner of the database could."""
    made = GameDice.objects.get()
    terms = made.terms.replace('"mode":"L"', '"mode":"K"')
    with without_guards():
        GameDice.objects.filter(pk=made.pk).update(mode="K", terms=terms)


@pytest.mark.parametrize("kind", ["fee", "satellite"])
def test_the_audit_derives_the_mode_from_the_event(people, kind):
    tournament = event("knockout", kind)
    first_table(people, tournament)
    in_mode_k()
    assert modes_found() == ["are of mode K, and something of value is won or lost"]
    without = Meeting.objects.get(match__isnull=False)
    with without_guards():
        Meeting.objects.filter(pk=without.pk).update(match=None)
    assert modes_found() == ["are of mode K, and something of value is won or lost"]
