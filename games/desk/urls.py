"""The addresses of the pages about matches at the desk."""

from django.urls import path

from games.desk import match_decisions, matches, stops

urlpatterns = [
    path("matches/", matches.matches, name="matches"),
    path("matches/<uuid:match_id>/", matches.match, name="match"),
    path("matches/<uuid:match_id>/evidence.json", matches.evidence, name="match_evidence"),
    path("matches/<uuid:match_id>/decision/", match_decisions.decision, name="match_decision"),
    path("matches/<uuid:match_id>/void/", match_decisions.void, name="match_void"),
    path(
        "matches/<uuid:match_id>/adjudicate/", match_decisions.adjudicate, name="match_adjudicate"
    ),
    path("stops/", stops.stops, name="stops"),
    path("stops/resume/", stops.resume, name="stop_resume"),
]
