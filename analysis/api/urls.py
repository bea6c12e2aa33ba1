"""Addresses of the analysis for programs, below /api/v1/."""

from django.urls import path

from analysis.api import decisions, exercises, imports, matches, positions, progress, reports

urlpatterns = [
    path("analysis/positions/", positions.PositionsApi.as_view(), name="api_analysis_ask"),
    path(
        "analysis/positions/estimate/",
        positions.RolloutEstimateApi.as_view(),
        name="api_analysis_estimate",
    ),
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
    path("decisions/", decisions.MyDecisionsApi.as_view(), name="api_decisions"),
    path(
        "decisions/statistics/",
        decisions.DecisionStatisticsApi.as_view(),
        name="api_decisions_statistics",
    ),
    path("exercises/", exercises.ExercisesApi.as_view(), name="api_exercises"),
    path("exercises/next/", exercises.ExerciseNextApi.as_view(), name="api_exercises_next"),
    path("exercises/today/", exercises.ExerciseDayApi.as_view(), name="api_exercises_day"),
    path(
        "exercises/progress/",
        exercises.ExerciseProgressApi.as_view(),
        name="api_exercises_progress",
    ),
    path("exercises/<slug:key>/", exercises.ExerciseApi.as_view(), name="api_exercise"),
    path(
        "exercises/<slug:key>/answer/",
        exercises.ExerciseAnswerApi.as_view(),
        name="api_exercise_answer",
    ),
    path("matches/mine/", matches.MyMatchesApi.as_view(), name="api_matches_mine"),
    path(
        "matches/brought/<uuid:match_id>/",
        matches.BroughtMatchApi.as_view(),
        name="api_match_brought",
    ),
    path("matches/import/", imports.MatchImportApi.as_view(), name="api_matches_import"),
    path("matches/import/<uuid:import_id>/", imports.ImportApi.as_view(), name="api_import"),
    path(
        "matches/import/<uuid:import_id>/files/<int:file_id>/",
        imports.ImportFileApi.as_view(),
        name="api_import_file",
    ),
    path("players/<str:username>/progress/", progress.ProgressApi.as_view(), name="api_progress"),
]
