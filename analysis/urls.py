"""Addresses of the analysis."""

from django.urls import path

from analysis.pages import (
    board,
    decision_comparison,
    decision_statistics,
    decisions,
    exercises,
    imported_file,
    imports,
    matches,
    method,
    playing,
    progress,
    report,
)

urlpatterns = [
    path("analysis/", board.board, name="analysis_board"),
    path("analysis/read/", board.read, name="analysis_read"),
    path("analysis/ask/", board.ask, name="analysis_ask"),
    path("analysis/estimate/", board.estimate, name="analysis_estimate"),
    path("analysis/file/", board.file, name="analysis_file"),
    path("analysis/questions/<uuid:question_id>/", board.question, name="analysis_question"),
    path("analysis/questions/<uuid:question_id>/stop/", board.stop, name="analysis_stop"),
    path("analysis/play/", playing.play_on, name="analysis_play"),
    path("analysis/method/", method.method, name="analysis_method"),
    path("decisions/", decisions.decisions, name="decisions"),
    path("decisions/choose/", decisions.choose, name="decisions_choose"),
    path("decisions/statistics/", decision_statistics.statistics, name="decisions_statistics"),
    path("decisions/compare/", decision_comparison.compare, name="decisions_compare"),
    path("decisions/note/", decisions.note, name="decisions_note"),
    path("decisions/lists/<uuid:list_id>/", decisions.manage, name="decisions_list"),
    path("decisions/shared/<uuid:key>/", decisions.shared, name="decisions_shared"),
    path("exercises/", exercises.overview, name="exercises"),
    path("exercises/next/", exercises.following, name="exercise_next"),
    path("exercises/today/", exercises.today, name="exercise_today"),
    path("exercises/<slug:key>/", exercises.exercise, name="exercise"),
    path("exercises/<slug:key>/answer/", exercises.answer, name="exercise_answer"),
    path(
        "match/elsewhere/<uuid:match_id>/analysis/", report.imported_report, name="imported_report"
    ),
    path(
        "match/elsewhere/<uuid:match_id>/analysis.<slug:key>",
        report.imported_report_file,
        name="imported_report_file",
    ),
    path("match/elsewhere/<uuid:match_id>/jacoby/", imports.jacoby, name="imported_jacoby"),
    path("match/shared/<uuid:share_key>/analysis/", report.shared_report, name="shared_report"),
    path(
        "match/shared/<uuid:share_key>/analysis.<slug:key>",
        report.shared_report_file,
        name="shared_report_file",
    ),
    path("matches/", matches.matches, name="archive"),
    path("matches/add/", imports.add, name="matches_add"),
    path("matches/chosen/", matches.chosen, name="matches_chosen"),
    path("matches/names/", matches.name, name="matches_name"),
    path("matches/imports/", imports.begin, name="import_begin"),
    path("matches/imports/<uuid:import_id>/send/", imports.send, name="import_send"),
    path("matches/imports/<uuid:import_id>/close/", imports.close, name="import_close"),
    path("matches/imports/<uuid:import_id>/undo/", imports.undo, name="import_undo"),
    path("matches/imports/<uuid:import_id>/jacoby/", imports.jacoby_of_all, name="import_jacoby"),
    path("matches/sent/<int:file_id>/", imported_file.file, name="imported_file"),
    path(
        "matches/sent/<int:file_id>/correct/", imported_file.correct, name="imported_file_correct"
    ),
    path("player/<str:username>/progress/", progress.progress, name="player_progress"),
    path("match/<uuid:match_id>/analysis/", report.report, name="match_report"),
    path("match/<uuid:match_id>/analysis/ask/", report.ask, name="match_report_ask"),
    path("match/<uuid:match_id>/analysis.<slug:key>", report.report_file, name="match_report_file"),
]
