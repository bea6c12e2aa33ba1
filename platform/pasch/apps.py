"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks and what others add to an audit of the books; listen for logins."""
        from ledger.audit import register
        from pasch import (  # noqa: F401 (of checks)
            agreement,
            checks,
            dice_audit,
            house_prices,
            match_audit,
            security_log,
            staff_audit,
        )
        from pasch.guards import guards_changed
        from ratings.audit import check_ratings

        security_log.connect()
        register(
            "A0",
            "Every guard of the database is as the migrations made it",
            guards_changed,
            lambda _mark: guards_changed(),
        )
        register("R1", "Every rating follows from the rating log", check_ratings)
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
            "M4",
            "Every transfer of a match has a match behind it",
            match_audit.check_reasons,
            match_audit.check_recent_reasons,
        )
        register(
            "H1",
            "Every figure of the house is in bounds and as two people decided it",
            house_prices.check_prices,
            lambda _mark: house_prices.check_prices(),
        )
        register(
            "M5",
            "Events, row, result and ratings of every match say the same",
            agreement.check_agreement,
            agreement.check_recent_agreement,
        )
        register(
            "U1",
            "Every right at the desk follows from a decision in force",
            staff_audit.check_roles,
            lambda _mark: staff_audit.check_roles(),
        )
        register(
            "U2",
            "Every second person was another one at that time",
            staff_audit.check_second_persons,
            lambda _mark: staff_audit.check_second_persons(),
        )
        register(
            "D1",
            "Every record of dice is believed, and lay on the board",
            dice_audit.check_records,
            dice_audit.check_recent_records,
        )
        register("D2", "The log of openings is one chain", dice_audit.check_log)
