"""The addresses of the pages about tournaments, and about reports of words, at the desk."""

from django.urls import path

from tournaments.desk import added_credits, reports

_TALK, _CLUB, _TITLE = {"kind": "talk"}, {"kind": "club"}, {"kind": "tournament"}

urlpatterns = [
    path("reports/", reports.reports, name="reports"),
    path("reports/<int:report_id>/", reports.report, name="report"),
    path("reports/<int:report_id>/close/", reports.decide, _TALK, name="report_close"),
    path("clubs/<uuid:club_id>/", reports.named, _CLUB, name="club"),
    path("clubs/<uuid:club_id>/decide/", reports.decide, _CLUB, name="club_decide"),
    path("clubs/removals/<int:removal_id>/", reports.restore, _CLUB, name="club_restore"),
    path("titles/<uuid:tournament_id>/", reports.named, _TITLE, name="title"),
    path("titles/<uuid:tournament_id>/decide/", reports.decide, _TITLE, name="title_decide"),
    path("titles/removals/<int:removal_id>/", reports.restore, _TITLE, name="title_restore"),
    path("tournaments/", added_credits.tournaments, name="tournaments"),
]
