"""Addresses of lobby, tables and challenges."""

from django.urls import path

from games.pages import (
    archive,
    challenges,
    fairness,
    favourites,
    lobby,
    match_dice,
    mutes,
    openings,
    practice,
    tables,
    watch,
)

urlpatterns = [
    path("play/", lobby.lobby, name="lobby"),
    path("play/tables/", lobby.lobby_tables, name="lobby_tables"),
    path("play/open/", openings.open_table, name="table_open"),
    path("play/practice/", practice.open_practice, name="practice_open"),
    path("play/terms/", openings.table_terms, name="table_terms"),
    path("play/quick/", openings.quick, name="quick"),
    path("play/favourites/", favourites.favourites, name="favourites"),
    path("play/favourites/<int:favourite_id>/", favourites.change, name="favourite_change"),
    path("play/favourites/<int:favourite_id>/play/", favourites.play, name="favourite_play"),
    path("play/code/", tables.by_code, name="table_by_code"),
    path("t/<slug:code>/", tables.by_code, name="table_code"),
    path("table/<uuid:table_id>/", tables.table, name="table"),
    path("table/<uuid:table_id>/join/", tables.join, name="table_join"),
    path("table/<uuid:table_id>/cancel/", tables.cancel, name="table_cancel"),
    path("table/<uuid:table_id>/invite/", tables.invite, name="table_invite"),
    path("watch/", watch.watch, name="watch"),
    path("watch/boards.json", watch.watch_boards, name="watch_boards"),
    path("challenges/", challenges.waiting, name="challenges"),
    path("challenge/<uuid:challenge_id>/", challenges.challenge, name="challenge"),
    path("challenge/<uuid:challenge_id>/answer/", challenges.answer, name="challenge_answer"),
    path("player/<str:username>/challenge/", challenges.make, name="challenge_make"),
    path("account/mutes/<int:person_id>/end/", mutes.mute_end, name="mute_end"),
    path("fair/", fairness.fair, name="fair"),
    path("fair/check/", fairness.fair_check, name="fair_check"),
    path("fair/dice/", fairness.fair_dice, name="fair_dice"),
    path("fair/log/", fairness.fair_log, name="fair_log"),
    path("fair/log.txt", fairness.fair_log_file, name="fair_log_file"),
    path("matches/", archive.archive, name="archive"),
    path("matches/files/<slug:file_format>/", archive.archive_files, name="archive_files"),
    path("match/<uuid:match_id>/", archive.match, name="match"),
    path("match/<uuid:match_id>/dice.json", match_dice.match_dice, name="match_dice"),
    path("table/<uuid:table_id>/envelope.json", match_dice.dice_envelope, name="dice_envelope"),
    path(
        "match/<uuid:match_id>/<slug:file_format>/", archive.match_download, name="match_download"
    ),
]
