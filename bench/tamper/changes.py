"""The attempts: by a superuser of the database who switches every trigger off, by one who does
not, and by the application's own role. `{name}` stands for a fact of the house (trial.py)."""

# ruff: noqa: E501 (a change stands in one line where it can)

from dataclasses import dataclass
from typing import Final

from bench.tamper import cases, chouettes, packs, people, tournaments

#: the actor of the attempt
UNGUARDED: Final = "superuser, triggers off"
GUARDED: Final = "superuser"
APPLICATION: Final = "application"


@dataclass(frozen=True, slots=True)
class Change:
    """One attempt: the actor, a description, and the statements."""

    who: str
    name: str
    statements: tuple[str, ...]


def _all(who: str, tried: dict[str, str | tuple[str, ...]]) -> tuple[Change, ...]:
    return tuple(
        Change(who, name, (said,) if isinstance(said, str) else said)
        for name, said in tried.items()
    )


_RESULT = "(SELECT id FROM games_match WHERE ending = '{0}' AND stake_cents {1} 0 LIMIT 1)"
_LEFT = "(SELECT id FROM games_match WHERE ending = 'left' AND winner_seat IS NOT NULL LIMIT 1)"
_EVENT = "(SELECT id FROM games_tableevent WHERE type = '{0}' ORDER BY id LIMIT 1)"
_RELABEL = (
    "UPDATE games_tableevent SET payload = jsonb_set(payload, '{{ending}}', '\"resigned\"')"
    " WHERE type = 'match_ended' AND payload ->> 'ending' = 'left'"
)
_RESEAL = (
    "DELETE FROM ledger_seal",
    "SELECT ledger_seal_append(s, 9223372036854775807) FROM ledger_streams() s",
)
_DICE_ORDER = (
    "UPDATE games_dicelogentry SET number = -number",
    "UPDATE games_dicelogentry SET number = 1 + (SELECT count(*) FROM games_dicelogentry) + number",
)

UNGUARDED_CHANGES = _all(
    UNGUARDED,
    {
        # --- payouts
        "destination of a payout": "UPDATE ledger_payout SET destination = 'MINE' WHERE state = 'approved'",
        "destination of a paid payout": "UPDATE ledger_payout SET destination = 'MINE' WHERE state = 'paid'",
        "receipt of a payout": "UPDATE ledger_payout SET receipt = 'SEPA 1' WHERE state = 'paid'",
        "reason of a payout": "UPDATE ledger_payout SET reason = 'fine' WHERE state = 'declined'",
        "note of a payout": "UPDATE ledger_payout SET note = 'asked for it'",
        "time of a request": "UPDATE ledger_payout SET requested_at = requested_at - interval '2 days'",
        "time of an approval": "UPDATE ledger_payout SET approved_at = approved_at - interval '1 hour'",
        "end of the waiting time": "UPDATE ledger_payout SET not_before = not_before - interval '1 day'",
        "time of a payment": "UPDATE ledger_payout SET closed_at = closed_at - interval '1 hour'",
        "four eyes switched off": "UPDATE ledger_payout SET four_eyes = false WHERE state = 'approved'",
        "approver of a payout": "UPDATE ledger_payout SET approved_by_id = {bert} WHERE state = 'approved'",
        "who settled a payout": "UPDATE ledger_payout SET closed_by_id = {anna} WHERE state = 'paid'",
        "amount of a payout": "UPDATE ledger_payout SET amount_cents = 9900 WHERE state = 'requested'",
        "player of a payout": "UPDATE ledger_payout SET user_id = {thief} WHERE state = 'requested'",
        "state of a payout": (
            "UPDATE ledger_payout SET state = 'approved', approved_by_id = {anna},"
            " approved_at = now() WHERE state = 'requested'"
        ),
        "steps of a payout": "DELETE FROM ledger_payoutstep WHERE state = 'approved'",
        "reason of a step": "UPDATE ledger_payoutstep SET reason = 'x' WHERE state = 'declined'",
        "actor of a step": "UPDATE ledger_payoutstep SET actor_id = {bert} WHERE state = 'approved'",
        "a payout that is gone": (
            "DELETE FROM ledger_payoutstep WHERE payout_id = (SELECT min(id) FROM ledger_payout)",
            "DELETE FROM ledger_payout WHERE id = (SELECT min(id) FROM ledger_payout)",
        ),
        # --- vouchers and adjustments
        "a voucher inserted": (
            "INSERT INTO ledger_voucher (code_digest, hint, amount_cents, note, made_by_id, alone)"
            " VALUES (sha256('mine'), 'MINE', 100000, 'x', {anna}, true)"
        ),
        "amount of a voucher": "UPDATE ledger_voucher SET amount_cents = 90000 WHERE redeemed_by_id IS NULL",
        "maker of a voucher": "UPDATE ledger_voucher SET made_by_id = {bert} WHERE alone",
        "a revoked voucher revived": "UPDATE ledger_voucher SET revoked_by_id = NULL, revoked_at = NULL",
        "a voucher that needs nobody else": (
            "UPDATE ledger_voucher SET alone = true WHERE NOT alone AND confirmed_by_id IS NULL"
        ),
        "a voucher confirmed by nobody else": (
            "UPDATE ledger_voucher SET confirmed_by_id = {bert}, confirmed_at = now()"
            " WHERE NOT alone AND confirmed_by_id IS NULL"
        ),
        "the confirmer of a voucher": (
            "UPDATE ledger_voucher SET confirmed_by_id = {thief} WHERE confirmed_by_id IS NOT NULL"
        ),
        "a voucher that expires later": "UPDATE ledger_voucher SET expires_at = now() + interval '9 years'",
        "an adjustment booked alone": (
            "UPDATE ledger_adjustment SET proposal_id = NULL, confirmed_by_id = NULL"
            " WHERE confirmed_by_id IS NOT NULL"
        ),
        "reason of an adjustment": "UPDATE ledger_adjustment SET reason = 'x' WHERE proposal_id IS NULL",
        "amount of a proposal": (
            "UPDATE ledger_proposal SET content = jsonb_set(content, '{{amount_cents}}', '1')"
            " WHERE state = 'waiting' AND kind = 'adjustment.give'"
        ),
        "a refusal turned round": (
            "UPDATE ledger_proposal SET state = 'done' WHERE state = 'refused' AND kind = 'adjustment.give'"
        ),
        # --- people
        "a self-exclusion deleted": "DELETE FROM ledger_playpause WHERE kind = 'exclusion'",
        "a self-exclusion shortened": "UPDATE ledger_playpause SET ends_at = now() WHERE kind = 'exclusion'",
        "a limit deleted": "DELETE FROM ledger_playlimit",
        "a limit widened": "UPDATE ledger_playlimit SET amount_cents = 99999999",
        "a freeze flipped": "UPDATE ledger_account SET frozen = NOT frozen WHERE owner_id = {frozen}",
        "another wallet frozen": "UPDATE ledger_account SET frozen = true WHERE owner_id = {thief}",
        "a stop lifted": "DELETE FROM ledger_stakesstop",
        "a role given": (
            "INSERT INTO accounts_user_groups (user_id, group_id)"
            " SELECT {thief}, id FROM auth_group WHERE name = 'administrator'"
        ),
        "a role taken": "DELETE FROM accounts_user_groups WHERE user_id = {anna}",
        "a right of one's own": (
            "INSERT INTO accounts_user_user_permissions (user_id, permission_id)"
            " SELECT {thief}, id FROM auth_permission WHERE codename = 'decide_payout'"
        ),
        "a right for a group": (
            "INSERT INTO auth_group_permissions (group_id, permission_id) SELECT g.id, p.id"
            " FROM auth_group g, auth_permission p WHERE g.name = 'moderator'"
            " AND p.codename = 'decide_payout'"
        ),
        "a superuser": "UPDATE accounts_user SET is_superuser = true, is_staff = true WHERE id = {thief}",
        "a bot that is none": "UPDATE accounts_user SET is_bot = true WHERE id = {thief}",
        "a closed account opened": "UPDATE accounts_user SET is_active = NOT is_active WHERE id = {thief}",
        "a deletion brought forward": "UPDATE accounts_accountdeletion SET due_at = asked_at + interval '1 second'",
        "a deletion withdrawn unseen": (
            "UPDATE accounts_accountdeletion SET outcome = 'kept', ended_at = now()",
            "UPDATE accounts_user SET is_active = true WHERE username = 'leaver'",
        ),
        "credits given up for another": "UPDATE accounts_accountdeletion SET given_up_cents = 99999999",
        "amount of a welcome": "UPDATE ledger_welcome SET amount_cents = 20000 WHERE user_id = {thief}",
        # --- matches, events, ratings
        "a winner swapped in events and states": (
            "UPDATE games_tableevent SET payload = jsonb_set(payload, '{{winner}}',"
            " to_jsonb(1 - (payload ->> 'winner')::int)) WHERE type IN ('match_ended', 'game_ended')"
            " AND payload ->> 'winner' IS NOT NULL",
            "UPDATE games_match SET winner_seat = 1 - winner_seat",
            "UPDATE games_table SET state = jsonb_set(state, '{{match,result,winner}}',"
            " to_jsonb(1 - (state #>> '{{match,result,winner}}')::int))"
            " WHERE state #>> '{{match,result,winner}}' IS NOT NULL",
        ),
        "a normal match reversed with its ratings": (
            "UPDATE games_tableevent SET payload = jsonb_set(payload, '{{winner}}',"
            " to_jsonb(1 - (payload ->> 'winner')::int)) WHERE type IN ('match_ended', 'game_ended')"
            " AND table_id IN (SELECT table_id FROM games_match WHERE mode = 'normal')",
            "UPDATE games_match SET winner_seat = 1 - winner_seat WHERE mode = 'normal'",
            "CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM ratings_ratingchange"
            " WHERE pool = 'normal'",
            "DELETE FROM ratings_ratingchange WHERE pool = 'normal'",
            "UPDATE kept SET user_id = opponent_id, opponent_id = user_id",
            "INSERT INTO ratings_ratingchange SELECT * FROM kept",
            "UPDATE ratings_rating r SET elo = 3000 - elo WHERE pool = 'normal'",
        ),
        "left relabelled resigned": (
            _RELABEL,
            "UPDATE games_match SET ending = 'resigned' WHERE ending = 'left'",
        ),
        "type of an event": "UPDATE games_tableevent SET type = 'play_made' WHERE id = "
        + _EVENT.format("player_left"),
        "time of an event": "UPDATE games_tableevent SET stored_at = stored_at - interval '1 day'"
        " WHERE id = " + _EVENT.format("match_ended"),
        "score in an event": (
            "UPDATE games_tableevent SET payload = jsonb_set(payload, '{{score}}', '[4, 4]')"
            " WHERE type = 'match_ended' AND payload ->> 'ending' = 'resigned'"
        ),
        "an event deleted": "DELETE FROM games_tableevent WHERE id = (SELECT max(id) FROM games_tableevent)",
        "score of a match": "UPDATE games_match SET score = '[0, 5]' WHERE ending = 'resigned'",
        "points of a match": "UPDATE games_match SET points = points + 1 WHERE ending = 'resigned'",
        "ending of a match": "UPDATE games_match SET ending = 'time_over' WHERE id = " + _LEFT,
        "beginning of a match": "UPDATE games_match SET started_at = started_at - interval '1 day'",
        "end of a match": "UPDATE games_match SET ended_at = ended_at + interval '1 hour'",
        "players of a match": "UPDATE games_match SET player_1_id = {thief} WHERE id = " + _LEFT,
        "mode of a match": "UPDATE games_match SET mode = 'match' WHERE mode = 'normal'",
        "variant of a match": "UPDATE games_match SET variant = 'nackgammon' WHERE mode = 'normal'",
        "stake of a match": "UPDATE games_match SET stake_cents = 500 WHERE stake_cents = 250",
        "terms of a match": "UPDATE games_match SET terms = jsonb_set(terms, '{{rake_bps}}', '0')",
        "rake of a match": "UPDATE games_match SET rake_cents = 0 WHERE rake_cents > 0",
        "payouts of a match": "UPDATE games_match SET paid_cents = '[0, 450]' WHERE id = " + _LEFT,
        "whether a match is rated": "UPDATE games_match SET rated = false WHERE mode = 'normal'",
        "state of a table": "UPDATE games_table SET state = jsonb_set(state, '{{phase}}', '\"over\"')",
        "opponent in the rating log": "UPDATE ratings_ratingchange SET opponent_id = {thief}",
        "worth in the rating log": "UPDATE ratings_ratingchange SET n = n + 1",
        "time in the rating log": "UPDATE ratings_ratingchange SET created = created - interval '1 day'",
        "a rating": "UPDATE ratings_rating SET elo = 2100 WHERE pool = 'prize'",
        "a rating change deleted": "DELETE FROM ratings_ratingchange WHERE pool = 'normal'",
        # --- dice
        "the public log in another order": _DICE_ORDER,
        "time of an opening": "UPDATE games_dicelogentry SET logged_at = logged_at - interval '1 day'",
        "a roll": "UPDATE games_diceroll SET dice = CASE dice WHEN '[6, 6]' THEN '[5, 5]' ELSE '[6, 6]'::jsonb END WHERE n = 1",
        "time of a roll": "UPDATE games_diceroll SET rolled_at = rolled_at - interval '1 day'",
        "a flag of a roll": "UPDATE games_diceroll SET flags = 1 - flags WHERE n = 2",
        # --- the books
        "a memo": "UPDATE ledger_transfer SET memo = 'x' WHERE kind = 'adjust'",
        "actor of a transfer": "UPDATE ledger_transfer SET actor_id = {anna} WHERE kind = 'payout_paid'",
        "fifty cents from one to another": (
            "UPDATE ledger_account SET balance_cents = balance_cents + 50 WHERE owner_id = {thief}",
            "UPDATE ledger_account SET balance_cents = balance_cents - 50 WHERE owner_id = {frozen}",
        ),
        "a transfer deleted": (
            "DELETE FROM ledger_entry WHERE transfer_id = (SELECT max(id) FROM ledger_transfer)",
            "DELETE FROM ledger_transfer WHERE id = (SELECT max(id) FROM ledger_transfer)",
        ),
        "an entry of the journal": "UPDATE ledger_journalentry SET reason = 'x'",
        "an entry of the journal deleted": (
            "DELETE FROM ledger_journalentry WHERE id = (SELECT max(id) FROM ledger_journalentry)"
        ),
        "audits deleted": "DELETE FROM ledger_auditrun",
        "an audit without findings": "UPDATE ledger_auditrun SET finding_count = 0, report = '{{}}'",
        "the log of changes": "UPDATE ledger_change SET content = NULL WHERE table_name = 'ledger_payout'",
        "a change and its version": (
            "UPDATE ledger_payout SET destination = 'MINE' WHERE state = 'approved'",
            "UPDATE ledger_change SET content = jsonb_set(content, '{{destination}}', '\"MINE\"')"
            " WHERE table_name = 'ledger_payout' AND content ->> 'state' = 'approved'",
        ),
        "a change, its version and all seals anew": (
            "UPDATE ledger_payout SET destination = 'MINE' WHERE state = 'approved'",
            "UPDATE ledger_change SET content = jsonb_set(content, '{{destination}}', '\"MINE\"')"
            " WHERE table_name = 'ledger_payout' AND content ->> 'destination' = 'DE02'",
            *_RESEAL,
        ),
        "seals deleted": "DELETE FROM ledger_seal WHERE stream = 'event'",
        "the root of a seal": "UPDATE ledger_seal SET root = sha256('x') WHERE number = 1",
        "prices": "UPDATE house_housechange SET content = jsonb_set(content, '{{rake_bps}}', '1') WHERE part = 'prices'",
    },
)  # fmt: skip

GUARDED_CHANGES = _all(
    GUARDED,
    {
        "a trigger that never fires": (
            "DROP TRIGGER refuse_change ON ledger_entry",
            "CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON ledger_entry FOR EACH ROW"
            " WHEN (1 = 0) EXECUTE FUNCTION kit_refuse()",
        ),
        "a trigger with another function": (
            "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
            "DROP TRIGGER payout_guard ON ledger_payout",
            "CREATE TRIGGER payout_guard BEFORE UPDATE ON ledger_payout FOR EACH ROW"
            " EXECUTE FUNCTION nothing()",
        ),
        "a trigger switched off": "ALTER TABLE ledger_payout DISABLE TRIGGER change_noted",
        "the log's trigger dropped": "DROP TRIGGER change_noted ON games_match",
        "a CHECK that is always true": (
            "ALTER TABLE ledger_payout DROP CONSTRAINT payout_four_eyes,"
            " ADD CONSTRAINT payout_four_eyes CHECK (true)"
        ),
        "a right on one column": "GRANT UPDATE (balance_cents) ON ledger_account TO pasch_app",
        "a function with the owner's rights": (
            "CREATE FUNCTION give() RETURNS void LANGUAGE sql SECURITY DEFINER AS"
            " 'UPDATE ledger_account SET frozen = false'"
        ),
        "a function of the books replaced": (
            "CREATE OR REPLACE FUNCTION ledger_unjustified(t ledger_transfer) RETURNS text"
            " LANGUAGE plpgsql STABLE AS 'BEGIN RETURN NULL; END'"
        ),
        "the log's function replaced": (
            "CREATE OR REPLACE FUNCTION change_note() RETURNS trigger LANGUAGE plpgsql"
            " AS 'BEGIN RETURN NULL; END'"
        ),
        "a right to write warrants": "GRANT INSERT ON ledger_warrant TO pasch_app",
        "a limit deleted, triggers on": "DELETE FROM ledger_playlimit",
        "a limit widened, triggers on": "UPDATE ledger_playlimit SET amount_cents = 99999999",
        "a voucher inserted, triggers on": (
            "INSERT INTO ledger_voucher (code_digest, hint, amount_cents, note, made_by_id, alone)"
            " VALUES (sha256('mine'), 'MINE', 100000, 'x', {anna}, true)"
        ),
        "a match decided, triggers on": "UPDATE games_match SET winner_seat = 1 - winner_seat",
        "a self-exclusion deleted, triggers on": "DELETE FROM ledger_playpause",
        "a role given, triggers on": (
            "INSERT INTO accounts_user_groups (user_id, group_id)"
            " SELECT {thief}, id FROM auth_group WHERE name = 'administrator'"
        ),
        "a superuser, triggers on": "UPDATE accounts_user SET is_superuser = true WHERE id = {thief}",
        "a freeze lifted, triggers on": "SELECT ledger_account_freeze('wallet:{frozen}', false)",
        "a grant without a warrant": (
            "SELECT ledger_post('g:1', 'grant', 'promo:x', ARRAY['promo_issue:x', 'wallet:{thief}'],"
            " ARRAY[-700, 700]::bigint[])"
        ),
    },
)  # fmt: skip

_NEVER = "match:0d4f7c7a-4f0c-4f0a-9d0e-5a0d6a3f0404"


def _post(key: str, kind: str, reference: str, lines: dict[str, int], more: str = "") -> str:
    keys = ", ".join(f"'{key}'" for key in lines)
    amounts = ", ".join(str(cents) for cents in lines.values())
    return (
        f"SELECT ledger_post('{key}', '{kind}', '{reference}', ARRAY[{keys}],"
        f" ARRAY[{amounts}]::bigint[]{more})"
    )


_MINE = "wallet:{thief}"
APPLICATION_CHANGES = _all(
    APPLICATION,
    {
        "a grant": _post("g:1", "grant", "promo:x", {"promo_issue:x": -700, _MINE: 700}),
        "a purchase": _post("p:1", "purchase", "cash:x", {"cash_in:x": -700, _MINE: 700}),
        "a second welcome": _post("w:1", "welcome", "promo:x", {"promo_issue:x": -700, _MINE: 700}),
        "a voucher that is none": _post(
            "voucher:999", "voucher", "promo:x", {"promo_issue:x": -700, _MINE: 700}
        ),
        "an adjustment in two names": _post(
            "adjustment:999", "adjust", "adjustment:999", {"adjustment": -700, _MINE: 700},
            ", {anna}, {bert}, 'a gift'",
        ),
        "an adjustment inserted as decided": (
            "INSERT INTO ledger_adjustment (user_id, client_key, amount_cents, reason, proposed_by_id,"
            " confirmed_by_id, proposal_id) SELECT {thief}, 'x', 700, 'x', {anna}, {bert}, min(id)"
            " FROM ledger_proposal WHERE state = 'refused'"
        ),
        "stakes of a match that never was": _post(
            f"{_NEVER}:open", "stake", _NEVER,
            {f"escrow:{_NEVER}": 500, _MINE: -250, "wallet:{victim}": -250},
        ),
        "stakes under another name": _post(
            "duel:1:open", "stake", "duel:1",
            {"escrow:duel:1": 500, _MINE: -250, "wallet:{victim}": -250},
        ),
        "the result of a running match": _post(
            "{running}:resolve", "result", "{running}",
            {"escrow:{running}": -500, "house_rake": 50, "wallet:{winner}": 450},
        ),
        "a settled match corrected": _post(
            "correct:{settled}", "correct", "{reference}", {"wallet:{loser}": 100, "house_rake": -100},
            ", {anna}, NULL, 'x', {settled}",
        ),
        "a transfer reversed": _post(
            "reverse:{adjusted}", "reverse", "{adjustment}", {"adjustment": 100, "wallet:{redeemer}": -100},
            ", {anna}, NULL, 'x', {adjusted}",
        ),
        "a payout paid in the books alone": _post(
            "{payout}:resolve", "payout_paid", "{payout}",
            {"payout_hold:{payout}": -900, "payout_paid": 900}, ", {anna}, NULL, 'x'",
        ),
        "a payout paid in its row alone": (
            "UPDATE ledger_payout SET state = 'paid', closed_by_id = {bert}, closed_at = now(),"
            " receipt = 'x' WHERE state = 'approved'"
        ),
        "the destination of a payout": "UPDATE ledger_payout SET destination = 'MINE' WHERE state = 'approved'",
        "a warrant": (
            "INSERT INTO ledger_warrant (key, kind, user_id, amount_cents, reason)"
            " VALUES ('g:1', 'grant', {thief}, 700, 'x')"
        ),
        "a balance": "UPDATE ledger_account SET balance_cents = 99999 WHERE owner_id = {thief}",
        "an entry": "UPDATE ledger_entry SET amount_cents = amount_cents + 1",
        "a transfer deleted": "DELETE FROM ledger_transfer",
        "a seal": "DELETE FROM ledger_seal",
        "the log of changes": "DELETE FROM ledger_change",
        "a version that no row had": (
            "INSERT INTO ledger_change (table_name, row_key, content)"
            " VALUES ('ledger_payout', '1', '{{}}')"
        ),
        "the log's trigger on a table of one's own": (
            "CREATE TEMPORARY TABLE ledger_payout (id bigint)",
            "CREATE TRIGGER x AFTER INSERT ON pg_temp.ledger_payout FOR EACH ROW"
            " EXECUTE FUNCTION change_note('id')",
        ),
        "an audit deleted": "DELETE FROM ledger_auditrun",
        "the journal": "UPDATE ledger_journalentry SET reason = 'x'",
        "an event": "UPDATE games_tableevent SET type = 'x' WHERE id = (SELECT min(id) FROM games_tableevent)",
        "a roll deleted": "DELETE FROM games_diceroll",
        "a rating": "UPDATE ratings_rating SET elo = 2500 WHERE pool = 'prize'",
        "a self-exclusion deleted": "DELETE FROM ledger_playpause",
        "the winner of a match": "UPDATE games_match SET winner_seat = 1 - winner_seat WHERE winner_seat IS NOT NULL",
        "an account deleted before its time": "UPDATE accounts_accountdeletion SET outcome = 'done', ended_at = now()",
        "a limit deleted": "DELETE FROM ledger_playlimit",
        "guards switched off": "SET session_replication_role = replica",
        "a payout deleted": "DELETE FROM ledger_payout",
        "a voucher dearer": "UPDATE ledger_voucher SET amount_cents = 90000 WHERE redeemed_by_id IS NULL",
        "an adjustment changed": "UPDATE ledger_adjustment SET amount_cents = 90000",
        "a step of a payout": "UPDATE ledger_payoutstep SET reason = 'x'",
    },
)  # fmt: skip

CHANGES: Final = (
    *UNGUARDED_CHANGES, *_all(UNGUARDED, packs.UNGUARDED),
    *_all(UNGUARDED, tournaments.UNGUARDED), *_all(UNGUARDED, chouettes.UNGUARDED),
    *_all(UNGUARDED, cases.UNGUARDED), *_all(UNGUARDED, people.UNGUARDED),
    *GUARDED_CHANGES, *_all(GUARDED, packs.GUARDED), *_all(GUARDED, cases.GUARDED),
    *_all(GUARDED, people.GUARDED),
    *APPLICATION_CHANGES, *_all(APPLICATION, packs.APPLICATION),
    *_all(APPLICATION, tournaments.APPLICATION), *_all(APPLICATION, chouettes.APPLICATION),
    *_all(APPLICATION, cases.APPLICATION | cases.NAMED),
    *_all(APPLICATION, people.APPLICATION),
)  # fmt: skip
