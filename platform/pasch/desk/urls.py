"""Addresses of the administrators' desk: those of the site, and those that the apps registered."""

from django.urls import path

from ledger.desk.registry import desk_urls
from pasch.desk import house, identities, money, overview, players, roles

app_name = "desk"

_ROLES, _CHANGES = {"pages": roles.ROLE_PAGES}, {"pages": roles.IDENTITY_PAGES}

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("factor/", overview.factor, name="factor"),
    path("mails/", overview.mails, name="mails"),
    path("mails/<int:mail_id>/retry/", overview.retry, name="mail_retry"),
    path("house/", house.house, name="house"),
    path("house/look/", house.look, name="house_look"),
    path("house/<slug:key>/", house.part, name="house_part"),
    path("money/", money.money, name="money"),
    path("players/", players.players, name="players"),
    path("players/<int:user_id>/", players.player, name="player"),
    path("players/<int:user_id>/account/", identities.account, name="identity"),
    path("players/<int:user_id>/freeze/", players.freeze, {"thaw": False}, name="player_freeze"),
    path("players/<int:user_id>/thaw/", players.freeze, {"thaw": True}, name="player_thaw"),
    path("identities/<int:change_id>/confirm/", roles.confirm, _CHANGES, name="identity_confirm"),
    path("identities/<int:change_id>/stop/", roles.stop, _CHANGES, name="identity_stop"),
    path("roles/", roles.roles, name="roles"),
    path("roles/<int:grant_id>/confirm/", roles.confirm, _ROLES, name="role_confirm"),
    path("roles/<int:grant_id>/stop/", roles.stop, _ROLES, name="role_stop"),
    *desk_urls(),
]
