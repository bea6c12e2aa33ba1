"""Addresses of tournaments."""

from django.urls import path

from tournaments.pages import calendar, files, new, rules, tournament

urlpatterns = [
    path("tournaments/", calendar.calendar, name="tournaments"),
    path("tournaments/new/", new.new, name="tournament_new"),
    path("tournaments/rules/", rules.rules, name="tournament_rules"),
    path("tournaments/calls/", tournament.calls, name="tournament_calls"),
    path("tournaments/<uuid:tournament_id>/", tournament.tournament, name="tournament"),
    path("tournaments/<uuid:tournament_id>/act/", tournament.act, name="tournament_act"),
    path("tournaments/<uuid:tournament_id>/draw/", files.draw, name="tournament_draw"),
    path(
        "tournaments/<uuid:tournament_id>/results.<slug:kind>", files.file, name="tournament_file"
    ),
]
