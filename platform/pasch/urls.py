"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("pasch.site_urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
