"""Addresses of logins by providers, below /accounts/ with allauth's own."""

from django.urls import path

from accounts.providers import views

urlpatterns = [
    path("oidc/<slug:provider_id>/login/", views.begin, name="openid_connect_login"),
    path("oidc/<slug:provider_id>/login/callback/", views.callback, name="openid_connect_callback"),
    path("oidc/<slug:provider_id>/link/", views.link, name="provider_link"),
    path("oidc/<slug:provider_id>/confirm/", views.confirm, name="provider_confirm"),
]
