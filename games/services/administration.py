"""Administrators' decisions about tables of every kind: one door, always with a reason.

A decision where stakes are paid needs a fresh second factor, and above a limit a second person
(docs/desk.md). It is taken in two steps: the `Effect` is shown, and the decision carries its
`shown` and is refused if it would now do something else.
"""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

from django.db import transaction
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games import decisions
from games.table.errors import TableError

PERMISSION: Final = "games.decide_match"


class MayNotDecide(TableError):
    """This person has no right to decide, or plays in what is to be decided."""

    code = "not_allowed"
    staff_sentence = _(
        "You may not do this: you lack the right, it is about yourself, or it takes a"
        " second person."
    )


class ReasonMissing(TableError):
    """A decision needs a reason."""

    code = "reason_missing"
    staff_sentence = _("A decision needs a reason.")


class PreviewChanged(TableError):
    """The decision would no longer do what was shown; look at it again."""

    code = "preview_changed"
    staff_sentence = _("The match has gone on: this is what would happen now. Look at it again.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect that a decision would have now, and the state it is based on (`before`).

    `paid_cents` has what everybody gets, `elos` their ratings before and after where there are any.
    `verb` names the decision in the journal and among proposals, `details` tell more about it.
    """

    verb: str
    paid_cents: Mapping[int, int]
    rake_cents: int = 0
    before: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)
    elos: Mapping[int, tuple[str, str]] = field(default_factory=dict)

    @property
    def content(self) -> dict[str, Any]:
        """The effect as journal and proposals keep it."""
        paid = {"paid_cents": [*self.paid_cents.values()], "rake_cents": self.rake_cents}
        return {**self.details, **paid}

    @property
    def shown(self) -> str:
        """The token a decision has to carry: it changes with every amount and every score."""
        text = json.dumps([self.verb, self.content, dict(self.before)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


class Decidable(ABC):
    """Something about which a decision is taken; its table is locked unless it is only looked at.

    `players` play in it, `people` ever sat there: none of them decides. `stake_cents` counts for
    the limit of one person alone. `carry_out` answers what the journal says about it afterwards,
    and what is left to do after that.
    """

    reference: str
    players: Collection[int]
    people: Collection[int]
    stake_cents: int

    @abstractmethod
    def effect(self) -> Effect:
        """Return the effect of the decision. Raises `TableError` where it is impossible."""

    @abstractmethod
    def carry_out(
        self, actor: User, reason: str, proposer: User | None
    ) -> tuple[Mapping[str, Any], Callable[[], object] | None]:
        """Do it."""


AnyDecidable = TypeVar("AnyDecidable", bound=Decidable)


def may_decide(case: Decidable, person: User) -> bool:
    """Whether this person has the right and never sat there."""
    return person.has_perm(PERMISSION) and person.pk not in case.people


def decide(
    case_open: Callable[[], Decidable],
    *,
    actor: User,
    reason: str,
    shown: str,
    verified_at: datetime | None = None,
) -> int | None:
    """Decide a case; the number of the proposal where it waits for a second person.

    Raises `MayNotDecide`, `ReasonMissing`, `PreviewChanged`, what the case does, and of
    `ledger.errors` `SecondPersonFresh`, `SecondFactorStale`, `ProposalWaits`, and
    `InsufficientCredits` if somebody has spent what they would have to give back.
    """
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    with transaction.atomic(durable=True):
        case = checked(case_open, actor)
        effect = case.effect()
        if effect.shown != shown:
            raise PreviewChanged("the decision would no longer do what was shown")
        if decisions.decided_alone(case.stake_cents, actor, verified_at):
            carry_out(case, effect, actor, reason.strip(), {"alone_cents": case.stake_cents})
            return None
        proposal = decisions.proposal_make(
            actor=actor,
            kind=effect.verb,
            subject=case.reference,
            content=effect.content,
            before=effect.before,
            reason=reason,
            verified_at=verified_at,
        )
        return proposal.pk


def decision_register(verb: str, case_open: Callable[[Any, bool], Decidable]) -> None:
    """Let a second person confirm proposals of this kind, if nothing has changed since.

    `case_open` takes a proposal, and whether the table is to be locked.
    """

    def concerns(proposal: Any, person: User) -> bool:
        return person.pk in case_open(proposal, False).people

    @decisions.proposal_kind(verb, permission=PERMISSION, concerns=concerns)
    def confirm(proposal: Any, actor: User) -> None:
        proposer = proposal.proposed_by
        case = checked(lambda: case_open(proposal, True), actor, proposer)
        effect = case.effect()
        decisions.proposal_holds(proposal, effect.before, effect.content)
        after = {"proposal": proposal.pk}
        carry_out(case, effect, actor, proposal.reason, after, proposer=proposer)


def checked(case_open: Callable[[], AnyDecidable], actor: User, *proposers: User) -> AnyDecidable:
    """The case, for a person who may decide it.

    The proposer of a confirmed decision must still be another person than its players.
    """
    if not actor.has_perm(PERMISSION):
        raise MayNotDecide("you have no right to decide")
    case = case_open()
    for person in (actor, *proposers):
        if person.pk in case.people:
            raise MayNotDecide("nobody decides what they play in, or a table at which they sat")
        decisions.decider_check(case.players, person)
    return case


def carry_out(
    case: Decidable,
    effect: Effect,
    actor: User,
    reason: str,
    after: Mapping[str, Any],
    *,
    proposer: User | None = None,
) -> None:
    """Carry a decision out and enter it in the journal; the books come last."""
    facts, last = case.carry_out(actor, reason, proposer)
    decisions.journal_record(
        actor=actor,
        verb=effect.verb,
        subject=case.reference,
        before=effect.before,
        after={**facts, "stake_cents": case.stake_cents, **effect.content, **after},
        reason=reason,
    )
    if last is not None:
        last()
