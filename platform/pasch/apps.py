"""The Django application of the site itself."""

from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from ledger.audit import Check, RecentCheck


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks and what others add to an audit of the books; listen for logins."""
        from ledger.audit import register
        from pasch import checks, dice_audit, match_audit, security_log  # noqa: F401 (of checks)
        from ratings.audit import check_guards, check_ratings

        security_log.connect()
        register(
            "R0", "The guards of the rating log are in place", check_guards, _all_of(check_guards)
        )
        register("R1", "Every rating follows from the rating log", check_ratings)
        register(
            "M0",
            "The guards of the events are in place",
            match_audit.check_guards,
            _all_of(match_audit.check_guards),
        )
        register(
            "M1",
            "Every table follows from its events",
            match_audit.check_states,
            match_audit.check_recent_states,
        )
        register(
            "M2",
            "Every match paid what its ending says",
            match_audit.check_payouts,
            match_audit.check_recent_payouts,
        )
        register(
            "M3",
            "Every counted match was rated once",
            match_audit.check_rated,
            match_audit.check_recent_rated,
        )
        register(
            "D0",
            "The guards of the dice are in place",
            dice_audit.check_guards,
            _all_of(dice_audit.check_guards),
        )
        register(
            "D1",
            "Every record of dice is believed, and lay on the board",
            dice_audit.check_records,
            dice_audit.check_recent_records,
        )
        register("D2", "The log of openings is one chain", dice_audit.check_log)


def _all_of(check: "Check") -> "RecentCheck":
    """A check so cheap that a recent audit makes it whole."""
    return lambda _mark: check()
