"""The Django application analysis."""

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """A visitor who logs in takes their tries along; a new house gets its exercises."""
        from django.contrib.auth.signals import user_logged_in
        from django.db.models.signals import post_migrate

        from analysis.training.house_set import set_store
        from analysis.training.tries import tries_take_over

        user_logged_in.connect(tries_take_over, dispatch_uid="analysis.tries")
        post_migrate.connect(set_store, sender=self, dispatch_uid="analysis.set")
