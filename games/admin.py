"""Browsing tables and matches in Django's admin. Read-only: the events are authoritative."""

from django.contrib import admin
from django.http import HttpRequest

from games.models import HousePrices, Match, Table, TableEvent


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # no parameter at run time
    """A read-only list."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        """Nothing is deleted by hand."""
        return False


@admin.register(HousePrices)
class HousePricesAdmin(ReadOnly):
    """The figures that the house had; the desk changes them."""

    list_display = ("number", "rake_bps", "pair_limit", "proposed_by", "confirmed_by", "made_at")


@admin.register(Table)
class TableAdmin(ReadOnly):
    """Tables."""

    list_display = ("id", "mode", "opener", "guest", "phase", "seq", "changed_at")
    list_filter = ("mode", "phase")
    search_fields = ("opener__username", "guest__username")


@admin.register(Match)
class MatchAdmin(ReadOnly):
    """Matches."""

    list_display = ("id", "mode", "player_0", "player_1", "winner_seat", "ending", "ended_at")
    list_filter = ("mode", "ending")
    search_fields = ("player_0__username", "player_1__username")


@admin.register(TableEvent)
class TableEventAdmin(ReadOnly):
    """Events."""

    list_display = ("table", "seq", "type", "stored_at")
    list_filter = ("type",)
