"""People in Django's administration: for looking and for few, safe changes."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):
    """Names are identities on the books, so accounts are disabled and never deleted."""

    list_display = ("username", "is_staff", "is_bot", "is_guest", "is_active", "date_joined")
    list_filter = ("is_staff", "is_bot", "is_guest", "is_active")
    search_fields = ("username", "email")
    readonly_fields = ("is_guest", "date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "email", "password")}),
        (_("Preferences"), {"fields": ("language", "theme")}),
        (
            _("Rights"),
            {
                "fields": (
                    "is_active",
                    "is_bot",
                    "is_guest",
                    "is_staff",
                    "is_superuser",
                    "groups",
                )
            },
        ),
        (_("Dates"), {"fields": ("date_joined", "last_login")}),
    )

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        """Nobody is deleted: the ledger and the ratings name people for good."""
        return False
