"""The addresses of the pages about matches at the desk."""

from django.urls import path

from games.desk import deciding, matches, stops

urlpatterns = [
    path("matches/", matches.matches, name="matches"),
    path("matches/<uuid:match_id>/", matches.match, name="match"),
    path("matches/<uuid:match_id>/evidence.json", matches.evidence, name="match_evidence"),
    path(
        "matches/<uuid:row_key>/decision/",
        deciding.decision,
        {"key": "match"},
        name="match_decision",
    ),
    path("stops/", stops.stops, name="stops"),
    path("stops/resume/", stops.resume, name="stop_resume"),
]
