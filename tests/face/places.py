"""Every page of the site: its name, its reader, and the way to it.

A new page needs a line here; `test_every_address_is_in_the_list` checks that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse

from tests.face.house import LONG_NAME, Furnished

Address = Callable[[Furnished], str]


def _nothing(page: Any) -> None:
    """Do nothing: the page is ready once loaded."""


@dataclass(frozen=True, slots=True)
class Place:
    """One page. `then` brings it from loading to the state under test."""

    name: str
    person: str | None
    address: Address
    then: Callable[[Any], None] = _nothing


def at(name: str, *arguments: str, ask: str = "") -> Address:
    """The address of that name; `arguments` are paths into the furnished house."""

    def address(house: Furnished) -> str:
        found = [_value(house, argument) for argument in arguments]
        return reverse(name, args=found) + ask

    return address


def _value(house: Furnished, path: str) -> Any:
    value: Any = house
    for step in path.split("."):
        value = value[step] if isinstance(value, dict) else getattr(value, step)
    return value


def _wait_for_table(page: Any) -> None:
    page.wait_for_selector("body[data-free=true]")


def _open_panel(page: Any) -> None:
    _wait_for_table(page)
    panel = page.locator('[data-action="panel"]:visible')
    if panel.count():
        panel.click()


def _talk(page: Any) -> None:
    _open_panel(page)
    page.locator("#tab-talk").click()
    page.locator("#talk-phrases").wait_for()


def _moves(page: Any) -> None:
    _open_panel(page)
    page.locator("#moves").wait_for()


def _hint(page: Any) -> None:
    _wait_for_table(page)
    page.locator('[data-action="hint"]').click()
    page.locator("#hint").wait_for()


def _replay(page: Any) -> None:
    page.wait_for_selector("body[data-step]")
    for step in ("1", "2"):
        page.locator('[data-replay-go="next"]').click()
        page.wait_for_selector(f'body[data-step="{step}"]')


def _menu(page: Any) -> None:
    page.locator("details[data-menu] summary").click()


def _rules(page: Any) -> None:
    page.locator("#rules-more > summary").click()


def _boards(page: Any) -> None:
    page.locator("#watch-list svg.bg").first.wait_for()


def _lesson(page: Any) -> None:
    page.wait_for_selector("#lesson[data-mood=ask] svg.bg")


def _lesson_solved(page: Any) -> None:
    _lesson(page)
    page.locator("#lesson-play").fill("13/7")
    page.locator("#lesson-play").press("Enter")
    page.wait_for_selector("#lesson[data-mood=right]")


VISITOR, PLAYER, ADMINISTRATOR = None, "hilde", "anna"

PLACES: Final = (
    Place("welcome", VISITOR, at("home")),
    Place("welcome-menu", VISITOR, at("home"), _menu),
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
    Place("table-watched", VISITOR, at("table", "watched.pk"), _wait_for_table),
    Place("ranking-visitor", VISITOR, at("ranking", ask="?pool=normal")),
    Place("imprint", VISITOR, at("imprint")),
    Place("privacy", VISITOR, at("privacy")),
    Place("terms", VISITOR, at("terms")),
    Place("contact", VISITOR, at("contact")),
    Place("responsible-play", VISITOR, at("responsible_play")),
    Place("minimum-age", VISITOR, at("minimum_age")),
    Place("not-found", VISITOR, lambda house: "/no/such/page/"),
    Place("first-steps", PLAYER, at("welcome")),
    Place("home", PLAYER, at("home")),
    Place("menu", PLAYER, at("home"), _menu),
    Place("lobby", PLAYER, at("lobby")),
    Place("open", PLAYER, at("table_open", ask="?mode=stake"), _rules),
    Place("quick-credits", PLAYER, at("quick", ask="?for=credits")),
    Place("practice", PLAYER, at("practice_open"), _rules),
    Place("favourites", PLAYER, at("favourites")),
    Place("lobby-nothing", PLAYER, at("lobby", ask="?mode=single")),
    Place("join", "jonas", at("table_join", "code.pk")),
    Place("challenge", PLAYER, at("challenge", "challenge.pk")),
    Place("challenge-sent", "magriel", at("challenge", "challenge.pk")),
    Place("challenge-make", PLAYER, at("challenge_make", "users.tilo.username")),
    Place("table", PLAYER, at("table", "playing.pk"), _wait_for_table),
    Place("table-talk", PLAYER, at("table", "playing.pk"), _talk),
    Place("table-moves", "tilo", at("table", "playing.pk"), _moves),
    Place("table-private", PLAYER, at("table", "code.pk"), _wait_for_table),
    Place("table-practice", PLAYER, at("table", "practice.pk"), _wait_for_table),
    Place("table-hint", PLAYER, at("table", "practice.pk"), _hint),
    Place("ranking", PLAYER, at("ranking")),
    Place("player", PLAYER, at("player", "users.hilde.username")),
    Place("player-other", PLAYER, at("player", f"users.{LONG_NAME}.username")),
    Place("player-new", PLAYER, at("player", "users.anna.username")),
    Place("player-matches", VISITOR, at("player_matches", "users.hilde.username")),
    Place("player-versus", PLAYER, at(
        "player_versus", "users.hilde.username", "users.tilo.username")),
    Place("player-compare", VISITOR, at(
        "player_compare", "users.hilde.username", ask="?name=nobody")),
    Place("archive", PLAYER, at("archive")),
    Place("archive-empty", "anna", at("archive")),
    Place("match", PLAYER, at("match", "ended.pk"), _replay),
    Place("wallet", PLAYER, at("wallet")),
    Place("wallet-nothing", PLAYER, at("wallet", ask="?kind=voucher")),
    Place("payouts", PLAYER, at("wallet_payouts")),
    Place("payouts-empty", "jonas", at("wallet_payouts")),
    Place("limits", PLAYER, at("wallet_limits")),
    Place("exclusion", PLAYER, at("wallet_exclusion", ask="?length=182")),
    Place("voucher", PLAYER, at("wallet_voucher")),
    Place("statement", PLAYER, lambda house: reverse(
        "wallet_statement", args=[house.users["hilde"].date_joined.year])),
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
    Place("desk-roles", ADMINISTRATOR, at("desk:roles")),
    Place("desk-account", ADMINISTRATOR, at("desk:identity", "users.ida.pk")),
    Place("desk-money", ADMINISTRATOR, at("desk:money")),
    Place("desk-stops", ADMINISTRATOR, at("desk:stops")),
    Place("desk-journal", ADMINISTRATOR, at("desk:journal")),
    Place("desk-audit", ADMINISTRATOR, at("desk:audit")),
    Place("watch", VISITOR, at("watch"), _boards),
    Place("rules-game", VISITOR, lambda house: reverse("rules_game", args=["plakoto"])),
    Place("learn", VISITOR, at("learn")),
    Place("lesson", VISITOR, lambda house: reverse("lesson", args=["hitting"]), _lesson),
    Place("lesson-solved", PLAYER, lambda house: reverse(
        "lesson_step", args=["hitting", 2]), _lesson_solved),
)  # fmt: skip
