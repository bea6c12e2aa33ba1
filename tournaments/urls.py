"""Addresses of tournaments."""

from django.urls import path

from tournaments.pages import (
    calendar,
    club_talk,
    clubs,
    feeds,
    naming,
    new,
    reader,
    tournament,
)

urlpatterns = [
    path("tournaments/", calendar.calendar, name="tournaments"),
    path("tournaments/new/", new.new, name="tournament_new"),
    path("tournaments/rules/", tournament.rules, name="tournament_rules"),
    path("tournaments/calendar.ics", feeds.public, name="tournament_calendar"),
    path("calendar/<str:token>.ics", feeds.own, name="calendar_own"),
    path("settings/calendar/", feeds.settings_page, name="calendar_settings"),
    path("tournaments/calls/", reader.calls, name="tournament_calls"),
    path("clubs/", clubs.all_clubs, name="clubs"),
    path("clubs/new/", clubs.new_club, name="club_new"),
    path("clubs/<uuid:club_id>/", clubs.club, name="club"),
    path("clubs/<uuid:club_id>/act/", clubs.club_act, name="club_act"),
    path("clubs/<uuid:club_id>/edit/", naming.club_edit, name="club_edit"),
    path("clubs/<uuid:club_id>/report/", naming.club_report, name="club_report"),
    path("clubs/<uuid:club_id>/say/", club_talk.club_say, name="club_say"),
    path("clubs/<uuid:club_id>/talk/", club_talk.club_talk, name="club_talk"),
    path("clubs/<uuid:club_id>/talk/<int:number>/", club_talk.club_line, name="club_line"),
    path("tournaments/<uuid:tournament_id>/", tournament.tournament, name="tournament"),
    path("tournaments/<uuid:tournament_id>/report/", naming.report, name="tournament_report"),
    path("tournaments/<uuid:tournament_id>/act/", reader.act, name="tournament_act"),
    path("tournaments/<uuid:tournament_id>/direct/", tournament.direct, name="tournament_direct"),
    path("tournaments/<uuid:tournament_id>/draw/", feeds.draw, name="tournament_draw"),
    path(
        "tournaments/<uuid:tournament_id>/results.<slug:kind>", feeds.file, name="tournament_file"
    ),
]
