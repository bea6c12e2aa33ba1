"""Addresses of the pages that belong to no app."""

from django.conf import settings
from django.urls import path

from pasch.pages import (
    account_deletion,
    account_export,
    front_door,
    game_rules,
    house_files,
    installed,
    openings,
    papers,
    players,
    robots,
    rules,
)
from pasch.web import csp_reports

urlpatterns = [
    path("", front_door.home, name="home"),
    path("welcome/", front_door.welcome, name="welcome"),
    path("rules/", rules.rules, name="rules"),
    path("rules/openings/", openings.openings, name="rules_openings"),  # before those of the games
    path("rules/<slug:game>/", game_rules.game_rules, name="rules_game"),
    *(
        path(f"{page}/", papers.paper, {"page": page}, name=page.replace("-", "_"))
        for page in papers.PAPERS
    ),
    path("account/export/", account_export.account_export, name="account_export"),
    path("account/delete/", account_deletion.account_delete, name="account_delete"),
    path("account/keep/<str:token>/", account_deletion.account_keep, name="account_keep"),
    path("player/<str:username>/", players.player, name="player"),
    path("player/<str:username>/matches/", players.matches, name="player_matches"),
    path("player/<str:username>/ratings/", players.changes, name="player_changes"),
    path("player/<str:username>/vs/", players.compare, name="player_compare"),
    path("player/<str:username>/vs/<str:other>/", players.versus, name="player_versus"),
    path("manifest.webmanifest", installed.manifest, name="manifest"),
    path("house/board/<slug:colours>.css", house_files.house_board, name="house_board"),
    path("house/logo/<slug:digest>.png", house_files.house_logo, name="house_logo"),
    path("house/<slug:light>/<slug:dark>/colours.css", house_files.house_style, name="house_style"),
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.sitemap, name="sitemap"),
    path("offline/", installed.offline, name="offline"),
    path("worker.js", installed.worker, name="worker"),
    path(settings.CSP_REPORT_PATH.removeprefix("/"), csp_reports.csp_report, name="csp_report"),
]
