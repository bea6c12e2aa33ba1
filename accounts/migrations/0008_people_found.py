"""Names and addresses are found by an index: whole, by their beginning, and by a part."""

import django.contrib.postgres.indexes
import django.db.models.functions.text
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations, models

OpClass = django.contrib.postgres.indexes.OpClass
GinIndex = django.contrib.postgres.indexes.GinIndex
Upper = django.db.models.functions.text.Upper


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_scopes_of_tournaments"),
    ]

    operations = [
        TrigramExtension(),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(OpClass(Upper("username"), "text_pattern_ops"), name="user_by_name"),
        ),
        migrations.AddIndex(
            model_name="user",
            index=GinIndex(OpClass(Upper("username"), "gin_trgm_ops"), name="user_by_part_of_name"),
        ),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(fields=["email"], name="user_by_address"),
        ),
        migrations.AddIndex(
            model_name="user",
            index=models.Index(
                OpClass(Upper("email"), "text_pattern_ops"), name="user_by_any_address"
            ),
        ),
        migrations.AddIndex(
            model_name="user",
            index=GinIndex(OpClass(Upper("email"), "gin_trgm_ops"), name="user_by_part_of_address"),
        ),
    ]
