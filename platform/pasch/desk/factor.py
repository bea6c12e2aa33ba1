"""Showing the second factor before a decision that needs it fresh, and coming back to it."""

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from kit.requests import SignedInRequest
from pasch.desk.access import desk_page, second_factor_ask


@desk_page("accounts.view_user")
@require_POST
def factor(request: SignedInRequest) -> HttpResponse:
    """Send to show the second factor, and from there to `next`, a page of the desk."""
    home, back = reverse("desk:overview"), request.POST.get("next", "")
    inside = back.startswith(home) and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return second_factor_ask(request, back if inside else home)
