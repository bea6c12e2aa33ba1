"""Attempts at accounts, tokens, logins, clearances, outages, talk and clubs."""

# ruff: noqa: E501 (a change stands in one line where it can)

from typing import Final

_CLUB: Final = "(SELECT id FROM tournaments_club WHERE NOT unnamed LIMIT 1)"
_OPEN: Final = "(SELECT id FROM games_wordsreport WHERE kind = 'talk' AND outcome = '' LIMIT 1)"

UNGUARDED: Final[dict[str, str | tuple[str, ...]]] = {
    "a bot that is a person again": "UPDATE accounts_user SET is_bot = false WHERE is_bot",
    "an account that is older": "UPDATE accounts_user SET date_joined = date_joined - interval '90 days' WHERE id = {thief}",
    "scopes of a token": "UPDATE accounts_apitoken SET scopes = ARRAY['read', 'play', 'tables', 'wallet']",
    "owner of a token": "UPDATE accounts_apitoken SET user_id = {thief}",
    "a token deleted": "DELETE FROM accounts_apitoken",
    "marks of logins deleted": "DELETE FROM accounts_loginmark",
    "account of a mark": "UPDATE accounts_loginmark SET user_id = {thief} WHERE id = (SELECT min(id) FROM accounts_loginmark)",
    "first login of a mark": "UPDATE accounts_loginmark SET first_at = first_at - interval '30 days'",
    "a clearance inserted": "INSERT INTO ledger_clearance (reference, user_id, cleared_at) VALUES ('match:x', {thief}, now())",
    "a clearance deleted": "DELETE FROM ledger_clearance",
    "when a gain was clear": "UPDATE ledger_clearance SET cleared_at = cleared_at - interval '1 day'",
    "an outage inserted": "INSERT INTO games_outage (role, began_at, ended_at) VALUES ('web', now() - interval '1 hour', now())",
    "an outage deleted": "DELETE FROM games_outage",
    "a longer outage": "UPDATE games_outage SET began_at = began_at - interval '1 hour'",
    "an outage that was given back early": "UPDATE games_outage SET credited_at = now() WHERE role = 'sweep'",
    "answer to a complaint": "UPDATE games_wordsreport SET outcome = 'nothing' WHERE kind = 'talk' AND outcome <> ''",
    "who answered a complaint": "UPDATE games_wordsreport SET closed_by_id = {bert} WHERE kind = 'talk' AND outcome <> ''",
    "author of a complaint": "UPDATE games_wordsreport SET author_id = {thief} WHERE kind = 'talk'",
    "a complaint deleted": f"DELETE FROM games_wordsreport WHERE id = {_OPEN}",
    "end of a silence": "UPDATE games_chatmeasure SET until = now()",
    "a silence deleted": "DELETE FROM games_chatmeasure",
    "founder of a club": "UPDATE tournaments_club SET founder_id = {thief}",
    "name of a club": "UPDATE tournaments_club SET name = 'Mine' WHERE NOT unnamed",
    "a closed club opened": "UPDATE tournaments_club SET is_open = NOT is_open",
    "a director of a club": "UPDATE tournaments_membership SET standing = 'member'",
    "a member who never came": f"INSERT INTO tournaments_membership (club_id, user_id, standing, since) VALUES ({_CLUB}, {{thief}}, 'member', now())",
    "a refused invitation": "UPDATE tournaments_clubinvitation SET refused_at = NULL WHERE refused_at IS NOT NULL",
    "answer about a club": "UPDATE games_wordsreport SET outcome = 'both' WHERE kind = 'club' AND outcome <> ''",
    "a name given back": "UPDATE tournaments_wordsremoval SET given_back_at = now()",
    "a removal deleted": "DELETE FROM tournaments_wordsremoval",
}  # fmt: skip

GUARDED: Final[dict[str, str | tuple[str, ...]]] = {
    "a bot that is a person again, triggers on": "UPDATE accounts_user SET is_bot = false WHERE is_bot",
    "a closed account opened, triggers on": "UPDATE accounts_user SET is_active = true WHERE username = 'leaver'",
    "a clearance that nobody screened, triggers on": "INSERT INTO ledger_clearance (reference, user_id, cleared_at) VALUES ('match:x', {thief}, now())",
    "the guard of tokens dropped": "DROP TRIGGER row_ruled ON accounts_apitoken",
    "the silences' trigger dropped": "DROP TRIGGER silence_noted ON games_heartbeat",
    "a right to write outages": "GRANT INSERT ON games_outage TO pasch_app",
}  # fmt: skip

APPLICATION: Final[dict[str, str | tuple[str, ...]]] = {
    "a bot that is a person again": "UPDATE accounts_user SET is_bot = false WHERE is_bot",
    "a bot that took it back": (
        "UPDATE accounts_user SET is_bot = false WHERE is_bot",
        "INSERT INTO ledger_journalentry (actor_id, verb, subject, before, after, reason) SELECT {anna}, 'bot.undo',"
        " 'user:' || id, '{{}}', '{{}}', 'x' FROM accounts_user WHERE username = 'robot'",
    ),
    "a closed account opened": "UPDATE accounts_user SET is_active = true WHERE username = 'leaver'",
    "an account that is older": "UPDATE accounts_user SET date_joined = date_joined - interval '90 days' WHERE id = {thief}",
    "scopes of a token": "UPDATE accounts_apitoken SET scopes = ARRAY['read', 'play', 'tables', 'wallet']",
    "a token of somebody else": "UPDATE accounts_apitoken SET user_id = {thief}",
    "a token of a person": (
        "INSERT INTO accounts_apitoken (user_id, digest, start, name, scopes, created_at)"
        " VALUES ({thief}, 'd', 's', '', ARRAY['play'], now())"
    ),
    "a token of a bot that its owner did not make": (
        "INSERT INTO accounts_apitoken (user_id, digest, start, name, scopes, created_at) SELECT id, 'd', 's', '',"
        " ARRAY['play'], now() FROM accounts_user WHERE username = 'robot'"
    ),
    "a revoked token": (
        "INSERT INTO accounts_apitoken (user_id, digest, start, name, scopes, created_at)"
        " SELECT (content ->> 'user_id')::bigint, content ->> 'digest', 's', '', ARRAY['play'], now() FROM ledger_change c"
        " WHERE table_name = 'accounts_apitoken' AND content IS NOT NULL AND NOT EXISTS (SELECT FROM accounts_apitoken t"
        " WHERE t.id::text = c.row_key) LIMIT 1"
    ),
    "marks of logins deleted": "DELETE FROM accounts_loginmark",
    "a login of another time": "UPDATE accounts_loginmark SET first_at = first_at - interval '30 days'",
    "a login with another browser": "UPDATE accounts_loginmark SET key = 'x' WHERE id = (SELECT min(id) FROM accounts_loginmark)",
    "a last login that is older": "UPDATE accounts_loginmark SET last_at = last_at - interval '89 days'",
    "an item that a sweep leaves out": (
        "INSERT INTO kit_stuck (sweep, item, failures, error, since, retry_at)"
        " VALUES ('screening match known', 'x', 1, '', now(), now() + interval '7 days')"
    ),
    "a clearance that nobody screened": "INSERT INTO ledger_clearance (reference, user_id, cleared_at) VALUES ('match:x', {thief}, now())",
    "a clearance of what waits": (
        "INSERT INTO fairplay_screening (reference, stage, level, score, reasons, facts, made_at)"
        " SELECT reference, 'known', 'clear', 0, '[]', '{{}}', now() FROM ledger_transfer WHERE kind = 'result' AND reference"
        " LIKE 'match:%' AND NOT EXISTS (SELECT FROM fairplay_screening s WHERE s.reference = ledger_transfer.reference)"
        " ORDER BY id LIMIT 1",
        "INSERT INTO fairplay_wait (reference, user_id, since, until) SELECT reference, {thief}, now(), now() + interval '70 hours'"
        " FROM fairplay_screening ORDER BY id DESC LIMIT 1",
        "INSERT INTO ledger_clearance (reference, user_id, cleared_at) SELECT reference, {thief}, now() FROM fairplay_screening"
        " ORDER BY id DESC LIMIT 1",
    ),
    "a clearance deleted": "DELETE FROM ledger_clearance",
    "an outage": "INSERT INTO games_outage (role, began_at, ended_at) VALUES ('web', now() - interval '1 hour', now())",
    "an outage deleted": "DELETE FROM games_outage",
    "a longer outage": "UPDATE games_outage SET began_at = began_at - interval '1 hour'",
    "an outage that was given back early": "UPDATE games_outage SET credited_at = now() WHERE role = 'sweep'",
    "a heartbeat of before": "UPDATE games_heartbeat SET beat_at = beat_at - interval '1 hour' WHERE role = 'web'",
    "a heartbeat to come": "UPDATE games_heartbeat SET beat_at = now() + interval '1 hour' WHERE role = 'web'",
    "heartbeats deleted": "DELETE FROM games_heartbeat",
    "an answer to a complaint": f"UPDATE games_wordsreport SET outcome = 'silence_30', closed_at = now(), closed_by_id = {{anna}} WHERE id = {_OPEN}",
    "an answer to a complaint by a player": (
        f"UPDATE games_wordsreport SET outcome = 'nothing', closed_at = now(), closed_by_id = {{thief}} WHERE id = {_OPEN}"
    ),
    "a complaint reopened": "UPDATE games_wordsreport SET outcome = '', closed_at = NULL, closed_by_id = NULL",
    "words of a complaint": "UPDATE games_wordsreport SET said = 'worse'",
    "a silence": f"INSERT INTO games_chatmeasure (user_id, report_id, made_at, until) VALUES ({{thief}}, {_OPEN}, now(), now() + interval '9 days')",
    "a silence that ends": "UPDATE games_chatmeasure SET until = now()",
    "a silence deleted": "DELETE FROM games_chatmeasure",
    "an entry about a complaint that has none": (
        "INSERT INTO ledger_journalentry (actor_id, verb, subject, before, after, reason)"
        f" SELECT {{anna}}, 'report.close', 'report:' || {_OPEN}, '{{{{}}}}', '{{{{\"outcome\": \"warn\"}}}}', 'x'"
    ),
    "founder of a club": "UPDATE tournaments_club SET founder_id = {thief}",
    "name of a club": "UPDATE tournaments_club SET name = 'Mine' WHERE NOT unnamed",
    "a closed club opened": "UPDATE tournaments_club SET is_open = NOT is_open",
    "a club deleted": "DELETE FROM tournaments_club",
    "a member of a closed club": f"INSERT INTO tournaments_membership (club_id, user_id, standing, since) VALUES ({_CLUB}, {{thief}}, 'member', now())",
    "a director of a club": f"INSERT INTO tournaments_membership (club_id, user_id, standing, since) VALUES ({_CLUB}, {{thief}}, 'director', now())",
    "an invitation deleted": "DELETE FROM tournaments_clubinvitation",
    "an answer about a club": "UPDATE games_wordsreport SET outcome = 'both', closed_at = now(), closed_by_id = {anna} WHERE kind = 'club' AND outcome = ''",
    "a name taken away": (
        "INSERT INTO tournaments_wordsremoval (name_key, taken_by_id, taken_at, club_id, name, about)"
        f" VALUES ('x', {{anna}}, now(), {_CLUB}, 'x', '')"
    ),
    "a name given back": "UPDATE tournaments_wordsremoval SET given_back_at = now()",
    "a name of a tournament taken away": (
        "INSERT INTO tournaments_wordsremoval (name_key, taken_by_id, taken_at, tournament_id, name, about)"
        " SELECT 'friday', {anna}, now(), id, name, '' FROM tournaments_tournament LIMIT 1"
    ),
    "an entry that nobody made": (
        "INSERT INTO tournaments_entry (tournament_id, user_id, number, part, entered_at) SELECT id, {thief}, 7,"
        " repeat('0', 32), now() FROM tournaments_tournament WHERE phase = 'registering' LIMIT 1"
    ),
    "when a pairing was called": "UPDATE tournaments_meeting SET called_at = called_at - interval '1 day'",
    "a pairing that is due early": "UPDATE tournaments_meeting SET due_at = now() WHERE decided_at IS NULL",
}  # fmt: skip


def people_known() -> None:
    """Logins, tokens, a bot, complaints about talk, clubs, an outage, and what was screened."""
    from accounts.login_marks import marks_note
    from accounts.models import ApiToken, User
    from accounts.tokens import token_make, token_revoke
    from fairplay.screening import results_screen
    from games.models import Heartbeat
    from games.services.chat import message_say
    from games.services.chat_reports import TALK, message_report
    from games.services.moderation import words_decide, words_shown
    from games.services.outages import SWEEP, WEB, heartbeat
    from harness.sitters import Sitters
    from kit.database import database_now_ms
    from ledger.models import Clearance
    from ledger.services.bots import bot_declare
    from tournaments.models import Club
    from tournaments.services.clubs import club_found, club_leave, member_invite
    from tournaments.services.words import CLUB, words_report

    anna = User.objects.get(username="anna")
    robot, one, two = (User.objects.create_user(name) for name in ("robot", "ruth", "rita"))
    bot_declare(robot)
    for name in ("kept", "revoked"):
        token_make(robot, name)
    token_revoke(robot, ApiToken.objects.get(name="revoked").pk)
    for person in (one, two):
        marks_note(person.pk, browser="kitchen", address="9.9.9.9")
    table = Sitters(mode="normal")
    table.begin()
    speaker, hearer = (player.pk for player in table.players)
    words = ("Sore loser!", "You always roll doubles.")
    said = [
        message_say(table_id=table.pk, user_id=speaker, client_id=text[:3], text=text)
        for text in words
    ]
    first, _second = (
        message_report(table_id=table.pk, user_id=hearer, message_id=each.pk, reason="insult")
        for each in said
    )
    words_decide(TALK, actor=anna, subject_id=first.pk, outcome="silence_7", reason="insult")
    for name in ("Cellar", "Attic"):
        club = club_found(user=one, name=name, is_open=False)
        member_invite(director=one, club_id=club.pk, name="rita")
        words_report(CLUB, user=two, subject_id=club.pk, reason="insult")
        club_leave(user=two, club_id=club.pk)
    attic = Club.objects.get(name="Attic")
    shown = words_shown(CLUB, attic)
    words_decide(CLUB, actor=anna, subject_id=attic.pk, outcome="name", shown=shown, reason="rude")
    long_ago_ms = database_now_ms() - 3 * 86_400_000
    heartbeat(WEB, now_ms=long_ago_ms)
    assert heartbeat(WEB, now_ms=long_ago_ms + 60_000), "a silence is an outage"
    # its time is not given back to running tables; nearer to ended matches it would excuse faults
    later_ms = database_now_ms() + 1_200_000
    heartbeat(SWEEP, now_ms=later_ms)
    heartbeat(SWEEP, now_ms=later_ms + 60_000)
    Heartbeat.objects.all().delete()
    heartbeat(WEB)
    results_screen()
    assert Clearance.objects.exists()
