"""A batch of vouchers that is too large for one administrator waits for a second one.

Vouchers from before were made by one person within the limit of their day, and stay as they are.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

from ledger.migrations._frozen import frozen, watched


class Migration(migrations.Migration):
    dependencies = [
        ("ledger", "0012_promo_passed"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="voucher",
            name="alone",
            field=models.BooleanField(default=True),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="voucher",
            name="confirmed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="voucher",
            name="confirmed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddConstraint(
            model_name="voucher",
            constraint=models.CheckConstraint(
                condition=Q(confirmed_by=None, confirmed_at=None)
                | (
                    Q(confirmed_by__isnull=False, confirmed_at__isnull=False, alone=False)
                    & ~Q(confirmed_by=F("made_by"))
                ),
                name="voucher_confirmed_by_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="voucher",
            constraint=models.CheckConstraint(
                condition=Q(redeemed_by=None) | Q(alone=True) | Q(confirmed_by__isnull=False),
                name="voucher_redeemed_if_confirmed",
            ),
        ),
        migrations.AddConstraint(
            model_name="voucher",
            constraint=models.CheckConstraint(
                condition=Q(redeemed_by=None)
                | Q(confirmed_by=None)
                | ~Q(redeemed_by=F("confirmed_by")),
                name="voucher_not_for_its_confirmer",
            ),
        ),
        frozen("0013_vouchers"),
        watched("ledger_voucher"),
    ]
