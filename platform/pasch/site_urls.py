"""Addresses of the pages that belong to no app."""

from django.conf import settings
from django.urls import path

from pasch import csp_reports, front_door, installed, pages

urlpatterns = [
    path("", front_door.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("offline/", installed.offline, name="offline"),
    path("worker.js", installed.worker, name="worker"),
    path(settings.CSP_REPORT_PATH.removeprefix("/"), csp_reports.csp_report, name="csp_report"),
]
