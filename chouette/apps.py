"""The Django application chouette."""

from django.apps import AppConfig


class ChouetteConfig(AppConfig):
    name = "chouette"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have gains by chouettes screened."""
        from chouette.services.gains import CHOUETTES
        from fairplay.gains import gains_register

        gains_register(CHOUETTES)
