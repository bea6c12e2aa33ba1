"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks."""
        from pasch import checks  # noqa: F401
