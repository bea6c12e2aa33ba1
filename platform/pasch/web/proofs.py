"""Every address that takes more than reading, by whether it asks for a fresh proof of presence.

What ends, gives away or opens something of the account's owner asks for the password, a passkey or
a second factor from the last minutes, so that a session left open cannot do it. What is on neither
list fails a test (tests/security/test_proofs.py), which also tries each address of `PROVED` with
such a session. Views and services ask (`accounts.access`); names are those of `reverse`.
"""

from typing import Final

PROVED: Final[dict[str, str]] = {
    "account_bot": "the account plays for no credits any more",
    "account_bot_undo": "its tokens end",
    "account_change_password": "with the old password, in the same form",
    "account_delete": "the account and its credits end",
    "account_email": "who has the mailbox can set a new password",
    "account_export": "everything that is stored about the owner",
    "account_name": "people log in with it, and it stays for 90 days",
    "account_set_password": "who has a password logs in with it",
    "api_bot_undo": "as account_bot_undo",
    "api_exclusion": "nobody can end it",
    "api_payout_request": "credits leave the house",
    "fairplay_appeal": "there is one appeal in a case",
    "mfa_activate_totp": "who has the factor can keep the owner out",
    "mfa_add_webauthn": "who has the passkey logs in with it",
    "mfa_deactivate_totp": "the account is protected by less",
    "mfa_edit_webauthn": "a passkey gets another name",
    "mfa_generate_recovery_codes": "the codes of before end, and new ones are shown",
    "mfa_remove_webauthn": "a way to log in ends",
    "provider_link": "who has the login at the provider logs in with it",
    "socialaccount_connections": "a way to log in ends",
    "token_new": "a program acts as the account",
    "wallet_exclusion": "nobody can end it",
    "wallet_payouts": "credits leave the house",
}
"""Addresses that ask, and why."""

PROVED_SPACES: Final = {
    "desk": "decisions about others; they ask for the second factor besides",
}
"""Spaces in which every address asks."""

_HARMLESS: Final[dict[str, str]] = {
    "it is how people log in, or what a mail or a signed link lets its reader do": """
        account_confirm_email account_confirm_login_code account_email_verification_sent
        account_keep account_login account_reauthenticate account_reset_password
        account_reset_password_from_key account_signup mfa_authenticate mfa_login_webauthn
        mfa_reauthenticate mfa_reauthenticate_webauthn openid_connect_login provider_confirm
        socialaccount_signup""",
    "it closes a door; the owner opens it again": """
        account_logout token_end usersessions_list""",
    "it protects, or waits for a day where it takes protection away; a break ends after a day": """
        api_break api_limit_set wallet_break wallet_limit_keep wallet_limits""",
    "credits come, or go back to the wallet": """
        api_payout_cancel api_voucher_redeem wallet_payout_cancel wallet_voucher""",
    "it is play: with stakes within the limits, against an opponent, and screened": """
        api_challenge_accept api_challenge_decline api_challenge_make api_challenge_withdraw
        api_chouette_do api_chouette_open api_table_close api_table_join api_table_open
        api_table_pair api_table_practise api_tournament_enter api_tournament_ready
        api_tournament_withdraw challenge_answer challenge_make chouette:open
        favourite_play play_again play_now practice_open quick seat_offer table_cancel table_join
        table_open tournament_act""",
    "it is an event or a club of several people, who can change it again": """
        club_act club_edit club_line club_new club_say tournament_direct tournament_new""",
    "it says something to the house, which people read": """
        club_report fairplay_report fairplay_statement tournament_report""",
    "it concerns the owner's view alone, and can be changed again": """
        calendar_settings favourite_change mute_end set_language settings theme""",
    "it learns or analyses": """
        analysis_ask analysis_estimate analysis_file analysis_play analysis_read analysis_stop
        api_analysis_answer api_analysis_ask api_analysis_estimate api_exercise_answer
        api_exercises_day api_import api_import_file api_match_brought
        api_matches_import decisions_choose decisions_list
        decisions_note exercise exercise_today import_begin import_close import_jacoby import_send
        import_undo imported_file_correct imported_jacoby
        lesson lesson_step match_report_ask matches_add matches_chosen matches_name""",
    "it stores nothing of a person": """
        csp_report health health_house health_live health_started readiness""",
}
HARMLESS: Final = {name: why for why, names in _HARMLESS.items() for name in names.split()} | {
    "": "there is no such address below /api/"
}
"""Addresses that do not ask, and why."""

HARMLESS_SPACES: Final = {"admin": "Django's administration changes nothing"}
"""Spaces in which no address asks."""
