"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks, and what the ratings have to say in an audit of the books."""
        from ledger.audit import register
        from pasch import checks  # noqa: F401
        from ratings.audit import check_guards, check_ratings

        register("R0", "The guards of the rating log are in place", check_guards)
        register("R1", "Every rating follows from the rating log", check_ratings)
