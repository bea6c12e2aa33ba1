"""Preferences of the table, the sounds and the look, with the account."""

from django.db import migrations, models

import accounts.preferences


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="preferences",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="What was chosen of accounts/preferences.py, besides language and theme.",
                validators=[accounts.preferences.validate_preferences],
                verbose_name="preferences",
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="theme",
            field=models.CharField(
                blank=True,
                choices=[
                    ("device", "As on this device"),
                    ("ahorn", "Light"),
                    ("nussbaum", "Dark"),
                    ("kontrast", "High contrast"),
                ],
                default="",
                max_length=20,
                verbose_name="theme",
            ),
        ),
    ]
