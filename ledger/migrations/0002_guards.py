"""Triggers and functions of the books."""

from django.db import migrations

from ledger.migrations._frozen import frozen


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_books")]

    operations = [
        frozen("0002_guards"),
        frozen("0002_posting"),
        frozen("0002_seals"),
        frozen("0002_rights"),
    ]
