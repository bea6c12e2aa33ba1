"""The Django application chouette."""

from django.apps import AppConfig


class ChouetteConfig(AppConfig):
    name = "games.chouette"
    label = "chouette"
    default_auto_field = "django.db.models.BigAutoField"
