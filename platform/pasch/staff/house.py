"""The settings of the house that administrators change: alone, or by a second one's confirmation.

This is in the site because it needs the settings, which are people's, and the proposals.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from house.history import (
    HouseStale,
    change_newest,
    change_store,
    part_number,
    takes_two,
)
from house.models import HouseChange
from house.parts import REGISTERED, BadContent, Content, HousePart, content_of
from ledger.audit import AuditFinding
from ledger.errors import MalformedPosting, NotAllowed, ProposalStale
from ledger.models import JournalEntry, Proposal, ProposalState
from ledger.services.decisions import journal_record, second_factor_check
from ledger.services.proposals import proposal_holds, proposal_kind, proposal_make

KIND: Final = "house.change"
RIGHT: Final = "house.decide_house"
PICTURES: Final = frozenset({"png"})
"""The fields that contain a whole file."""


def subject_of(part: HousePart) -> str:
    """The subject of a part in proposals and in the journal."""
    return f"house:{part.value}"


def part_of(proposal: Proposal) -> HousePart:
    """The part that a proposal is about."""
    return HousePart(proposal.subject.removeprefix("house:"))


def content_now(part: HousePart) -> Content:
    """The content of a part as the database has it; its defaults where nothing was ever set."""
    row = change_newest(part)
    return dict(row.content) if row else usual_content(part)


def usual_content(part: HousePart) -> Content:
    """The content of a part that was never set."""
    return dict(REGISTERED[part].usual) if part in REGISTERED else {}


@transaction.atomic
def house_change(
    *,
    actor: User,
    part: HousePart,
    content: Content,
    number: int,
    reason: str,
    verified_at: datetime | None,
) -> HouseChange:
    """Change a part that takes one administrator, over change `number`, which they have seen.

    Raises `NotAllowed`, `SecondFactorStale`, `MalformedPosting` without a reason or where nothing
    changes, and `ProposalStale` where the part has changed since.
    """
    if not actor.has_perm(RIGHT) or takes_two(part):
        raise NotAllowed(f"{actor.get_username()} cannot change {part} of the house alone")
    second_factor_check(verified_at)
    return _change(actor, part, content, number, reason)


def house_propose(
    *,
    actor: User,
    part: HousePart,
    content: Content,
    number: int,
    reason: str,
    verified_at: datetime | None,
) -> Proposal:
    """Propose a content for a part that takes two, over change `number`, which the actor has seen.

    Raises what `proposal_make` does, and `MalformedPosting` where nothing changes.
    """
    if content == content_now(part):
        raise MalformedPosting("the house has these settings")
    return proposal_make(
        actor=actor,
        kind=KIND,
        subject=subject_of(part),
        content={"content": content},
        before={"number": number},
        reason=reason,
        verified_at=verified_at,
    )


@proposal_kind(KIND, permission=RIGHT)
def _carry_out(proposal: Proposal, actor: User) -> None:
    part, content = part_of(proposal), proposal.content["content"]
    proposal_holds(proposal, {"number": part_number(part)})
    try:
        content_of(part, content)
    except BadContent as error:
        names = [fault.name for fault in error.faults]
        raise ProposalStale(proposal.reference, names) from error
    _change(actor, part, content, proposal.before["number"], proposal.reason, proposal)


def _change(
    actor: User,
    part: HousePart,
    content: Content,
    number: int,
    reason: str,
    proposal: Proposal | None = None,
) -> HouseChange:
    before = content_now(part)
    if not reason.strip() or before == content:
        raise MalformedPosting("a change says why, and changes something")
    try:
        row = change_store(
            part,
            content,
            seen=number,
            reason=reason.strip(),
            changed_by_id=proposal.proposed_by_id if proposal else actor.pk,
            confirmed_by_id=actor.pk if proposal else None,
            proposal_id=proposal.pk if proposal else None,
        )
    except HouseStale as error:
        raise ProposalStale(subject_of(part), ["number"]) from error
    names = dict.fromkeys((*before, *content))
    journal_record(
        actor=actor,
        verb=KIND,
        subject=subject_of(part),
        before={"number": number, **{name: _recorded(name, before) for name in names}},
        after={"number": row.number, **{name: _recorded(name, content) for name in names}},
        reason=row.reason,
    )
    return row


def _recorded(name: str, content: Content) -> Any:
    """The value of a field as the journal has it: of a picture, the digest alone."""
    value = content.get(name)
    if name in PICTURES and isinstance(value, str):
        return f"sha256:{hashlib.sha256(base64.b64decode(value)).hexdigest()}"
    return value


def check_house() -> Iterator[AuditFinding]:
    """Find changes of the house that break a rule, follow no other, or that nobody decided."""
    for count, row in enumerate(HouseChange.objects.order_by("number"), start=1):
        for message in _faults(row, count):
            yield AuditFinding(f"house {row.number}", message)


def _faults(row: HouseChange, count: int) -> Iterator[str]:
    if row.number != count:
        yield f"it is the {count}. of the history"
    try:
        part = HousePart(row.part)
        content_of(part, row.content)
    except (BadContent, ValueError) as error:
        yield str(error)
        return
    if row.changed_by_id is None:
        return  # set at the server, as the history shows
    entry = JournalEntry.objects.filter(
        verb=KIND, subject=subject_of(part), after__number=row.number
    ).first()
    yield from _differing("the journal", _journal_says(entry, row))
    if takes_two(part):
        decided = Proposal.objects.filter(pk=row.proposal_id or 0).first()
        yield from _differing(f"proposal {row.proposal_id}", _proposal_says(decided, row))


def _journal_says(entry: JournalEntry | None, row: HouseChange) -> Mapping[str, tuple[Any, Any]]:
    stored = {"number": row.number, **{name: _recorded(name, row.content) for name in row.content}}
    return {
        "content": (_filled(entry.after if entry else {}), _filled(stored)),
        "person": (entry and entry.actor_id, row.confirmed_by_id or row.changed_by_id),
    }


def _filled(content: Content) -> Content:
    return {name: value for name, value in content.items() if value}


def _proposal_says(decided: Proposal | None, row: HouseChange) -> Mapping[str, tuple[Any, Any]]:
    if decided is None:
        return {"proposal": (None, row.proposal_id)}
    return {
        "kind": (decided.kind, KIND),
        "state": (decided.state, ProposalState.DONE),
        "content": (decided.content.get("content"), row.content),
        "proposer": (decided.proposed_by_id, row.changed_by_id),
        "second person": (decided.decided_by_id, row.confirmed_by_id),
    }


def _differing(where: str, said: Mapping[str, tuple[Any, Any]]) -> Iterator[str]:
    for name, (there, here) in said.items():
        if there != here:
            yield f"{where} says otherwise: {name} {there}, not {here}"
