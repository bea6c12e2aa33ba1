"""People in Django's administration: for looking, like everything there."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User

admin.site.unregister(Group)  # what a role may is code (accounts/roles.py)


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]  # no parameter at run time
    """People as they are stored; what changes about them is changed at the desk."""

    list_display = ("username", "is_staff", "is_bot", "is_guest", "is_active", "date_joined")
    list_filter = ("is_staff", "is_bot", "is_guest", "is_active")
    search_fields = ("username", "email")
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

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Nobody sets a password for another, and could then log in with it."""
        raise PermissionDenied
