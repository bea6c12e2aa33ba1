"""Which transfers brought promotional credits to which wallet."""

from django.db import models
from django.db.models import Q

from ledger.models.books import Account, Transfer


class PromoCredit(models.Model):
    """One promotional credit: written by `ledger_post` with its entry, and never changed."""

    pk = models.CompositePrimaryKey("account_id", "account_version")
    account = models.ForeignKey(Account, models.PROTECT, related_name="+", db_index=False)
    account_version = models.BigIntegerField()
    transfer = models.ForeignKey(Transfer, models.PROTECT, related_name="+", db_index=False)
    amount_cents = models.BigIntegerField()

    class Meta:
        db_table = "ledger_promo"
        constraints = [
            models.CheckConstraint(condition=Q(amount_cents__gt=0), name="promo_brings_credits")
        ]

    def __str__(self) -> str:
        return f"{self.amount_cents} cents to account {self.account_id}"
