"""The Django application fairplay."""

from django.apps import AppConfig


class FairplayConfig(AppConfig):
    name = "fairplay"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Keep the events of contested matches in rows."""
        from fairplay.complaints import tables_contested
        from fairplay.desk.part import PART
        from games.services.packing import held_tables_register

        held_tables_register(tables_contested)
        PART.register()
