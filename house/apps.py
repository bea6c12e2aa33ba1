"""The Django application house."""

from django.apps import AppConfig


class HouseConfig(AppConfig):
    name = "house"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let parts of pages be rendered anew when a setting changes."""
        from house.reader import house_edition
        from kit.fragments import edition_from

        edition_from(house_edition)
