"""Ratings in Django's administration: for looking only; only a match or its voiding moves them."""

from typing import Any

from django.contrib import admin

from ratings.models import Rating, RatingChange


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # no parameter at run time
    """Rows are read-only."""

    list_select_related = True
    list_per_page = 50

    def has_add_permission(self, request: Any) -> bool:
        """Rows are never added by hand."""
        return False

    def has_change_permission(self, request: Any, obj: Any = None) -> bool:
        """Rows are never changed by hand."""
        return False

    def has_delete_permission(self, request: Any, obj: Any = None) -> bool:
        """Rows are never deleted by hand."""
        return False


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    """Where everybody stands."""

    list_display = ("user", "pool", "elo", "experience", "games")
    list_filter = ("pool",)
    search_fields = ("user__username",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    """The changes behind it."""

    list_display = ("created", "user", "opponent", "pool", "kind", "won", "before", "after")
    list_filter = ("pool", "kind")
    search_fields = ("reference", "user__username")
    date_hierarchy = "created"
