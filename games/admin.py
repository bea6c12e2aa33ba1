"""Browsing tables and matches in Django's admin. Read-only: the events are authoritative."""

from django.contrib import admin

from accounts.admin_site import Shown
from games.models import Match, Table, TableEvent


@admin.register(Table)
class TableAdmin(Shown):
    """Tables."""

    list_display = ("id", "mode", "opener", "guest", "phase", "seq", "changed_at")
    list_filter = ("mode", "phase")
    search_fields = ("opener__username", "guest__username")


@admin.register(Match)
class MatchAdmin(Shown):
    """Matches."""

    list_display = ("id", "mode", "player_0", "player_1", "winner_seat", "ending", "ended_at")
    list_filter = ("mode", "ending")
    search_fields = ("player_0__username", "player_1__username")


@admin.register(TableEvent)
class TableEventAdmin(Shown):
    """Events."""

    list_display = ("table", "seq", "type", "stored_at")
    list_filter = ("type",)
