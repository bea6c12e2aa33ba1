"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from games.chouette.pages import rules as chouette_rules
from pasch.observability.health import health, house, live, readiness, started
from pasch.observability.metrics import metrics
from pasch.web.errors import bad_request, server_error

urlpatterns = [
    path("rules/chouette/", chouette_rules, name="rules_chouette"),  # before those of the games
    path("", include("pasch.pages.urls")),
    path("", include("accounts.urls")),
    path("", include("ledger.urls")),
    path("", include("ratings.urls")),
    path("", include("analysis.urls")),
    path("", include("fairplay.urls")),
    path("", include("tournaments.urls")),
    path("chouette/", include("games.chouette.urls")),
    path("", include("games.urls")),
    path("api/", include("pasch.api.urls")),
    path("desk/", include("pasch.desk.urls")),
    path("health/", health, name="health"),
    path("health/live/", live, name="health_live"),
    path("health/ready/", readiness, name="readiness"),
    path("health/started/", started, name="health_started"),
    path("health/house/", house, name="health_house"),
    path("metrics/", metrics, name="metrics"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

handler400 = bad_request
handler500 = server_error
