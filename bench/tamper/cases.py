"""Attempts at decisions about people: cases, opinions, bars, holds, reports and what was measured."""

# ruff: noqa: E501 (a change stands in one line where it can)

from typing import Any, Final

Tried = dict[str, str | tuple[str, ...]]

_CASE: Final = "(SELECT id FROM fairplay_case WHERE state = '{0}' ORDER BY id LIMIT 1)"
_OPEN, _DECIDED, _CLEARED, _APPEALED = (
    _CASE.format(state) for state in ("open", "decided", "cleared", "appealed")
)
_ACCUSED: Final = (
    f"(SELECT min(user_id) FROM fairplay_party WHERE case_id = {_OPEN} AND role = 'accused')"
)


def _opinion(case: str, number: int, reviewer: str, sanction: str = "closed") -> str:
    return (
        "INSERT INTO fairplay_opinion (case_id, number, reviewer_id, sanction, refund, for_them, reasons, made_at)"
        f" VALUES ({case}, {number}, {reviewer}, '{sanction}', false, 'x', 'x', now())"
    )


def _entry(actor: str, verb: str, subject: str, after: str) -> str:
    return (
        "INSERT INTO ledger_journalentry (actor_id, verb, subject, before, after, reason)"
        f" VALUES ({actor}, '{verb}', {subject}, '{{{{}}}}', {after}, 'x')"
    )


def _bar(user: str, kind: str, reference: str, ends_at: str = "NULL", other: str = "NULL") -> str:
    return (
        "INSERT INTO games_bar (user_id, other_id, kind, reference, placed_at, ends_at)"
        f" VALUES ({user}, {other}, '{kind}', {reference}, now(), {ends_at})"
    )


def _hold(user: str, reference: str, ends_at: str) -> str:
    return (
        "INSERT INTO ledger_hold (user_id, reference, amount_cents, reason_class, ends_at, release_reason)"
        f" VALUES ({user}, {reference}, 100, 'dump', {ends_at}, '')"
    )


_LAPSED: Final = "closed_at = now(), waits_until = NULL"
_NEW_CASE: Final = (
    "INSERT INTO fairplay_case (kind, state, priority, opened_at, opened_by_id, evidence, held_until, waits_until,"
    " sanction, refund, appealed) VALUES ('dump', 'open', 1, now(), {0}, '{1}', now() + interval '72 hours',"
    " now() + interval '14 days', 'none', false, false)"
)
_NEW_PARTY: Final = "INSERT INTO fairplay_party (case_id, user_id, role) SELECT max(id), {victim}, 'accused' FROM fairplay_case"

APPLICATION: Final[Tried] = {
    "a verdict in two names": (
        _opinion(_OPEN, 1, "{anna}"),
        _opinion(_OPEN, 2, "{bert}"),
        f"UPDATE fairplay_case SET state = 'decided', sanction = 'closed', decided_at = now() WHERE id = {_OPEN}",
    ),
    "an opinion": _opinion(_OPEN, 1, "{anna}"),
    "an opinion of somebody without the right": _opinion(_OPEN, 1, "{thief}"),
    "the hearing of an appeal": _opinion(_APPEALED, 3, "(SELECT id FROM accounts_user WHERE username = 'ida')", "none"),
    "an opinion changed": "UPDATE fairplay_opinion SET sanction = 'none'",
    "an opinion deleted": "DELETE FROM fairplay_opinion",
    "an opinion set aside": (
        "UPDATE fairplay_opinion SET number = 0 WHERE number = 2",
        _entry("{anna}", "case.set_aside", f"'case:' || {_DECIDED}", f"(SELECT jsonb_build_object('opinion', id) FROM fairplay_opinion WHERE case_id = {_DECIDED} AND number = 0)"),
    ),
    "a case cleared": f"UPDATE fairplay_case SET state = 'cleared', {_LAPSED}, decided_at = now() WHERE id = {_OPEN}",
    "a case that lapses early": f"UPDATE fairplay_case SET state = 'lapsed', {_LAPSED} WHERE id = {_OPEN}",
    "a decision that is final early": f"UPDATE fairplay_case SET state = 'confirmed', {_LAPSED} WHERE id = {_DECIDED}",
    "an appeal granted early": f"UPDATE fairplay_case SET state = 'cleared', sanction = 'none', refund = false, {_LAPSED} WHERE id = {_APPEALED}",
    "an appeal in somebody's name without a word": f"UPDATE fairplay_case SET state = 'appealed', appealed = true WHERE id = {_DECIDED}",
    "a milder verdict": f"UPDATE fairplay_case SET sanction = 'warning' WHERE id = {_DECIDED}",
    "a verdict without its refund": f"UPDATE fairplay_case SET refund = false WHERE id = {_DECIDED}",
    "a deadline brought forward": f"UPDATE fairplay_case SET waits_until = now() WHERE id = {_OPEN}",
    "a hold of a case made longer": f"UPDATE fairplay_case SET held_until = held_until + interval '9 days' WHERE id = {_OPEN}",
    "the evidence of a case": f"UPDATE fairplay_case SET evidence = '[1]' WHERE id = {_DECIDED}",
    "who opened a case": f"UPDATE fairplay_case SET opened_by_id = {{bert}} WHERE id = {_OPEN}",
    "a case that nobody opened": (_NEW_CASE.format("{anna}", "[]"), _NEW_PARTY),
    "a case without an alarm": (_NEW_CASE.format("NULL", '[{{"key": "net"}}]'), _NEW_PARTY),
    "a case without reports": (_NEW_CASE.format("NULL", '[{{"key": "reports"}}]'), _NEW_PARTY),
    "a case without anybody": _NEW_CASE.format("NULL", "[]"),
    "a case deleted": f"DELETE FROM fairplay_case WHERE id = {_CLEARED}",
    "somebody more under suspicion": f"UPDATE fairplay_case SET priority = priority WHERE id = {_OPEN}; INSERT INTO fairplay_party (case_id, user_id, role) VALUES ({_DECIDED}, {{victim}}, 'accused')",
    "somebody no longer under suspicion": f"UPDATE fairplay_party SET role = 'affected' WHERE case_id = {_OPEN}",
    "a party deleted": f"DELETE FROM fairplay_party WHERE case_id = {_OPEN}",
    "a match taken back in the row alone": "UPDATE fairplay_casematch SET refunded_at = now(), refunded_by_id = {anna}",
    "a match of others in a case": (
        f"INSERT INTO fairplay_casematch (case_id, match_id) SELECT {_OPEN}, m.id FROM games_match m WHERE NOT EXISTS (SELECT FROM fairplay_party p"
        f" WHERE p.case_id = {_OPEN} AND p.user_id IN (m.player_0_id, m.player_1_id)) LIMIT 1"
    ),
    "a match out of a case": f"DELETE FROM fairplay_casematch WHERE case_id = {_OPEN}",
    "a statement of somebody else": f"INSERT INTO fairplay_statement (case_id, user_id, text, is_appeal, made_at) VALUES ({_OPEN}, {{victim}}, 'I did it', false, now())",
    "a statement changed": "UPDATE fairplay_statement SET text = 'I did it'",
    "a statement deleted": "DELETE FROM fairplay_statement",
    "a sanction lifted": "UPDATE games_bar SET lifted_at = now() WHERE reference LIKE '%:sanction'",
    "a sanction that ends": "UPDATE games_bar SET ends_at = now() WHERE reference LIKE '%:sanction'",
    "a sanction deleted": "DELETE FROM games_bar WHERE reference LIKE '%:sanction'",
    "a sanction of an innocent": _bar("{victim}", "lobby", f"'case:' || {_DECIDED} || ':sanction'"),
    "a sanction before a verdict": _bar(_ACCUSED, "lobby", f"'case:' || {_OPEN} || ':sanction'"),
    "a sanction of no case": _bar("{victim}", "lobby", "'case:999:sanction'"),
    "a stricter sanction than decided": _bar(f"(SELECT min(user_id) FROM fairplay_party WHERE case_id = {_DECIDED})", "lobby", f"'case:' || {_DECIDED} || ':sanction'"),
    "a bar by a word of one's own": _bar("{victim}", "lobby", "'house:1'"),
    "a pause without leaving": _bar("{victim}", "lobby", "'leaver:999'", "now() + interval '9 days'"),
    "a pause lifted": "UPDATE games_bar SET lifted_at = now() WHERE reference LIKE 'leaver:%'",
    "a pause made longer": "UPDATE fairplay_pause SET ends_at = ends_at + interval '9 days'",
    "a pause deleted": "DELETE FROM fairplay_pause",
    "a pause of somebody who left nothing": (
        "INSERT INTO fairplay_pause (user_id, step, faults, matches, placed_at, ends_at)"
        " VALUES ({victim}, 5, 9, 9, now(), now() + interval '24 hours')"
    ),
    "a hold released": "UPDATE ledger_hold SET released_at = now(), release_reason = 'cleared' WHERE reference LIKE 'case:' || " + _OPEN + " || ':%'",
    "a hold made longer": "UPDATE ledger_hold SET ends_at = ends_at + interval '9 days' WHERE reference LIKE 'case:' || " + _OPEN + " || ':%'",
    "a hold of an innocent": _hold("{victim}", f"'case:' || {_OPEN} || ':x'", "now() + interval '1 hour'"),
    "a hold of more than was won": (
        "INSERT INTO ledger_hold (user_id, reference, amount_cents, reason_class, ends_at, release_reason) SELECT user_id,"
        f" replace(reference, split_part(reference, ':', 2), {_OPEN}::text), 99999, 'dump', now() + interval '1 hour', ''"
        f" FROM ledger_hold h WHERE EXISTS (SELECT FROM fairplay_party p WHERE p.case_id = {_OPEN} AND p.user_id = h.user_id"
        " AND p.role = 'accused') AND NOT EXISTS (SELECT FROM ledger_hold o WHERE o.user_id = h.user_id AND o.reference ="
        f" replace(h.reference, split_part(h.reference, ':', 2), {_OPEN}::text)) LIMIT 1"
    ),
    "a hold for longer than 72 hours": _hold(_ACCUSED, f"'case:' || {_OPEN} || ':x'", "now() + interval '9 days'"),
    "a hold for no case": _hold("{victim}", "'case:999:x'", "now() + interval '1 hour'"),
    "two people by nobody's word": (
        "INSERT INTO accounts_acquaintance (one_id, other_id, confirmed_by_id, confirmed_at)"
        " VALUES (least({victim}, {thief}), greatest({victim}, {thief}), {anna}, now())"
    ),
    "two people no longer": "UPDATE accounts_acquaintance SET ended_at = now()",
    "two people deleted": "DELETE FROM accounts_acquaintance",
    "a journal entry of two people no longer": _entry("{anna}", "links.end", "'user:' || (SELECT one_id FROM accounts_acquaintance LIMIT 1)", "(SELECT jsonb_build_object('other', other_id) FROM accounts_acquaintance LIMIT 1)"),
    "a screening's result": "UPDATE fairplay_screening SET level = 'clear', score = 0",
    "a screening's facts": "UPDATE fairplay_screening SET facts = '{{}}', reasons = '[]'",
    "a screening deleted": "DELETE FROM fairplay_screening",
    "a screening of nothing": (
        "INSERT INTO fairplay_screening (reference, stage, level, score, reasons, facts, made_at)"
        " VALUES ('match:0d4f7c7a-4f0c-4f0a-9d0e-5a0d6a3f0404', 'known', 'clear', 0, '[]', '{{}}', now())"
    ),
    "a wait that is over": "UPDATE fairplay_wait SET over_at = now()",
    "a wait made longer": "UPDATE fairplay_wait SET until = until + interval '9 days'",
    "a wait deleted": "DELETE FROM fairplay_wait",
    "a report changed": "UPDATE fairplay_complaint SET reason = 'dump'",
    "a report answered": "UPDATE fairplay_complaint SET outcome = 'confirmed', decided_at = now()",
    "a report deleted": "DELETE FROM fairplay_complaint",
    "a report about a stranger": (
        "INSERT INTO fairplay_complaint (reporter_id, accused_id, match_id, reason, words, made_at, outcome)"
        " SELECT {thief}, {victim}, id, 'dump', '', now(), '' FROM games_match WHERE ended_at IS NOT NULL LIMIT 1"
    ),
    "conduct cleaned": "UPDATE fairplay_conduct SET fault = ''",
    "conduct deleted": "DELETE FROM fairplay_conduct",
    "conduct in a match that goes on": (
        "INSERT INTO fairplay_conduct (user_id, match_id, fault, at) SELECT player_0_id, id, 'left', now()"
        " FROM games_match WHERE ended_at IS NULL LIMIT 1"
    ),
    "a journal entry of an opinion that was not given": _entry("{anna}", "case.opinion", f"'case:' || {_OPEN}", "'{{\"opinion\": 999}}'"),
    "a journal entry of a refund": _entry("{anna}", "case.refund", f"'case:' || {_DECIDED}", "'{{\"match\": \"x\"}}'"),
}  # fmt: skip

#: what the application's role can do as if a person had, or a machine had found it (docs/security.md).
NAMED: Final[Tried] = {
    "an opinion together with its journal entry": (
        _opinion(_OPEN, 1, "{anna}"),
        _entry("{anna}", "case.opinion", f"'case:' || {_OPEN}", "jsonb_build_object('opinion', (SELECT max(id) FROM fairplay_opinion))"),
    ),
    "a statement in the name of somebody under suspicion": f"INSERT INTO fairplay_statement (case_id, user_id, text, is_appeal, made_at) VALUES ({_OPEN}, {_ACCUSED}, 'I did it', false, now())",
    "a screening with invented facts": (
        "INSERT INTO fairplay_screening (reference, stage, level, score, reasons, facts, made_at) SELECT 'match:' || m.id, 'analysed',"
        " 'clear', 0, '[]', '{{}}', now() FROM games_match m WHERE m.ended_at IS NOT NULL AND NOT EXISTS (SELECT FROM fairplay_screening s"
        " WHERE s.reference = 'match:' || m.id AND s.stage = 'analysed') LIMIT 1"
    ),
    "a case by figures that no analysis found": (
        _NEW_CASE.format("NULL", '[{{"key": "play_pr", "here": 1}}]'),
        _NEW_PARTY,
    ),
}  # fmt: skip

UNGUARDED: Final[Tried] = {
    "amount of a hold": "UPDATE ledger_hold SET amount_cents = amount_cents + 1",
    "opinion of a reviewer": "UPDATE fairplay_opinion SET sanction = 'none'",
    "an opinion set aside": f"UPDATE fairplay_opinion SET number = 0 WHERE case_id = {_DECIDED} AND number = 2",
    "reasons of an opinion": "UPDATE fairplay_opinion SET for_them = 'x'",
    "an opinion that is gone": f"DELETE FROM fairplay_opinion WHERE case_id = {_DECIDED} AND number = 2",
    "verdict of a case": f"UPDATE fairplay_case SET sanction = 'warning' WHERE id = {_DECIDED}",
    "deadline of a case": f"UPDATE fairplay_case SET waits_until = now() WHERE id = {_OPEN}",
    "party of a case": f"UPDATE fairplay_party SET user_id = {{victim}} WHERE id = (SELECT min(id) FROM fairplay_party WHERE case_id = {_OPEN})",
    "statement in a case": "UPDATE fairplay_statement SET text = 'I did it'",
    "a statement that is gone": "DELETE FROM fairplay_statement",
    "kind of a bar": "UPDATE games_bar SET kind = 'stakes' WHERE kind = 'lobby'",
    "a bar that is gone": "DELETE FROM games_bar WHERE reference LIKE '%:sanction'",
    "a hold that is gone": "DELETE FROM ledger_hold",
    "an acquaintance": "UPDATE accounts_acquaintance SET confirmed_by_id = {bert}",
    "a screening": "UPDATE fairplay_screening SET level = 'clear', score = 0",
    "facts of a screening": "UPDATE fairplay_screening SET facts = '{{\"x\": 1}}'",
    "a screening that is gone": "DELETE FROM fairplay_screening",
    "time of a screening": "UPDATE fairplay_screening SET made_at = made_at - interval '1 year'",
    "a wait": "UPDATE fairplay_wait SET until = now()",
    "outcome of a report": "UPDATE fairplay_complaint SET outcome = 'confirmed', decided_at = now()",
    "a report that is gone": "DELETE FROM fairplay_complaint",
    "a pause": "UPDATE fairplay_pause SET ends_at = now()",
    "a pause that is gone": "DELETE FROM fairplay_pause",
    "fault in a conduct": "UPDATE fairplay_conduct SET fault = '' WHERE fault <> ''",
    "conduct that is gone": "DELETE FROM fairplay_conduct WHERE id = (SELECT min(id) FROM fairplay_conduct WHERE fault <> '')",
}  # fmt: skip

GUARDED: Final[Tried] = {
    "an opinion while its guard is off": (
        "ALTER TABLE fairplay_opinion DISABLE TRIGGER row_reasoned",
        _opinion(_OPEN, 1, "{anna}"),
        "SET CONSTRAINTS ALL IMMEDIATE",
        "ALTER TABLE fairplay_opinion ENABLE TRIGGER row_reasoned",
    ),
    "a deadline while its guard is off": (
        "ALTER TABLE fairplay_case DISABLE TRIGGER row_reasoned",
        f"UPDATE fairplay_case SET waits_until = now() WHERE id = {_OPEN}",
        "ALTER TABLE fairplay_case ENABLE TRIGGER row_reasoned",
    ),
    "a statement while its rules are off": (
        "ALTER TABLE fairplay_statement DISABLE TRIGGER row_ruled",
        "UPDATE fairplay_statement SET text = 'I did it'",
        "SET CONSTRAINTS ALL IMMEDIATE",
        "ALTER TABLE fairplay_statement ENABLE TRIGGER row_ruled",
    ),
    "a hold released while its guard is off": (
        "ALTER TABLE ledger_hold DISABLE TRIGGER row_reasoned",
        "UPDATE ledger_hold SET released_at = now(), release_reason = 'x' WHERE released_at IS NULL",
        "ALTER TABLE ledger_hold ENABLE TRIGGER row_reasoned",
    ),
    "a reason that is always there": (
        "CREATE OR REPLACE FUNCTION reason_fairplay_case(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text"
        " LANGUAGE sql STABLE AS 'SELECT NULL::text'"
    ),
    "an obligation that is always met": (
        "CREATE OR REPLACE FUNCTION owed_case_opinion(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE"
        " AS 'SELECT NULL::text'"
    ),
}  # fmt: skip


def cases_judged(anna: Any, bert: Any) -> None:
    """One case in every state that lasts, a pause, a report, two people who are two, and waits."""
    from django.utils import timezone

    from accounts.models import User
    from fairplay.cases import Alarm, case_open
    from fairplay.complaints import complaint_make
    from fairplay.leavers import conduct_note_ended
    from fairplay.links import two_people_confirm
    from fairplay.models import CaseKind, Pause, Wait
    from fairplay.procedure import Sanction
    from fairplay.reviews import appeal_make, statement_make
    from fairplay.screening import results_screen
    from games.models import Match
    from harness.wallets import credits_bought, handed_over, judged, mailbox_proved

    giver, taker, other = (User.objects.create_user(name) for name in ("giver", "taker", "other"))
    for player in (giver, taker, other):
        mailbox_proved(player)
        credits_bought(player, 5_000)
    left = [handed_over(giver, taker) for _ in range(6)]
    left.append(handed_over(other, taker))
    results_screen()
    conduct_note_ended()
    assert Pause.objects.exists()
    assert Wait.objects.filter(over_at=None).exists()
    complaint_make(match=left[0], reporter=taker, reason="conduct", words="They left.")
    two_people_confirm(
        one=giver, other=other, actor=anna, reason="brothers", verified_at=timezone.now()
    )

    def opened(kind: CaseKind, match: Match) -> Any:
        held = {(match.reference, taker.pk): 100}
        alarm = Alarm(
            kind, frozenset(match.players), [], [match], winnings_cents=held, pair=match.players
        )
        return case_open(alarm)

    opened(CaseKind.EVASION, left[0])
    for kind, sanction in (
        (CaseKind.ENGINE, Sanction.NO_STAKES),
        (CaseKind.CONDUCT, Sanction.NONE),
    ):
        for reviewer in (anna, bert):
            judged(opened(kind, left[1]), reviewer, sanction)
    appealed = opened(CaseKind.CONDUCT, left[-1])
    statement_make(case_id=appealed.pk, user=other, text="I had to go.")
    for reviewer in (anna, bert):
        judged(appealed, reviewer, Sanction.NO_RATED)
    appeal_make(case_id=appealed.pk, user=other, text="Please look again.")
