"""The Django application games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Receive what happens to accounts: sessions end, strangers log in, guests register, …"""
        from django.contrib.auth.signals import user_logged_in

        from accounts.signals import access_ended, bot_becoming, guest_registered
        from games.broadcast import access_ended_tell
        from games.services.becoming_bots import stakes_end_first
        from games.services.guest_names import name_follows
        from games.services.learning import progress_take_over

        access_ended.connect(access_ended_tell, dispatch_uid="games.access_ended")
        bot_becoming.connect(stakes_end_first, dispatch_uid="games.bot_becoming")
        guest_registered.connect(name_follows, dispatch_uid="games.guest_registered")
        user_logged_in.connect(progress_take_over, dispatch_uid="games.learning")
