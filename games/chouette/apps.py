"""The Django application chouette."""

from django.apps import AppConfig


class ChouetteConfig(AppConfig):
    name = "games.chouette"
    label = "chouette"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the chouette as a kind of table, and its pages at the desk."""
        from games.chouette.desk import PART
        from games.chouette.kind import KIND
        from games.kinds import kind_register

        kind_register(KIND)
        PART.register()
