"""Addresses of fair play."""

from django.urls import path

from fairplay.pages import case, rules

urlpatterns = [
    path("fairplay/", rules.rules, name="fairplay"),
    path("fairplay/mine/", case.mine, name="fairplay_mine"),
    path("fairplay/cases/<int:case_id>/", case.case, name="fairplay_case"),
    path("fairplay/cases/<int:case_id>/statement/", case.statement, name="fairplay_statement"),
    path("fairplay/cases/<int:case_id>/appeal/", case.appeal, name="fairplay_appeal"),
    path("fairplay/report/<uuid:reported_id>/", case.report, name="fairplay_report"),
]
