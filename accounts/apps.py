"""The Django application accounts."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class PeopleConfig(AppConfig):
    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen to the login machinery; let indexes on expressions name operator classes."""
        from allauth.account import signals as allauth
        from allauth.account.models import EmailAddress
        from allauth.socialaccount import signals as providers
        from allauth.socialaccount.models import SocialAccount
        from allauth.usersessions.models import UserSession
        from django.contrib.auth.signals import user_logged_in, user_logged_out
        from django.contrib.postgres.indexes import OpClass
        from django.db.models.expressions import OrderBy
        from django.db.models.functions import Collate
        from django.db.models.indexes import IndexExpression
        from django.db.models.signals import post_delete, post_migrate, post_save

        from accounts import receivers, roles
        from accounts.models import User
        from accounts.providers import links

        # What django.contrib.postgres does as an app, without its query on every connection.
        IndexExpression.register_wrappers(OrderBy, OpClass, Collate)
        for changed in (allauth.password_changed, allauth.password_reset, allauth.password_set):
            changed.connect(receivers.password_changed, dispatch_uid="accounts.password")
        allauth.password_reset.connect(receivers.password_reset, dispatch_uid="accounts.device")
        allauth.user_signed_up.connect(receivers.signed_up, dispatch_uid="accounts.signed_up")
        user_logged_in.connect(receivers.logged_in, dispatch_uid="accounts.logged_in")
        user_logged_out.connect(receivers.logged_out, dispatch_uid="accounts.logged_out")
        post_delete.connect(
            receivers.session_deleted, sender=UserSession, dispatch_uid="accounts.session"
        )
        post_save.connect(receivers.person_saved, sender=User, dispatch_uid="accounts.mailbox")
        post_save.connect(
            receivers.address_saved, sender=EmailAddress, dispatch_uid="accounts.mailbox"
        )
        post_save.connect(
            receivers.link_saved, sender=SocialAccount, dispatch_uid="accounts.mailbox"
        )
        providers.social_account_added.connect(links.link_added, dispatch_uid="accounts.link")
        providers.social_account_removed.connect(links.link_removed, dispatch_uid="accounts.link")
        # Behind the authentication app's own receiver, which makes the permissions.
        post_migrate.connect(roles.roles_renew, dispatch_uid="accounts.roles")


class HouseAdminConfig(admin.AdminConfig):
    """Django's administration behind our own door, with the site of accounts/admin_site.py."""

    default = False
    default_site = "accounts.admin_site.HouseAdminSite"
