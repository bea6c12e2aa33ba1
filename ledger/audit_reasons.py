"""The checks of what stands behind the books, A16 to A18: rows for transfers, transfers for rows,
and the journal for both. Each is one query whose rows are the findings, as in `audit_books`.

Transfers of matches are checked by the app of the matches.
"""

from functools import partial

from django.utils.translation import gettext_noop

from ledger.audit import register
from ledger.audit_books import rows_found, rows_in_turns, rows_since

_QUERIES: dict[str, tuple[str, str]] = {
    "A16": (
        gettext_noop("Every transfer has a row that justifies it"),
        """
        SELECT 'transfer ' || t.id || ' ' || t.key, 'a ' || t.kind || ' that ' || fault
        FROM ledger_transfer t CROSS JOIN LATERAL ledger_unjustified(t) fault
        WHERE t.id > %(since)s AND fault IS NOT NULL
        AND t.kind NOT IN
            ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'correct')
        """,
    ),
    "A17": (
        gettext_noop(
            "Every welcome and warrant was booked, vouchers and adjustments stand in the journal"
        ),
        """
        SELECT 'welcome of user ' || w.user_id, 'was never booked' FROM ledger_welcome w
        WHERE NOT EXISTS (
            SELECT FROM ledger_transfer t WHERE t.key = 'promo:welcome:' || w.user_id)
        UNION ALL
        SELECT 'warrant ' || w.id || ' ' || w.key, 'was never booked' FROM ledger_warrant w
        WHERE NOT EXISTS (SELECT FROM ledger_transfer t WHERE t.key = w.key)
        UNION ALL
        SELECT 'voucher ' || v.id, 'stands in no journal entry of user ' || v.made_by_id
        FROM ledger_voucher v WHERE NOT EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.verb = 'voucher.make'
            AND j.actor_id = v.made_by_id AND j.after -> 'ids' @> to_jsonb(v.id)
            AND (j.after ->> 'amount_cents')::bigint = v.amount_cents)
        UNION ALL
        SELECT 'voucher ' || v.id, 'was revoked, and the journal does not say by whom'
        FROM ledger_voucher v WHERE v.revoked_by_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.subject = 'voucher:' || v.id
            AND j.verb = 'voucher.revoke' AND j.actor_id = v.revoked_by_id)
        UNION ALL
        SELECT 'voucher ' || v.id, 'needs a second person, and user '
               || coalesce(v.confirmed_by_id::text, 'nobody')
               || ' did not confirm it in the journal'
        FROM ledger_voucher v
        WHERE (v.confirmed_by_id IS NOT NULL OR NOT v.alone AND v.redeemed_by_id IS NOT NULL)
        AND NOT EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.verb = 'proposal.confirm'
            AND j.actor_id = v.confirmed_by_id AND j.after ->> 'kind' = 'voucher.confirm'
            AND j.after -> 'ids' @> to_jsonb(v.id)
            AND (j.after ->> 'amount_cents')::bigint = v.amount_cents)
        UNION ALL
        SELECT 'adjustment ' || a.id, 'is booked, and user ' || said.person
               || ' did not say so in the journal'
        FROM ledger_adjustment a CROSS JOIN LATERAL (VALUES
            ('adjustment.give', 'adjustment:' || a.id,
             coalesce(a.confirmed_by_id, a.proposed_by_id)),
            ('proposal.make', 'user:' || a.user_id, a.proposed_by_id),
            ('proposal.confirm', 'user:' || a.user_id, a.confirmed_by_id))
            AS said(verb, subject, person)
        WHERE (said.verb = 'adjustment.give' OR a.proposal_id IS NOT NULL) AND NOT EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.verb = said.verb
            AND j.subject = said.subject AND j.actor_id = said.person
            AND (j.after ->> 'proposal')::bigint IS NOT DISTINCT FROM a.proposal_id
            AND (j.after ->> 'amount_cents')::bigint = a.amount_cents)
        """,
    ),
    "A18": (
        gettext_noop("Every payout has the steps and the journal entries that led to it"),
        """
        SELECT 'payout ' || p.id, 'is ' || p.state || ', and has no step ' || step.state
               || ' by user ' || coalesce(step.person::text, 'nobody')
        FROM ledger_payout p CROSS JOIN LATERAL (VALUES
            ('requested', p.user_id, true),
            ('approved', p.approved_by_id, p.approved_at IS NOT NULL),
            (p.state, p.closed_by_id, p.closed_at IS NOT NULL)) AS step(state, person, taken)
        WHERE step.taken AND NOT EXISTS (
            SELECT FROM ledger_payoutstep s WHERE s.payout_id = p.id AND s.state = step.state
            AND s.actor_id = step.person
            AND (s.state <> p.state OR s.reason = p.reason))
        UNION ALL
        SELECT 'payout ' || p.id, 'is ' || p.state || ', and user ' || step.person
               || ' did not say ' || step.state || ' in the journal'
        FROM ledger_payout p CROSS JOIN LATERAL (VALUES
            ('approved', p.approved_by_id), (p.state, p.closed_by_id)) AS step(state, person)
        WHERE step.person IS NOT NULL AND step.person <> p.user_id AND NOT EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.subject = 'payout:' || p.id
            AND j.verb = 'payout.' || step.state AND j.actor_id = step.person)
        UNION ALL
        SELECT 'payout ' || p.id, 'is ' || p.state || ', and nobody said in steps and journal that'
               || ' user ' || p.claimed_by_id || ' took it'
        FROM ledger_payout p
        WHERE p.claimed_at IS NOT NULL AND NOT (EXISTS (
            SELECT FROM ledger_payoutstep s WHERE s.payout_id = p.id AND s.state = 'paying')
            AND EXISTS (
            SELECT FROM ledger_journalentry j WHERE j.subject = 'payout:' || p.id
            AND j.verb IN ('payout.paying', 'payout.taken_over') AND j.actor_id = p.claimed_by_id))
        UNION ALL
        SELECT 'payout ' || p.id, 'has a receipt that its last step does not name'
        FROM ledger_payout p WHERE p.receipt <> '' AND NOT EXISTS (
            SELECT FROM ledger_payoutstep s WHERE s.payout_id = p.id AND s.state = p.state
            AND strpos(s.reason, p.receipt) > 0)
        UNION ALL
        SELECT 'step ' || s.id || ' of payout ' || s.payout_id, 'says ' || s.state
               || ', and its payout never was'
        FROM ledger_payoutstep s JOIN ledger_payout p ON p.id = s.payout_id
        WHERE NOT EXISTS (  -- it went back to be approved again
            SELECT FROM ledger_payoutstep b WHERE b.payout_id = s.payout_id
            AND b.state = 'requested' AND b.id > s.id)
          AND CASE WHEN s.state = 'approved' THEN p.approved_at IS NULL
                   WHEN s.state = 'paying' THEN p.claimed_at IS NULL
                   WHEN s.state IN ('paid', 'declined', 'cancelled', 'failed')
                   THEN s.state <> p.state END
        """,
    ),
}


def register_reasons() -> None:
    """Register all of them; A17 and A18 read few rows, so every audit runs them in full."""
    for code, (title, query) in _QUERIES.items():
        turns = partial(rows_in_turns, query) if code == "A16" else None
        whole = partial(rows_found, query, since=0)
        register(code, title, whole, partial(rows_since, query), turns)
