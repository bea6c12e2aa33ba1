"""Voiding the running game of a chouette: every stake goes back whole, and nobody wins a point.

With stakes it takes a fresh second factor, and above a limit a second person (docs/desk.md). Locks:
the table first, then the books.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.models import User
from chouette import decisions
from chouette.decisions import PERMISSION
from chouette.errors import GameOver, NoSuchChouette
from chouette.models import Circle, Game
from chouette.services.course import go_on
from chouette.services.store import Work, circle_lock, engine_refusals
from games.services.administration import NotAllowed, ReasonMissing


@dataclass(frozen=True, slots=True)
class Voided:
    """A table after the decision; `proposal_id` where it waits for a second person."""

    circle: Circle
    proposal_id: int | None = None


def game_void(
    *, game_id: UUID, actor: User, reason: str, verified_at: datetime | None = None
) -> Voided:
    """End a running game as void, or propose it where it takes a second person.

    Raises `NotAllowed`, `ReasonMissing`, `NoSuchChouette`, `GameOver`, `Busy`, and of
    `ledger.errors` `SecondPersonFresh`, `SecondFactorStale`, `ProposalWaits`.
    """
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    with transaction.atomic(durable=True):
        work = _locked(game_id, actor)
        stakes = stakes_by_player(work.game)
        if decisions.decided_alone(most_at_stake_cents(stakes), actor, verified_at):
            after = {"alone_cents": most_at_stake_cents(stakes)}
            _carry_out(work, actor, reason.strip(), after)
            return Voided(work.circle)
        proposal = decisions.void_propose(
            work.game,
            actor=actor,
            verified_at=verified_at,
            content=_content(stakes),
            reason=reason,
        )
        return Voided(work.circle, int(proposal.pk))


def game_void_confirm(
    *, proposal_id: int, actor: User, verified_at: datetime | None, reason: str = ""
) -> None:
    """Second person: void the game as it was proposed.

    Raises what `game_void` and `ledger.services.proposal_decide` raise.
    """

    def action(proposal: Any) -> None:
        game_id = UUID(proposal.subject.removeprefix("chouette:"))
        work = _locked(game_id, actor, proposal.proposed_by)
        decisions.void_holds(proposal, work.game, _content(stakes_by_player(work.game)))
        _carry_out(work, actor, proposal.reason, {"proposal": proposal.pk})

    with transaction.atomic(durable=True):
        decisions.void_confirm(
            proposal_id=proposal_id,
            actor=actor,
            verified_at=verified_at,
            reason=reason,
            action=action,
        )


def stakes_by_player(game: Game) -> dict[int, int]:
    """The stakes of a game (user id -> cents), the box first where it has more than one member."""
    rows = game.shares.order_by("-stake_cents", "pk")
    return dict(rows.values_list("user_id", "stake_cents"))


def most_at_stake_cents(stakes: dict[int, int]) -> int:
    """The stake of the box, the highest: the sum that counts for the limit of one person alone."""
    return max(stakes.values(), default=0)


def may_decide(user: User, game: Game) -> bool:
    """Whether this person has the right and never sat at the table."""
    sat = game.circle.places.filter(user=user).exists()
    return user.has_perm(PERMISSION) and not sat


def _content(stakes: dict[int, int]) -> dict[str, Any]:
    return {"paid_cents": [*stakes.values()], "rake_cents": 0}


def _locked(game_id: UUID, actor: User, *proposers: User) -> Work:
    """The table of a running game, locked, for people who may decide about it."""
    if not actor.has_perm(PERMISSION):
        raise NotAllowed("you have no right to void games")
    circle_id = Game.objects.filter(pk=game_id).values_list("circle_id", flat=True).first()
    circle = circle_lock(circle_id) if circle_id is not None else None
    if circle is None:
        raise NoSuchChouette("there is no such game")
    game = Game.objects.get(pk=game_id)
    for person in (actor, *proposers):
        if not may_decide(person, game):
            raise NotAllowed("nobody decides about a table at which they sat")
        decisions.deciders_check(stakes_by_player(game), person)
    if game.ended_at is not None:
        raise GameOver("the game has ended")
    work = Work(circle)
    work.game = game
    return work


def _carry_out(work: Work, actor: User, reason: str, after: dict[str, Any]) -> None:
    """Void the game and enter it in the journal; the books come last."""
    stakes = stakes_by_player(work.game)
    with engine_refusals():
        work.engine.void()
    after = {"stake_cents": most_at_stake_cents(stakes), **_content(stakes), **after}
    decisions.void_record(work.game, actor, after=after, reason=reason)
    go_on(work)
