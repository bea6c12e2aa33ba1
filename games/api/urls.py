"""Addresses of tables and matches for programs, below /api/v1/."""

from django.urls import path

from games.api import challenges, matches, modes, tables

urlpatterns = [
    path("tables/", tables.TablesApi.as_view(), name="api_tables"),
    path("modes/", modes.ModesApi.as_view(), name="api_modes"),
    path("tables/mine/", tables.TablesMineApi.as_view(), name="api_tables_mine"),
    path("tables/<uuid:table_id>/", tables.TableApi.as_view(), name="api_table"),
    path("tables/open/", tables.TableOpenApi.as_view(), name="api_table_open"),
    path("tables/pair/", tables.TablePairApi.as_view(), name="api_table_pair"),
    path("tables/practise/", tables.TablePractiseApi.as_view(), name="api_table_practise"),
    path("tables/<uuid:table_id>/join/", tables.TableJoinApi.as_view(), name="api_table_join"),
    path("tables/<uuid:table_id>/close/", tables.TableCloseApi.as_view(), name="api_table_close"),
    path("challenges/", challenges.ChallengesApi.as_view(), name="api_challenges"),
    path("challenges/make/", challenges.ChallengeMakeApi.as_view(), name="api_challenge_make"),
    path(
        "challenges/<uuid:challenge_id>/",
        challenges.ChallengeApi.as_view(),
        name="api_challenge",
    ),
    path(
        "challenges/<uuid:challenge_id>/accept/",
        challenges.ChallengeAcceptApi.as_view(),
        name="api_challenge_accept",
    ),
    path(
        "challenges/<uuid:challenge_id>/decline/",
        challenges.ChallengeDeclineApi.as_view(),
        name="api_challenge_decline",
    ),
    path(
        "challenges/<uuid:challenge_id>/withdraw/",
        challenges.ChallengeWithdrawApi.as_view(),
        name="api_challenge_withdraw",
    ),
    path("matches/", matches.MatchesApi.as_view(), name="api_matches"),
    path("matches/<uuid:match_id>/", matches.MatchApi.as_view(), name="api_match"),
]
