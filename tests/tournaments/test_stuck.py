"""Tournaments that cannot move on keep no other waiting."""

from django.utils import timezone

from accounts.models import User
from games import kinds
from games.kinds import kind_move_on
from harness.tournaments import knockout
from kit.sweeps import Stuck
from tournaments.models import Tournament
from tournaments.services import running
from tournaments.services.entering import tournament_enter


def test_one_tournament_that_is_stuck_keeps_no_other_waiting(people, monkeypatch):
    stuck, other = knockout(4), knockout(4)
    for tournament in (stuck, other):
        for player in people(4, 0) if tournament is stuck else User.objects.all():
            tournament_enter(user=player, tournament_id=tournament.pk)
    with monkeypatch.context() as patched:
        right = running.move_on

        def fail(work):
            if work.tournament.pk == stuck.pk:
                raise ValueError("a fault")
            right(work)

        patched.setattr(running, "move_on", fail)
        assert kind_move_on("tournament") == 1
    other.refresh_from_db()
    assert other.phase == "running"
    assert Stuck.objects.get().item == str(stuck.pk)
    Stuck.objects.update(retry_at=timezone.now())
    assert kind_move_on("tournament") == 1
    assert not Stuck.objects.exists()


def test_many_that_are_stuck_keep_no_other_waiting(people, monkeypatch):
    monkeypatch.setattr(kinds, "AT_ONCE", 2)
    stuck, other = [knockout(2).pk for _ in range(4)], knockout(2)
    Tournament.objects.filter(pk__in=[*stuck, other.pk]).update(wake_at=timezone.now())

    def fail(work):
        if work.tournament.pk in stuck:
            raise ValueError("a fault")
        Tournament.objects.filter(pk=other.pk).update(wake_at=None)

    monkeypatch.setattr(running, "move_on", fail)
    tries = 0
    while kind_move_on("tournament") == 0:
        tries += 1
        assert tries < 100  # two of five by chance: (3/5)^100 is nothing
