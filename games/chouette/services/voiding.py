"""Voiding the running game of a chouette: every stake goes back whole, and nobody wins a point.

With stakes it takes a fresh second factor, and above a limit a second person (docs/desk.md). Locks:
the table first, then the books.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games import decisions
from games.chouette.errors import GameOver, NoSuchChouette
from games.chouette.models import Circle, Game
from games.chouette.services.course import go_on
from games.chouette.services.store import Work
from games.services.administration import PERMISSION, MayNotDecide, ReasonMissing
from games.services.commit import row_lock

VOID: Final = "chouette.void"
"""The verb of the journal, and the kind of proposals, by which a game is voided."""


def game_void(
    *, game_id: UUID, actor: User, reason: str, verified_at: datetime | None = None
) -> int | None:
    """End a running game as void; the number of the proposal where it waits for a second person.

    Raises `MayNotDecide`, `ReasonMissing`, `NoSuchChouette`, `GameOver`, `Busy`, and of
    `ledger.errors` `SecondPersonFresh`, `SecondFactorStale`, `ProposalWaits`.
    """
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    with transaction.atomic(durable=True):
        work = _locked(game_id, actor)
        stakes = stakes_by_player(work.game)
        most_cents = most_at_stake_cents(stakes)
        if decisions.decided_alone(most_cents, actor, verified_at):
            _carry_out(work, actor, reason.strip(), {"alone_cents": most_cents})
            return None
        proposal = decisions.proposal_make(
            actor=actor,
            kind=VOID,
            subject=work.game.reference,
            content=_content(stakes),
            before=_before(work.game),
            reason=reason,
            verified_at=verified_at,
        )
        return proposal.pk


def stakes_by_player(game: Game) -> dict[int, int]:
    """The stakes of a game (user id -> cents), the highest first.

    That is the box's, if the team has two members or more.
    """
    rows = game.shares.order_by("-stake_cents", "pk")
    return dict(rows.values_list("user_id", "stake_cents"))


def most_at_stake_cents(stakes: Mapping[int, int]) -> int:
    """The highest stake of a game: the sum that counts for the limit of one person alone."""
    return max(stakes.values(), default=0)


def has_sat(user: User, game: Game) -> bool:
    """Whether this person sits or ever sat at the table of a game."""
    return game.circle.places.filter(user=user).exists()


def sat_at_its_table(proposal: Any, person: User) -> bool:
    """Whether this person ever sat at the table of the game that a proposal is about."""
    return has_sat(person, Game.objects.get(pk=proposal.subject.removeprefix("chouette:")))


@decisions.proposal_kind(VOID, permission=PERMISSION, concerns=sat_at_its_table)
def _confirm(proposal: Any, actor: User) -> None:
    """Second person: void the game as it was proposed."""
    game_id = UUID(proposal.subject.removeprefix("chouette:"))
    work = _locked(game_id, actor, proposal.proposed_by)
    content = _content(stakes_by_player(work.game))
    decisions.proposal_holds(proposal, _before(work.game), content)
    _carry_out(work, actor, proposal.reason, {"proposal": proposal.pk})


def may_decide(user: User, game: Game) -> bool:
    """Whether this person has the right and never sat at the table."""
    return user.has_perm(PERMISSION) and not has_sat(user, game)


def _content(stakes: Mapping[int, int]) -> dict[str, Any]:
    return {"paid_cents": [*stakes.values()], "rake_cents": 0}


def _before(game: Game) -> dict[str, Any]:
    return {"game": game.number, "ending": ""}


def _locked(game_id: UUID, actor: User, *proposers: User) -> Work:
    """The table of a running game, locked, for people who may decide about it."""
    if not actor.has_perm(PERMISSION):
        raise MayNotDecide("you have no right to void games")
    circle_id = Game.objects.filter(pk=game_id).values_list("circle_id", flat=True).first()
    circle = row_lock(Circle, circle_id, NoSuchChouette)
    game = Game.objects.get(pk=game_id)
    for person in (actor, *proposers):
        if not may_decide(person, game):
            raise MayNotDecide("nobody decides about a table at which they sat")
        decisions.decider_check(stakes_by_player(game), person)
    if game.ended_at is not None:
        raise GameOver("the game has ended")
    work = Work(circle)
    work.game = game
    return work


def _carry_out(work: Work, actor: User, reason: str, after: Mapping[str, Any]) -> None:
    """Void the game and enter it in the journal; the books come last."""
    game, stakes = work.game, stakes_by_player(work.game)
    work.engine.void()
    figures = {"stake_cents": most_at_stake_cents(stakes), **_content(stakes)}
    decisions.journal_record(
        actor=actor,
        verb=VOID,
        subject=game.reference,
        before=_before(game),
        after={"game": game.number, "ending": "voided", **figures, **after},
        reason=reason,
    )
    go_on(work)
