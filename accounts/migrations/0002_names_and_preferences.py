"""Names that cannot be imitated, what a person prefers, and who is a bot."""

from typing import Any

import django.db.models.functions.text
from django.db import migrations, models

import accounts.models
import accounts.validators


def fill_name_keys(apps: Any, schema_editor: Any) -> None:
    """Give everybody who is already here a key."""
    for user in apps.get_model("accounts", "User").objects.all():
        user.save(update_fields=["name_key"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.AddField(
            "user",
            "is_bot",
            models.BooleanField(
                default=False,
                help_text="Played by a program; everybody is told.",
                verbose_name="bot",
            ),
        ),
        migrations.AddField(
            "user",
            "language",
            models.CharField(
                blank=True,
                choices=[("de", "Deutsch"), ("en", "English")],
                default="",
                help_text="Empty: the language of the browser.",
                max_length=5,
                verbose_name="language",
            ),
        ),
        migrations.AddField(
            "user",
            "theme",
            models.CharField(
                blank=True,
                choices=[
                    ("nussbaum", "Walnut (dark)"),
                    ("ahorn", "Maple (light)"),
                    ("kontrast", "High contrast"),
                ],
                default="",
                max_length=20,
                verbose_name="theme",
            ),
        ),
        migrations.AlterField(
            "user",
            "username",
            models.CharField(
                error_messages={"unique": "This name is taken."},
                help_text="Everybody sees it. Letters, digits, and - _ . between them.",
                max_length=24,
                unique=True,
                validators=[accounts.validators.validate_name],
                verbose_name="name",
            ),
        ),
        migrations.AddField(
            "user",
            "name_key",
            accounts.models.NameKeyField(editable=False, max_length=96, null=True),
        ),
        migrations.RunPython(fill_name_keys, migrations.RunPython.noop),
        migrations.AlterField(
            "user",
            "name_key",
            accounts.models.NameKeyField(editable=False, max_length=96, unique=True),
        ),
        migrations.AddConstraint(
            "user",
            models.UniqueConstraint(
                django.db.models.functions.text.Lower("username"), name="user_name_in_any_case"
            ),
        ),
    ]
