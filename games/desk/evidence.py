"""Everything that is known of a match in one piece: what a complaint is decided by.

The form is versioned; times are ISO 8601 in UTC, amounts cents, ratings text with four places.
"""

from typing import Any, Final

from games.desk.selectors import match_events, rating_changes
from games.models import Match
from ledger.selectors import reference_entries
from ledger.selectors_desk import journal, proposals_about

FORM: Final = "pasch-evidence-1"


def evidence_of(match: Match) -> dict[str, Any]:
    """Return terms, result, events, entries of the books, rating changes and decisions."""
    return {
        "form": FORM,
        "match": str(match.pk),
        "table": str(match.table_id),
        "number": match.number,
        "mode": match.mode,
        "variant": match.variant,
        "stake_cents": match.stake_cents,
        "terms": match.terms,
        "players": [
            {"seat": seat, "id": player.pk, "name": player.get_username()}
            for seat, player in enumerate((match.player_0, match.player_1))
        ],
        "started_at": match.started_at.isoformat(),
        "ended_at": match.ended_at.isoformat() if match.ended_at else None,
        "ending": match.ending,
        "winner_seat": match.winner_seat,
        "score": match.score,
        "points": match.points,
        "paid_cents": match.paid_cents,
        "rake_cents": match.rake_cents,
        "events": [
            {"seq": row.seq, "stored_at": row.stored_at.isoformat(), **row.payload}
            for row in match_events(match)
        ],
        "entries": _entries(match),
        "ratings": [
            {
                "user": change.user_id,
                "kind": change.kind,
                "pool": change.pool,
                "before": str(change.before),
                "after": str(change.after),
            }
            for change in rating_changes(match)
        ],
        "decisions": _decisions(match),
        "proposals": _proposals(match),
    }


def _entries(match: Match) -> list[dict[str, Any]]:
    return [
        {
            "transfer": entry.transfer_id,
            "key": entry.transfer.key,
            "kind": entry.transfer.kind,
            "account": entry.account.key,
            "amount_cents": entry.amount_cents,
            "booked_at": entry.transfer.created_at.isoformat(),
        }
        for entry in reference_entries(match.reference)
    ]


def _decisions(match: Match) -> list[dict[str, Any]]:
    return [
        {
            "at": entry.created_at.isoformat(),
            "actor": entry.actor.get_username(),
            "verb": entry.verb,
            "before": entry.before,
            "after": entry.after,
            "reason": entry.reason,
        }
        for entry in journal(subject=match.reference)
    ]


def _proposals(match: Match) -> list[dict[str, Any]]:
    return [
        {
            "kind": proposal.kind,
            "content": proposal.content,
            "before": proposal.before,
            "reason": proposal.reason,
            "state": proposal.state,
            "proposed_by": proposal.proposed_by.get_username(),
            "proposed_at": proposal.proposed_at.isoformat(),
            "decided_by": proposal.decided_by and proposal.decided_by.get_username(),
            "decided_at": proposal.decided_at and proposal.decided_at.isoformat(),
        }
        for proposal in proposals_about(match.reference)
    ]
