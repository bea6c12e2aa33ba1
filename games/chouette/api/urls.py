"""Addresses of chouettes for programs, below /api/v1/."""

from django.urls import path

from games.chouette.api import views

urlpatterns = [
    path("chouettes/", views.ChouettesApi.as_view(), name="api_chouettes"),
    path("chouettes/open/", views.ChouetteOpenApi.as_view(), name="api_chouette_open"),
    path("chouettes/<uuid:circle_id>/", views.ChouetteApi.as_view(), name="api_chouette"),
    path("chouettes/<uuid:circle_id>/do/", views.ChouetteDoApi.as_view(), name="api_chouette_do"),
]
