"""Django's administration behind the login of the house, and read-only.

Its own login form has neither rate limits nor second factors, so it is never shown. What
staff change they change at the desk (docs/desk.md), with a reason and an entry in the journal.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, cast

from django.contrib.admin import AdminSite, ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.access import may_administer, turned_away
from house.reader import house_now

NEVER_SHOWN: Final = frozenset(
    {
        "usersessions.UserSession",
        "mfa.Authenticator",
        "socialaccount.SocialAccount",
        "socialaccount.SocialApp",
        "socialaccount.SocialToken",
    }
)
"""A reader of these rows could act as the person: with the key of a session, the fresh second
factor of its owner included. People see their own on their account page."""

View = TypeVar("View", bound=Callable[..., HttpResponseBase])

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Shown(ModelAdmin):  # type: ignore[type-arg]  # no parameter at run time
    """How rows are shown. That they are only shown is the site's rule, whatever a class allows."""


class LookOnly(ModelAdmin):  # type: ignore[type-arg]  # no parameter at run time
    """Base of every registered class: no adding, changing or deleting."""

    def has_add_permission(self, request: HttpRequest, *_: object) -> bool:
        """Nothing is added by hand, by superusers neither."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is changed by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nothing is deleted by hand."""
        return False

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer no actions: a library's actions may write regardless of rights."""
        return {}


class HouseAdminSite(AdminSite):
    """The administration for staff with a second factor; it shows and changes nothing."""

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Give every page the name of the house."""
        name = house_now().name
        return {**super().each_context(request), "site_title": name, "site_header": name}

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: "type[ModelAdmin[Any]] | None" = None,
        **options: Any,
    ) -> None:
        """Register models to be looked at, whatever the class of a library would allow.

        Those of `NEVER_SHOWN` get no page.
        """
        models = [model_or_iterable] if isinstance(model_or_iterable, type) else model_or_iterable
        shown = admin_class or ModelAdmin
        for model in models:
            if model._meta.label in NEVER_SHOWN:
                continue
            name = f"LookOnly{shown.__name__}"
            bases = (LookOnly,) if shown is ModelAdmin else (LookOnly, shown)
            super().register(model, type(name, bases, {}), **options)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Serve a page of the administration in a read-only transaction."""
        return super().admin_view(view if view == self.logout else _read_only(view), cacheable)

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


def _read_only(view: View) -> View:
    """The view in a transaction that PostgreSQL keeps from writing; it takes no POST."""

    def looked_at(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method not in READING:
            raise PermissionDenied
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):  # a page that would be written later is written now
                response.render()
            return response

    return cast("View", looked_at)
