from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("analysis", "0007_opinions"),
    ]

    operations = [
        migrations.AddField(
            model_name="question",
            name="taken_at",
            field=models.DateTimeField(null=True),
        ),
    ]
