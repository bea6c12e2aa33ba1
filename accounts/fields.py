"""Fields of the user model with rules of their own.

Migrations know each as Django's field that it is in the database, and import nothing of the house.
"""

from typing import Any

from django.db import models

from accounts.names import skeleton, validate_name
from accounts.preferences import validate_preferences


class NameField(models.CharField):  # type: ignore[type-arg]  # no parameter at run time
    """A name that a person may bear."""

    default_validators = [validate_name]

    def deconstruct(self) -> Any:
        """Describe it as a CharField."""
        return _as_djangos(super().deconstruct(), "CharField")


class NameKeyField(models.CharField):  # type: ignore[type-arg]  # no parameter at run time
    """The skeleton of the user name, computed whenever the row is written."""

    def pre_save(self, model_instance: Any, add: bool) -> str:
        """Derive the key from the user name; it is never set directly."""
        key = skeleton(model_instance.username)
        setattr(model_instance, self.attname, key)
        return key

    def deconstruct(self) -> Any:
        """Describe it as a CharField."""
        return _as_djangos(super().deconstruct(), "CharField")


class PreferencesField(models.JSONField):
    """The preferences of a person, which `accounts/preferences.py` lists."""

    default_validators = [validate_preferences]

    def deconstruct(self) -> Any:
        """Describe it as a JSONField."""
        return _as_djangos(super().deconstruct(), "JSONField")


def _as_djangos(described: tuple[Any, ...], kind: str) -> Any:
    name, _, arguments, options = described
    return name, f"django.db.models.{kind}", arguments, options
