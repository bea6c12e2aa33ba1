"""The addresses of the pages of fair play at the desk."""

from django.urls import path

from fairplay.desk import cases, links

urlpatterns = [
    path("players/<int:user_id>/two-people/", links.confirm, name="two_people"),
    path("players/<int:user_id>/two-people/end/", links.end, name="two_people_end"),
    path("cases/", cases.cases, name="cases"),
    path("cases/open/", cases.open_by_hand, name="case_open"),
    path("cases/<int:case_id>/", cases.case, name="case"),
    path("cases/<int:case_id>/opinion/", cases.opinion, name="case_opinion"),
    path("cases/<int:case_id>/prolong/", cases.prolong, name="case_prolong"),
    path("cases/<int:case_id>/refund/", cases.refund, name="case_refund"),
    path("reviewers/", cases.reviewers, name="reviewers"),
]
