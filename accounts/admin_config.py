"""Django's administration behind our own door; stands in for it in INSTALLED_APPS."""

from django.contrib.admin.apps import AdminConfig


class HouseAdminConfig(AdminConfig):
    """The administration with the site of accounts/admin_site.py."""

    default_site = "accounts.admin_site.HouseAdminSite"
