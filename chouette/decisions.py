"""Decisions of administrators about games, as the books require them: factor, second person.

Every decision is entered in the journal. Settlement moves the credits.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from chouette.models import Game
from ledger.models import Proposal
from ledger.services import proposal_decide, proposal_holds, proposal_make
from ledger.services.alone import may_decide_alone
from ledger.services.desk import second_factor_check, second_person_check
from ledger.services.journal import journal_record

VOID: Final = "chouette.void"
"""The verb of the journal, and the kind of proposals, by which a game is voided."""

PERMISSION: Final = "games.decide_match"


def decided_alone(stake_cents: int, actor: User, verified_at: datetime | None) -> bool:
    """Whether one administrator may decide alone; always without stakes.

    Raises `ledger.errors.SecondFactorStale` where there are stakes.
    """
    if not stake_cents:
        return True
    second_factor_check(verified_at)
    return may_decide_alone(actor, stake_cents)


def deciders_check(players: Iterable[int], person: User) -> None:
    """Raise `ledger.errors.SecondPersonFresh` if this person and a player do not count as two."""
    for player in players:
        second_person_check(player, person)


def void_propose(
    game: Game,
    *,
    actor: User,
    verified_at: datetime | None,
    content: Mapping[str, Any],
    reason: str,
) -> Proposal:
    """Let a voiding wait for a second person. Raises what `proposal_make` does."""
    return proposal_make(
        actor=actor,
        kind=VOID,
        subject=game.reference,
        permission=PERMISSION,
        content=content,
        before={"game": game.number},
        reason=reason,
        verified_at=verified_at,
    )


def void_confirm(
    *,
    proposal_id: int,
    actor: User,
    verified_at: datetime | None,
    reason: str,
    action: Callable[[Proposal], object],
) -> None:
    """As the second person, carry out a proposed voiding. Raises what `proposal_decide` does."""
    proposal_decide(
        proposal_id=proposal_id,
        kind=VOID,
        actor=actor,
        verified_at=verified_at,
        reason=reason,
        action=action,
    )


def void_holds(proposal: Proposal, game: Game, content: Mapping[str, Any]) -> None:
    """Raise `ledger.errors.ProposalStale` where it would now do something else."""
    proposal_holds(proposal, {"game": game.number}, content)


def void_record(game: Game, actor: User, *, after: Mapping[str, Any], reason: str) -> None:
    """Enter a voiding in the journal."""
    journal_record(
        actor=actor,
        verb=VOID,
        subject=game.reference,
        before={"game": game.number, "ending": ""},
        after={"game": game.number, "ending": "voided", **after},
        reason=reason,
    )
