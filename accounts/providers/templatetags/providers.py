"""The providers with which people can log in, for the pages that offer them."""

from django import template
from django.conf import settings

from accounts.providers.configuration import LoginProvider

register = template.Library()


@register.simple_tag
def login_providers() -> tuple[LoginProvider, ...]:
    """Return the operator's providers, in the operator's order."""
    return tuple(settings.LOGIN_PROVIDERS)
