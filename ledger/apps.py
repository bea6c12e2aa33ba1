"""The Django application ledger."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate, post_save


class LedgerConfig(AppConfig):
    name = "ledger"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for new people and for migrations; list checks and desk pages."""
        from accounts import signals
        from kit.sentences import WRITERS
        from ledger.audit_books import register_books
        from ledger.audit_changes import register_changes, register_unsealed
        from ledger.audit_reasons import register_reasons
        from ledger.desk.part import PART
        from ledger.receivers import (
            bot_becoming,
            guest_registered,
            token_changed,
            user_created,
        )
        from ledger.seals import register_seals
        from ledger.templatetags.credits import credits_text

        PART.register()
        WRITERS["_cents"] = credits_text
        register_books()
        register_reasons()
        register_changes()
        register_seals()
        register_unsealed()

        signals.bot_becoming.connect(bot_becoming, dispatch_uid="ledger.bot_becoming")
        signals.token_changed.connect(token_changed, dispatch_uid="ledger.token_changed")
        signals.guest_registered.connect(guest_registered, dispatch_uid="ledger.guest_registered")
        post_save.connect(
            user_created, sender=settings.AUTH_USER_MODEL, dispatch_uid="ledger.wallet_open"
        )
        post_migrate.connect(_rights_renew, dispatch_uid="ledger.rights_renew")


def _rights_renew(*, plan: list[Any] | None = None, using: str = "default", **_: object) -> None:
    """After migrations that did something; a flush (no plan) changes no rights."""
    from ledger.roles import rights_grant, role_exists

    if plan and using == "default" and role_exists():
        rights_grant()
