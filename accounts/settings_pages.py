"""The settings page, and the two switches that stand on every page: theme and language."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from accounts.preferences import Section, Theme, Value
from accounts.reader_preferences import choices_in_form, choices_of, remember
from accounts.services import preferences_save
from house.languages import Language

#: so many characters of a form name the preferences it has
KEYS_MAX: Final = 500
TITLES: Final = {
    Section.PROFILE: gettext_lazy("Profile"),
    Section.APPEARANCE: gettext_lazy("Appearance"),
    Section.TABLE: gettext_lazy("Table"),
    Section.SOUND: gettext_lazy("Sound"),
    Section.NOTIFICATIONS: gettext_lazy("Notifications"),
    Section.LANGUAGE: gettext_lazy("Language and time"),
    Section.PRIVACY: gettext_lazy("Chat and privacy"),
}

#: what means something only with an account.
OF_ACCOUNTS: Final = frozenset({Section.PROFILE, Section.PRIVACY})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show all preferences of the reader; store those of a form.

    A form names its preferences in `keys`, separated by spaces, because an unchecked switch sends
    nothing. A script that accepts JSON receives the choices that hold now, or 400 with `error`; a
    form without scripts is redirected to its section.
    """
    if request.method != "POST":
        sections = [
            {"key": key.value, "title": title}
            for key, title in TITLES.items()
            if key not in OF_ACCOUNTS or request.user.is_authenticated
        ]
        return render(request, "accounts/settings.html", {"sections": sections})
    by_script = request.accepts("text/html") is False
    try:
        keys = request.POST.get("keys", "")[:KEYS_MAX].split()
        chosen = choices_in_form(request.POST, keys)
    except ValueError as error:
        if by_script:
            return JsonResponse({"error": str(error)}, status=400)
        messages.error(request, _("Not saved: one of the values cannot be chosen."))
        return HttpResponseRedirect(reverse("settings"))
    holds = {**choices_of(request), **chosen}
    response = JsonResponse(holds) if by_script else _to_section(request, chosen)
    _store(request, response, chosen)
    return response


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Store the theme the reader chose, on the device and with the account, and go back."""
    response = HttpResponseRedirect(_back(request))
    chosen = request.POST.get("theme", "")
    if chosen in Theme.values:
        _store(request, response, {"theme": chosen})
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Store the language the reader chose, on the device and with the account, and go back."""
    chosen = request.POST.get("language", "")
    if chosen in Language.values and request.user.is_authenticated:
        preferences_save(request.user, language=chosen)
    return set_language(request)


def _store(request: HttpRequest, response: HttpResponse, chosen: dict[str, Value]) -> None:
    remember(request, response, chosen)
    if request.user.is_authenticated:
        preferences_save(request.user, **chosen)


def _to_section(request: HttpRequest, chosen: dict[str, Value]) -> HttpResponse:
    with translation.override(str(chosen.get("language") or translation.get_language())):
        messages.success(request, _("Saved."))
    section = request.POST.get("section", "")
    anchor = f"#{section}" if section in list(Section) else ""
    return HttpResponseRedirect(reverse("settings") + anchor)


def _back(request: HttpRequest) -> str:
    """Return the address in the form's `next` when it is one of ours, else the home page."""
    address = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return "/"
