"""The Django application games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Hear of sessions that end: open sockets end with them."""
        from accounts.signals import access_ended
        from games.broadcast import access_ended_tell

        access_ended.connect(access_ended_tell, dispatch_uid="games.access_ended")
