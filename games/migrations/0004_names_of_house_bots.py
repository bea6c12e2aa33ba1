"""Give the house bots of houses that ran before their names of today."""

from django.db import migrations


def bots_rename(apps, schema_editor):
    names = ("Pip", "Mira", "Bodo", "Fina", "Uma", "Rex")
    people = apps.get_model("accounts", "User").objects
    for number, name in enumerate(names):
        people.filter(username=f"Pasch {number}", is_bot=True).update(username=f"{name} Pasch")


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_stand_in'),
    ]

    operations = [migrations.RunPython(bots_rename, migrations.RunPython.noop)]
