"""A scope of tokens for matches from elsewhere."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='apitoken',
            name='token_has_scopes',
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='scopes',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('read', 'Read: tables, matches, challenges, tournaments and analyses'), ('play', 'Play: give commands at a table and talk there'), ('tables', 'Tables: open, join and close them, challenge and be challenged, enter tournaments'), ('matches', 'Matches: bring matches from elsewhere and delete them'), ('wallet', 'Wallet: read the balance and the entries')], max_length=10), size=None),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['read', 'play', 'tables', 'matches', 'wallet']), ('scopes__len__gt', 0)), name='token_has_scopes'),
        ),
    ]
