"""Mailboxes: a hash of every mailbox that an account has named, for people from before as well."""

import secrets

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from accounts.mailboxes import mailbox_key, mailbox_of


def mailboxes_fill(apps, schema_editor) -> None:
    """Write down the mailboxes of everybody; when one was proved is not known, so early."""
    salt = secrets.token_bytes(32)
    apps.get_model("accounts", "MailboxSalt").objects.create(pk=1, value=salt)
    mailboxes = apps.get_model("accounts", "Mailbox").objects
    people = apps.get_model("accounts", "User").objects.exclude(email="")
    for user_id, email in people.values_list("pk", "email").iterator():
        if mailbox := mailbox_of(email):
            mailboxes.get_or_create(user_id=user_id, key=mailbox_key(mailbox, salt))
    addresses = apps.get_model("account", "EmailAddress").objects
    rows = addresses.values_list("user_id", "user__date_joined", "email", "verified")
    for user_id, joined_at, email, verified in rows.iterator():
        if mailbox := mailbox_of(email):
            key = mailbox_key(mailbox, salt)
            proved_at = joined_at if verified else None
            row, _ = mailboxes.get_or_create(user_id=user_id, key=key)
            mailboxes.filter(pk=row.pk, proved_at=None).update(proved_at=proved_at)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_outgoing_mail"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    operations = [
        migrations.CreateModel(
            name="MailboxSalt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.BinaryField(max_length=32)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("pk", 1)), name="mailbox_one_salt")
                ],
            },
        ),
        migrations.CreateModel(
            name="Mailbox",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(editable=False, max_length=64)),
                (
                    "named_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("proved_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mailboxes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["key"], name="mailbox_by_key")],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "key"), name="mailbox_once")
                ],
            },
        ),
        migrations.RunPython(mailboxes_fill, migrations.RunPython.noop),
    ]
