"""Addresses of the analysis for programs, below /api/v1/."""

from django.urls import path

from analysis.api import positions, reports

urlpatterns = [
    path("analysis/positions/", positions.PositionsApi.as_view(), name="api_analysis_ask"),
    path(
        "analysis/positions/<uuid:question_id>/",
        positions.PositionApi.as_view(),
        name="api_analysis_answer",
    ),
    path("analysis/reports/", reports.ReportsApi.as_view(), name="api_analysis_reports"),
    path(
        "analysis/reports/<int:report_id>/decisions/",
        reports.DecisionsApi.as_view(),
        name="api_analysis_decisions",
    ),
]
