"""The Django application tournaments."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Follow the scores at the tables of tournaments, and register them as a kind of table."""
        from games.kinds import kind_register
        from games.services.commit import scores_follow
        from tournaments.desk.part import PART
        from tournaments.kind import KIND
        from tournaments.services.store import score_tell

        scores_follow(score_tell)
        kind_register(KIND)
        PART.register()
