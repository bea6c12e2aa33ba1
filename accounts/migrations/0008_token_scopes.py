"""Tokens have scopes; those from before may read, play and sit down, as they could."""

import django.contrib.postgres.fields
from django.db import migrations, models

BEFORE = ["read", "play", "tables"]
SCOPES = ["read", "play", "tables", "wallet"]


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_mailboxes")]

    operations = [
        migrations.AddField(
            "apitoken",
            "scopes",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("read", "Read: tables, matches and challenges"),
                        ("play", "Play: give commands at a table and talk there"),
                        (
                            "tables",
                            "Tables: open, join and close them, challenge and be challenged",
                        ),
                        ("wallet", "Wallet: read the balance and the entries"),
                    ],
                    max_length=10,
                ),
                default=BEFORE,
                size=None,
            ),
            preserve_default=False,
        ),
        migrations.AddField("apitoken", "used_at", models.DateTimeField(null=True)),
        migrations.AddConstraint(
            "apitoken",
            models.CheckConstraint(
                condition=models.Q(scopes__contained_by=SCOPES) & models.Q(scopes__len__gt=0),
                name="token_has_scopes",
            ),
        ),
    ]
