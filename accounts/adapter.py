"""What the house asks of allauth beyond its settings: names that cannot be mistaken."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.names import normalised, skeleton

logger = logging.getLogger("security")


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up that refuses names which look like a name somebody already has."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": gettext_lazy("This name is taken."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the stored spelling; raise ValidationError for a bad or a look-alike name."""
        cleaned: str = super().clean_username(normalised(username), shallow=shallow)
        if not shallow and User.objects.filter(name_key=skeleton(cleaned)).exists():
            raise ValidationError(
                _("This name looks too much like one that is taken."), code="name_lookalike"
            )
        return cleaned

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse who has tried too often before any password is looked at, and remember it."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            address = request.META.get("REMOTE_ADDR", "")
            event = {"event": "login_limited", "address": address}
            logger.warning("login limited", extra={"event": event})
            raise

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save a new person; whoever lost a race for the name is told so and may try again."""
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, user, form, commit=commit)
        except IntegrityError as error:
            if "name" not in str(error):
                raise
            messages.error(request, _("This name has just been taken by somebody else."))
            raise ImmediateHttpResponse(redirect("account_signup")) from error
        return saved
