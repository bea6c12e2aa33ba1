"""Decisions about matches as at the desk: exactly as shown, with a fresh second factor."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from games.kinds import table_void
from games.models import Match
from games.selectors import table_state
from games.services.match_decisions import MatchCase, match_adjudicate
from games.table.verdict import Verdict, possible_verdicts


def administrator(name: str = "ida") -> User:
    """A moderator, who may decide matches."""
    user, new = User.objects.get_or_create(username=name)
    if new:
        role_give(user, Role.MODERATOR)
    return User.objects.get(pk=user.pk)


def largest(match_id: UUID, winner: int) -> Verdict:
    """The verdict that gives this seat the most it can still win."""
    state = table_state(Match.objects.select_related("table").get(pk=match_id).table)
    possible = [it for it in possible_verdicts(state) if it.winner == winner]
    return max(possible, key=lambda it: (it.points, it.score[winner]))


def void_shown(
    match_id: UUID, actor: User, reason: str = "a broken table", **said: Any
) -> int | None:
    """Void a match in its current state."""
    fields: dict[str, Any] = {"verified_at": timezone.now()}
    if "shown" not in said:
        fields["shown"] = MatchCase(match_id).effect().shown
    reference = f"match:{match_id}"
    return table_void(reference=reference, actor=actor, reason=reason, **fields | said)


def adjudicate_shown(
    match_id: UUID, actor: User, verdict: Verdict | int, reason: str = "no way on", **said: Any
) -> int | None:
    """Adjudicate a match in its current state; a seat wins as much as it can."""
    wanted = verdict if isinstance(verdict, Verdict) else largest(match_id, verdict)
    fields: dict[str, Any] = {"verified_at": timezone.now()}
    if "shown" not in said:
        fields["shown"] = MatchCase(match_id, verdict=wanted).effect().shown
    return match_adjudicate(
        match_id=match_id, verdict=wanted, actor=actor, reason=reason, **fields | said
    )


def now() -> datetime:
    """The time of a fresh second factor."""
    return timezone.now()
