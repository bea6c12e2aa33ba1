"""All addresses of the site."""

from importlib.util import find_spec

from django.contrib import admin
from django.urls import include, path

from pasch.health import health

urlpatterns = [
    path("", include("pasch.site_urls")),
    path("health/", health, name="health"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
# Every app brings its own addresses in a module of this name.
for app in ("accounts", "ledger", "ratings", "games"):
    if find_spec(f"{app}.urls"):
        urlpatterns.append(path("", include(f"{app}.urls")))
