"""Addresses of the interface for programs, below /api/."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from pasch.api.schema import no_such_address

urlpatterns = [
    path("v1/", include("ledger.api.urls")),
    path("v1/", include("games.api.urls")),
    path("schema/", SpectacularJSONAPIView.as_view(), name="api_schema"),
    re_path("", no_such_address),
]
