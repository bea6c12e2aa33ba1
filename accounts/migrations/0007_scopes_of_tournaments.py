"""The scopes of a token also reach tournaments."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_login_marks"),
    ]

    operations = [
        migrations.AlterField(
            model_name="apitoken",
            name="scopes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("read", "Read: tables, matches, challenges, tournaments and analyses"),
                        ("play", "Play: give commands at a table and talk there"),
                        (
                            "tables",
                            "Tables: open, join and close them, challenge and be challenged, enter tournaments",
                        ),
                        ("wallet", "Wallet: read the balance and the entries"),
                    ],
                    max_length=10,
                ),
                size=None,
            ),
        ),
    ]
