"""The Django application games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Find the table of Hypergammon, and receive what happens to accounts: sessions end, …"""
        from django.conf import settings
        from django.contrib.auth.signals import user_logged_in

        from accounts.signals import access_ended, bot_becoming, guest_registered
        from backgammon.evaluation.hypergammon.table import keep_at
        from games.broadcast import access_ended_tell
        from games.desk.part import PART
        from games.kind import KIND
        from games.kinds import kind_register
        from games.services.guests import name_follows
        from games.services.learning import progress_take_over
        from games.services.leaving import stakes_end_first
        from games.services.prices import prices_register

        keep_at(settings.HYPERGAMMON_TABLE)
        prices_register()
        access_ended.connect(access_ended_tell, dispatch_uid="games.access_ended")
        bot_becoming.connect(stakes_end_first, dispatch_uid="games.bot_becoming")
        guest_registered.connect(name_follows, dispatch_uid="games.guest_registered")
        user_logged_in.connect(progress_take_over, dispatch_uid="games.learning")
        kind_register(KIND)
        PART.register()
