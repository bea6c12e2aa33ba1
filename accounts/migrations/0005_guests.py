"""Guests: people without an account, who practise and nothing else."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_give_role")]

    operations = [
        migrations.AddField(
            "user",
            "is_guest",
            models.BooleanField(
                default=False,
                help_text="Practises without an account.",
                verbose_name="guest",
            ),
        ),
        migrations.AddIndex(
            "user",
            models.Index(
                condition=models.Q(is_guest=True, is_active=True),
                fields=["last_login"],
                name="guest_by_age",
            ),
        ),
        migrations.AddConstraint(
            "user",
            models.CheckConstraint(
                condition=models.Q(is_guest=False)
                | models.Q(is_bot=False, is_staff=False, is_superuser=False, email=""),
                name="guest_is_nobody_else",
            ),
        ),
    ]
