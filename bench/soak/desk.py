"""The administrators of the soak: a process of the house that carries out decisions.

Reads one JSON object a line and answers with one. It calls the same services as the desk's pages
and, as people do, sometimes repeats a decision, or tries one without the right to it.
"""

import json
import os
import sys
from typing import Any


def main() -> None:
    """Answer until standard input ends."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    import django

    django.setup()
    from django.db import close_old_connections

    for line in sys.stdin:
        close_old_connections()
        try:
            told = {"ok": True, **decide(json.loads(line))}
        except Exception as error:  # any refusal or failure is reported, and the soak goes on
            code = getattr(error, "code", type(error).__name__)
            told = {"ok": False, "code": str(code), "message": str(error)[:300]}
        print(json.dumps(told), flush=True)


def decide(asked: dict[str, Any]) -> dict[str, Any]:
    """One decision. Raises what the services raise."""
    from django.utils import timezone

    from accounts.models import User
    from games.kinds import table_void, void_case
    from ledger.services.limits import stakes_resume, stakes_stop
    from ledger.services.proposals import proposal_confirm

    actor = User.objects.get(pk=asked["actor"])
    now = timezone.now()
    match asked["do"]:
        case "void":
            reference = f"match:{asked['match']}"
            wish = {"actor": actor, "reason": "soak", "verified_at": now}
            shown = void_case(reference).effect().shown
            return {"proposal": table_void(reference=reference, shown=shown, **wish)}
        case "adjudicate":
            return {"proposal": adjudicate(asked["match"], asked["seat"], actor, now)}
        case "confirm":
            proposal_confirm(proposal_id=asked["proposal"], actor=actor, verified_at=now)
        case "approve" | "take" | "settle" | "decline" as verb:
            pay(verb, {"payout_id": asked["payout"], "actor": actor, "verified_at": now})
        case "adjust" | "book":
            adjust(asked, actor, now)
        case "stop":
            stakes_stop(scope=asked["scope"], actor=actor, reason="soak")
        case "resume":
            stakes_resume(scope=asked["scope"], actor=actor, reason="soak")
    return {}


def pay(verb: str, step: dict[str, Any]) -> None:
    """One step of a payout. Raises what the services raise."""
    from ledger.services.payouts import payout_approve, payout_claim, payout_decline, payout_settle

    match verb:
        case "approve":
            payout_approve(**step)
        case "take":
            payout_claim(**step)
        case "settle":
            payout_settle(**step, receipt="soak 1")
        case "decline":
            payout_decline(**step, reason="soak")


def adjust(asked: dict[str, Any], actor: Any, now: Any) -> None:
    """Propose an adjustment, or book one that waits. Raises what the services raise."""
    from accounts.models import User
    from ledger.services.adjustments import adjustment_make
    from ledger.services.proposals import proposal_confirm

    if asked["do"] == "book":
        proposal_confirm(proposal_id=asked["adjustment"], actor=actor, verified_at=now)
        return
    adjustment_make(
        actor=actor,
        user=User.objects.get(pk=asked["player"]),
        amount_cents=asked["cents"],
        reason="soak",
        client_key=asked["key"],
        verified_at=now,
    )


def adjudicate(match_id: str, seat: int, actor: Any, now: Any) -> Any:
    """Give a seat the first result it can still have."""
    from games.models import Match
    from games.selectors import table_state
    from games.services.match_decisions import MatchCase, match_adjudicate
    from games.table.verdict import possible_verdicts

    state = table_state(Match.objects.select_related("table").get(pk=match_id).table)
    verdict = next(it for it in possible_verdicts(state) if it.winner == seat)
    shown = MatchCase(match_id, verdict=verdict).effect().shown
    return match_adjudicate(
        match_id=match_id,
        verdict=verdict,
        actor=actor,
        reason="soak",
        shown=shown,
        verified_at=now,
    )


if __name__ == "__main__":
    main()
