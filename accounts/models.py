"""People: the one user model of the house."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH, skeleton
from accounts.validators import validate_name


class Theme(models.TextChoices):
    """How the board and the pages look."""

    NUSSBAUM = "nussbaum", _("Walnut (dark)")
    AHORN = "ahorn", _("Maple (light)")
    KONTRAST = "kontrast", _("High contrast")


class Language(models.TextChoices):
    """The languages of every page."""

    GERMAN = "de", "Deutsch"
    ENGLISH = "en", "English"


class NameKeyField(models.CharField):
    """The skeleton of the user name, computed whenever the row is written."""

    def pre_save(self, model_instance: Any, add: bool) -> str:
        """Follow the user name; nobody sets a key by hand."""
        key = skeleton(model_instance.username)
        setattr(model_instance, self.attname, key)
        return key


class User(AbstractUser):
    """A person (or a labelled bot) with a name that everybody sees and nobody can imitate."""

    username = models.CharField(
        _("name"),
        max_length=MAX_LENGTH,
        unique=True,
        validators=[validate_name],
        help_text=_("Everybody sees it. Letters, digits, and - _ . between them."),
        error_messages={"unique": _("This name is taken.")},
    )
    name_key = NameKeyField(max_length=4 * MAX_LENGTH, unique=True, editable=False)
    is_bot = models.BooleanField(
        _("bot"), default=False, help_text=_("Played by a program; everybody is told.")
    )
    language = models.CharField(
        _("language"),
        max_length=5,
        choices=Language.choices,
        blank=True,
        default="",
        help_text=_("Empty: the language of the browser."),
    )
    theme = models.CharField(
        _("theme"), max_length=20, choices=Theme.choices, blank=True, default=""
    )

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta(AbstractUser.Meta):
        constraints = (models.UniqueConstraint(Lower("username"), name="user_name_in_any_case"),)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row; a changed name takes its key along."""
        fields = kwargs.get("update_fields")
        if fields is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)
