"""People in Django's administration: for looking and for few, safe changes."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import user_disable

admin.site.unregister(Group)  # what a role may is code (accounts/roles.py)


@admin.register(User)
class PersonAdmin(UserAdmin):
    """Names are identities on the books, so accounts are disabled and never deleted."""

    list_display = ("username", "is_staff", "is_bot", "is_guest", "is_active", "date_joined")
    list_filter = ("is_staff", "is_bot", "is_guest", "is_active")
    search_fields = ("username", "email")
    # Roles are given at the desk, which writes them into its journal, and nowhere else.
    readonly_fields = (
        "is_guest",
        "is_staff",
        "is_superuser",
        "groups",
        "date_joined",
        "last_login",
    )
    fieldsets = (
        (None, {"fields": ("username", "email")}),
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

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save; an account that was closed here is out at once, in every window."""
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data and not obj.is_active:
            user_disable(obj)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Nobody sets a password for another: he could then log in as him."""
        raise PermissionDenied

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        """Nobody is deleted: the ledger and the ratings name people for good."""
        return False
