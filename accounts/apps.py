"""The Django application accounts."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
