"""Ratings in Django's administration: for looking only; only a match or its voiding moves them."""

from django.contrib import admin

from accounts.admin_site import Shown
from ratings.models import Rating, RatingChange


@admin.register(Rating)
class RatingAdmin(Shown):
    """Where everybody stands."""

    list_select_related = True
    list_per_page = 50
    list_display = ("user", "pool", "elo", "experience", "games")
    list_filter = ("pool",)
    search_fields = ("user__username",)


@admin.register(RatingChange)
class RatingChangeAdmin(Shown):
    """The changes behind it."""

    list_select_related = True
    list_per_page = 50
    list_display = ("created", "user", "opponent", "pool", "kind", "won", "before", "after")
    list_filter = ("pool", "kind")
    search_fields = ("reference", "user__username")
    date_hierarchy = "created"
