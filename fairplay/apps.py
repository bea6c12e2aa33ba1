"""The Django application fairplay."""

from django.apps import AppConfig


class FairplayConfig(AppConfig):
    name = "fairplay"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Keep the events of contested matches in rows; screen gains by matches and chouettes."""
        from fairplay.chouette_gains import CHOUETTES
        from fairplay.complaints import tables_contested
        from fairplay.desk.part import PART
        from fairplay.gains import gains_register
        from fairplay.match_gains import MATCHES
        from games.services.packing import held_tables_register

        held_tables_register(tables_contested)
        gains_register(MATCHES)
        gains_register(CHOUETTES)
        PART.register()
