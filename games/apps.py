"""The Django application games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Close sockets with their sessions; no account with credits at stake becomes a bot."""
        from accounts.signals import access_ended, bot_becoming
        from games.broadcast import access_ended_tell
        from games.services.becoming_bots import stakes_end_first

        access_ended.connect(access_ended_tell, dispatch_uid="games.access_ended")
        bot_becoming.connect(stakes_end_first, dispatch_uid="games.bot_becoming")
