"""Django's administration behind the same door as the rest of the house.

Its own login form knows neither rate limits nor second factors, so nobody ever sees it.
"""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.access import may_administer, turned_away


class HouseAdminSite(AdminSite):
    """The administration for staff with a second factor."""

    site_header = "Pasch"
    site_title = "Pasch"

    def has_permission(self, request: HttpRequest) -> bool:
        """Ask for more than Django does: the second factor too."""
        return may_administer(request.user)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Send to the site's own login, to setting up a second factor, or away."""
        if may_administer(request.user):
            address = request.GET.get("next", "")
            if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}):
                return redirect(address)
            return redirect("admin:index")
        return turned_away(request)
