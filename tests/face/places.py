"""Every page of the site: its name, its reader, and the way to it.

A new page needs a line here; `test_every_address_is_in_the_list` checks that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from harness.shown_house import LONG_NAME, Furnished
from tests.face import steps


@dataclass(frozen=True, slots=True)
class Address:
    """An address by its name in the site; `paths` lead into the furnished house."""

    name: str
    paths: tuple[str, ...] = ()
    given: tuple[Any, ...] = ()
    ask: str = ""

    def __call__(self, house: Furnished) -> str:
        found = [_value(house, path) for path in self.paths]
        return (reverse(self.name, args=[*found, *self.given]) if self.name else "") + self.ask


def at(name: str, *paths: str, given: tuple[Any, ...] = (), ask: str = "") -> Address:
    """The address of that name."""
    return Address(name, paths, given, ask)


def _value(house: Furnished, path: str) -> Any:
    value: Any = house
    for step in path.split("."):
        value = value[step] if isinstance(value, dict) else getattr(value, step)
    return value


def _nothing(page: Any) -> None:
    """Do nothing: the page is ready once loaded."""


@dataclass(frozen=True, slots=True)
class Place:
    """One page. `then` brings it from loading to the state under test."""

    name: str
    person: str | None
    address: Address
    then: Callable[[Any], None] = _nothing


VISITOR, PLAYER, ADMINISTRATOR = None, "hilde", "anna"

PLACES: Final = (
    Place("welcome", VISITOR, at("home")),
    Place("welcome-menu", VISITOR, at("home"), steps.menu),
    Place("invited", VISITOR, at("table_join", "code.pk")),
    Place("lobby-visitor", VISITOR, at("lobby")),
    Place("rules", VISITOR, at("rules")),
    Place("fair", VISITOR, at("fair")),
    Place("fair-check", VISITOR, at("fair_check")),
    Place("fair-dice", VISITOR, at("fair_dice")),
    Place("fair-log", VISITOR, at("fair_log")),
    Place("login", VISITOR, at("account_login")),
    Place("signup", VISITOR, at("account_signup")),
    Place("password-forgotten", VISITOR, at("account_reset_password")),
    Place("table-watched", VISITOR, at("table", "watched.pk"), steps.wait_for_table),
    Place("ranking-visitor", VISITOR, at("ranking", ask="?pool=normal")),
    Place("imprint", VISITOR, at("imprint")),
    Place("privacy", VISITOR, at("privacy")),
    Place("terms", VISITOR, at("terms")),
    Place("contact", VISITOR, at("contact")),
    Place("responsible-play", VISITOR, at("responsible_play")),
    Place("minimum-age", VISITOR, at("minimum_age")),
    Place("not-found", VISITOR, Address("", ask="/no/such/page/")),
    Place("home-new", "bert", at("home")),
    Place("home", PLAYER, at("home")),
    Place("menu", PLAYER, at("home"), steps.menu),
    Place("lobby", PLAYER, at("lobby")),
    Place("open", PLAYER, at("table_open", ask="?mode=stake"), steps.rules),
    Place("quick-credits", PLAYER, at("quick", ask="?for=credits")),
    Place("practice", PLAYER, at("practice_open"), steps.levels),
    Place("favourites", PLAYER, at("favourites")),
    Place("lobby-nothing", PLAYER, at("lobby", ask="?mode=single")),
    Place("join", "jonas", at("table_join", "code.pk")),
    Place("challenge", PLAYER, at("challenge", "challenge.pk")),
    Place("challenge-sent", "magriel", at("challenge", "challenge.pk")),
    Place("challenge-make", PLAYER, at("challenge_make", "users.tilo.username")),
    Place("table", PLAYER, at("table", "playing.pk"), steps.wait_for_table),
    Place("table-talk", PLAYER, at("table", "playing.pk"), steps.talk),
    Place("table-moves", "tilo", at("table", "playing.pk"), steps.moves),
    Place("table-private", PLAYER, at("table", "code.pk"), steps.wait_for_table),
    Place("table-practice", PLAYER, at("table", "practice.pk"), steps.wait_for_table),
    Place("table-hint", PLAYER, at("table", "practice.pk"), steps.hint),
    Place("ranking", PLAYER, at("ranking")),
    Place("player", PLAYER, at("player", "users.hilde.username")),
    Place("player-other", PLAYER, at("player", f"users.{LONG_NAME}.username")),
    Place("player-progress", "jonas", at("player_progress", "users.jonas.username")),
    Place("player-form", "jonas", at("player", "users.jonas.username")),
    Place("player-new", PLAYER, at("player", "users.anna.username")),
    Place("player-changes", PLAYER, at("player_changes", "users.hilde.username")),
    Place("player-matches", VISITOR, at("player_matches", "users.hilde.username")),
    Place("player-versus", PLAYER, at(
        "player_versus", "users.hilde.username", "users.tilo.username")),
    Place("player-compare", VISITOR, at(
        "player_compare", "users.hilde.username", ask="?name=nobody")),
    Place("archive", PLAYER, at("archive")),
    Place("archive-empty", "anna", at("archive")),
    Place("match", PLAYER, at("match", "ended.pk"), steps.replay),
    Place("match-report", PLAYER, at("match_report", "ended.pk"), steps.report),
    Place("imported-file", PLAYER, at("imported_file", "imported.file.pk")),
    Place("imported-report", PLAYER, at("imported_report", "imported.pk")),
    Place("shared-report", VISITOR, at("shared_report", "imported.share_key")),
    Place("match-report-waiting", PLAYER, at("match_report", "waiting.pk")),
    Place("match-report-private", VISITOR, at("match_report", "kept_back.pk")),
    Place("fairplay", VISITOR, at("fairplay")),
    Place("fairplay-mine", "hilde", at("fairplay_mine")),
    Place("fairplay-mine-empty", "anna", at("fairplay_mine")),
    Place("fairplay-case", "jonas", at("fairplay_case", "case.pk")),
    Place("fairplay-report", PLAYER, at("fairplay_report", "ended.pk")),
    Place("tournaments", "hilde", at("tournaments")),
    Place("tournaments-visitor", VISITOR, at("tournaments")),
    Place("tournaments-running", VISITOR, at("tournaments", ask="?tab=running")),
    Place("tournaments-finished", VISITOR, at("tournaments", ask="?tab=finished")),
    Place("tournaments-mine", "hilde", at("tournaments", ask="?tab=mine")),
    Place("tournament-filling", "hilde", at("tournament", "competing.filling.pk")),
    Place("tournament-entered", "jonas", at("tournament", "competing.filling.pk")),
    Place("tournament-announced", VISITOR, at("tournament", "competing.announced.pk")),
    Place("tournament-bracket", "hilde", at("tournament", "competing.bracket.pk")),
    Place("tournament-lives", "hilde", at("tournament", "competing.lives.pk")),
    Place("tournament-over", "hilde", at("tournament", "competing.over.pk")),
    Place("tournament-draw", VISITOR, at("tournament_draw", "competing.over.pk")),
    Place("tournament-sides", VISITOR, at("tournament", "competing.sides.pk")),
    Place("tournament-new-paid", ADMINISTRATOR, at("tournament_new")),
    Place("tournament-new", "hilde", at("tournament_new")),
    Place("clubs", "hilde", at("clubs")),
    Place("club", "hilde", at("club", "competing.club.pk")),
    Place("club-visitor", VISITOR, at("club", "competing.club.pk")),
    Place("club-line", "hilde", at("club_line", "competing.club.pk", "competing.line")),
    Place("club-new", "hilde", at("club_new")),
    Place("tournament-rules", VISITOR, at("tournament_rules")),
    Place("chouettes", "hilde", at("chouette:list")),
    Place("chouettes-visitor", VISITOR, at("chouette:list")),
    Place("chouette-waiting", "marlene", at("chouette:table", "circling.waiting.pk")),
    Place("chouette-watching", VISITOR, at("chouette:table", "circling.waiting.pk")),
    Place("chouette-rules", VISITOR, at("rules_chouette")),
    Place("openings", VISITOR, at("rules_openings")),
    Place("analysis-method", VISITOR, at("analysis_method")),
    Place("wallet", PLAYER, at("wallet")),
    Place("wallet-nothing", PLAYER, at("wallet", ask="?kind=voucher")),
    Place("payouts", PLAYER, at("wallet_payouts")),
    Place("payouts-empty", "jonas", at("wallet_payouts")),
    Place("limits", PLAYER, at("wallet_limits")),
    Place("exclusion", PLAYER, at("wallet_exclusion", ask="?length=182")),
    Place("voucher", PLAYER, at("wallet_voucher")),
    Place("statement", PLAYER, at(
        "wallet_statement", "users.hilde.date_joined.year")),
    Place("account", PLAYER, at("account")),
    Place("settings", PLAYER, at("settings")),
    Place("settings-visitor", None, at("settings")),
    Place("name", PLAYER, at("account_name")),
    Place("second-factor", PLAYER, at("mfa_index")),
    Place("email", PLAYER, at("account_email")),
    Place("password", PLAYER, at("account_change_password")),
    Place("sessions", PLAYER, at("usersessions_list")),
    Place("logout", PLAYER, at("account_logout")),
    Place("desk", ADMINISTRATOR, at("desk:overview")),
    Place("desk-payouts", ADMINISTRATOR, at("desk:payouts")),
    Place("desk-payout", ADMINISTRATOR, at("desk:payout", "payout.pk")),
    Place("desk-adjustments", ADMINISTRATOR, at("desk:adjustments")),
    Place("desk-vouchers", ADMINISTRATOR, at("desk:vouchers")),
    Place("desk-players", ADMINISTRATOR, at("desk:players")),
    Place("desk-player", ADMINISTRATOR, at("desk:player", "users.hilde.pk")),
    Place("desk-matches", ADMINISTRATOR, at("desk:matches")),
    Place("desk-match", ADMINISTRATOR, at("desk:match", "ended.pk")),
    Place("desk-match-running", ADMINISTRATOR, at("desk:match", "running.pk")),
    Place(
        "desk-match-decision",
        ADMINISTRATOR,
        at("desk:match_decision", "running.pk", ask="?outcome=1.2.5.0.0"),
    ),
    Place("desk-proposals", ADMINISTRATOR, at("desk:proposals")),
    Place("desk-reports", ADMINISTRATOR, at("desk:reports")),
    Place("desk-report", ADMINISTRATOR, at("desk:report", "report.pk")),
    Place("desk-cases", ADMINISTRATOR, at("desk:cases")),
    Place("desk-case", ADMINISTRATOR, at("desk:case", "case.pk")),
    Place("desk-reviewers", ADMINISTRATOR, at("desk:reviewers")),
    Place("desk-roles", ADMINISTRATOR, at("desk:roles")),
    Place("desk-account", ADMINISTRATOR, at("desk:identity", "users.ida.pk")),
    Place("desk-money", ADMINISTRATOR, at("desk:money")),
    Place("desk-house", ADMINISTRATOR, at("desk:house")),
    Place("desk-house-part", ADMINISTRATOR, at("desk:house_part", given=("currency",))),
    Place("desk-house-logo", ADMINISTRATOR, at("desk:house_part", given=("logo",)), steps.logo),
    Place("desk-house-colours", ADMINISTRATOR, at(
        "desk:house_part", given=("colours",)), steps.felt),
    Place("desk-tournaments", ADMINISTRATOR, at("desk:tournaments")),
    Place("desk-stops", ADMINISTRATOR, at("desk:stops")),
    Place("desk-journal", ADMINISTRATOR, at("desk:journal")),
    Place("desk-audit", ADMINISTRATOR, at("desk:audit")),
    Place("watch", VISITOR, at("watch"), steps.boards),
    Place("rules-game", VISITOR, at("rules_game", given=("plakoto",))),
    Place("learn", VISITOR, at("learn")),
    Place("decisions", PLAYER, at("decisions")),
    Place("exercises", VISITOR, at("exercises")),
    Place("exercise-today", VISITOR, at("exercise_today"), steps.exercise),
    Place("exercise-answer", PLAYER, at("exercise_today"), steps.exercise_answered),
    Place("exercise-cube", VISITOR, at("exercise", "exercise.pk"), steps.exercise),
    Place("exercise-seen", PLAYER, at("exercise_answer", "tried.pk")),
    Place("analysis-board", VISITOR, at("analysis_board"), steps.boards_here),
    Place("lesson", VISITOR, at("lesson", given=("hitting",)), steps.lesson),
    Place("lesson-solved", PLAYER, at(
        "lesson_step", given=("hitting", 2)), steps.lesson_solved),
)  # fmt: skip

#: pages that few see; only the long run visits them.
RARE: Final = (
    Place("rules-series", VISITOR, at("rules_game", given=("tavli",))),
    Place("login-wrong", VISITOR, at("account_login"), steps.send_wrong),
    Place("signup-wrong", VISITOR, at("account_signup"), steps.send_wrong),
    Place("account-closed", VISITOR, at("account_inactive")),
    Place("login-cancelled", VISITOR, at("socialaccount_login_cancelled")),
    Place("other-logins", PLAYER, at("socialaccount_connections")),
    Place("mail-sent", VISITOR, at("account_email_verification_sent")),
    Place("mail-too-late", VISITOR, at("account_confirm_email", given=("no-such-key",))),
    Place("password-sent", VISITOR, at("account_reset_password_done")),
    Place("password-too-late", VISITOR, at(
        "account_reset_password_from_key", given=("1", "no-such-key"))),
    Place("password-set", VISITOR, at("account_reset_password_from_key_done")),
    Place("reauthenticate", PLAYER, at("account_reauthenticate")),
    Place("authenticator", PLAYER, at(
        "account_reauthenticate", ask="?next=/accounts/2fa/totp/activate/"), steps.prove),
    Place("authenticator-again", ADMINISTRATOR, at("mfa_reauthenticate")),
    Place("passkeys", PLAYER, at("mfa_list_webauthn")),
    Place("passkey-add", PLAYER, at(
        "account_reauthenticate", ask="?next=/accounts/2fa/webauthn/add/"), steps.prove),
    Place("account-delete", PLAYER, at("account_delete")),
    Place("account-export", PLAYER, at("account_export")),
    Place("table-offer", VISITOR, at("home"), steps.offered),
    Place("table-invite", PLAYER, at("table_invite", "code.pk")),
    Place("forbidden", PLAYER, at("desk:overview")),
    Place("desk-mails", ADMINISTRATOR, at("desk:mails")),
    Place("club-edit", "hilde", at("club_edit", "competing.club.pk")),
    Place("club-report", PLAYER, at("club_report", "competing.club.pk")),
    Place("desk-chouettes", ADMINISTRATOR, at("desk:chouettes")),
    Place("desk-chouette", ADMINISTRATOR, at("desk:chouette", "circling.running.pk")),
    Place("desk-club", ADMINISTRATOR, at("desk:club", "competing.club.pk")),
    Place("tournament-report", PLAYER, at("tournament_report", "competing.announced.pk")),
    Place("tournament-unnamed", "marlene", at("tournament", "competing.unnamed.pk")),
    Place("desk-title", ADMINISTRATOR, at("desk:title", "competing.unnamed.pk")),
    Place("calendar-settings", PLAYER, at("calendar_settings")),
    Place("decisions-statistics", PLAYER, at("decisions_statistics")),
    Place("decisions-compare", PLAYER, at("decisions_compare")),
)  # fmt: skip

#: addresses that show no page of their own: they carry something out, lead on, or give a part of a
#: page, data or a file; or they need what only a mail or a login under way has. The page for a lost
#: network is in tests/pages/test_look.py.
_NO_PAGES: Final = """
    account_bot account_bot_undo account_confirm_login_code account_keep account_set_password
    analysis_ask analysis_estimate analysis_file analysis_play analysis_question analysis_read
    analysis_stop
    archive_files board_picture calendar_own challenge_answer challenges csp_report desk:audit_run
    desk:case_open desk:case_opinion desk:case_prolong
    desk:case_refund
    desk:club_decide desk:chouette_decision desk:club_restore desk:factor
    desk:house_look house_board house_logo house_style desk:identity_confirm desk:identity_stop
    desk:mail_retry desk:match_evidence
    desk:payout_approve desk:payout_cancel desk:payout_claim desk:payout_decline
    desk:payout_fail desk:payout_settle desk:player_freeze desk:player_thaw desk:proposal_confirm
    desk:proposal_refuse desk:proposal_withdraw desk:report_close desk:role_confirm desk:role_stop
    desk:stop_resume desk:title_decide desk:title_restore desk:two_people desk:two_people_end
    desk:voucher_revoke dice_envelope exercise_next fair_log_file fairplay_appeal fairplay_statement
    decisions_choose decisions_list decisions_note decisions_shared
    favourite_change favourite_play import_begin import_close import_send import_undo
    import_jacoby imported_file_correct imported_jacoby imported_report_file
    matches_add matches_chosen matches_name
    openid_connect_callback openid_connect_login provider_confirm
    provider_link socialaccount_login_error socialaccount_signup health
    health_house health_live health_started lobby_tables
    manifest match_dice match_download match_report_ask match_report_file metrics mfa_activate_totp
    mfa_add_webauthn mfa_authenticate mfa_deactivate_totp mfa_download_recovery_codes
    mfa_edit_webauthn mfa_generate_recovery_codes mfa_login_webauthn mfa_reauthenticate_webauthn
    mfa_remove_webauthn mfa_view_recovery_codes mute_end offline play_again play_now readiness
    robots running seat_offer set_language shared_report_file sitemap table_by_code table_cancel
    table_code table_terms theme token_end token_new tournament_act tournament_calls
    tournament_calendar tournament_direct tournament_file club_act club_say club_talk chouette:dice
    chouette:open
    chouette:tables wallet_break wallet_csv wallet_limit_keep wallet_payout_cancel
    watch_boards welcome worker
"""
NO_PAGES: Final = frozenset(_NO_PAGES.split())
