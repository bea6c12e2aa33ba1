"""People: the one user model of the house."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.db.models.functions import Lower, Now, Upper
from django.utils.translation import gettext_lazy as _

from accounts.fields import NameField, NameKeyField, PreferencesField
from accounts.names import MAX_LENGTH
from accounts.past_names import is_kept
from accounts.preferences import Theme
from accounts.scopes import Scope
from house.languages import Language


class User(AbstractUser):
    """A person (or a labelled bot) with a public name that cannot be imitated."""

    username = NameField(
        _("name"),
        max_length=MAX_LENGTH,
        unique=True,
        help_text=_("Visible to everyone. Letters and digits, with - _ . in between."),
        error_messages={"unique": _("This name is taken.")},
    )
    name_key = NameKeyField(max_length=4 * MAX_LENGTH, unique=True, editable=False)
    is_bot = models.BooleanField(
        _("bot"), default=False, help_text=_("Played by a program; everybody is told.")
    )
    is_guest = models.BooleanField(
        _("guest"), default=False, help_text=_("Practises without an account.")
    )
    language = models.CharField(
        _("language"),
        max_length=5,
        choices=Language.choices,
        blank=True,
        default="",
        help_text=_("Empty: the language of the browser."),
    )
    theme = models.CharField(
        _("theme"), max_length=20, choices=Theme.choices, blank=True, default=""
    )
    preferences = PreferencesField(
        _("preferences"),
        blank=True,
        default=dict,
        help_text=_("What was chosen of accounts/preferences.py, besides language and theme."),
    )

    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta(AbstractUser.Meta):
        permissions: ClassVar = [("give_role", "May give roles to others and take them")]
        constraints = (
            models.UniqueConstraint(Lower("username"), name="user_name_in_any_case"),
            models.CheckConstraint(
                condition=Q(is_guest=False)
                | Q(is_bot=False, is_staff=False, is_superuser=False, email=""),
                name="guest_is_nobody_else",
            ),
        )
        indexes = (
            models.Index(
                fields=["last_login"],
                condition=Q(is_guest=True, is_active=True),
                name="guest_by_age",
            ),
            # Django asks for UPPER() where case does not matter. Allauth asks for `email` itself.
            models.Index(OpClass(Upper("username"), "text_pattern_ops"), name="user_by_name"),
            GinIndex(OpClass(Upper("username"), "gin_trgm_ops"), name="user_by_part_of_name"),
            models.Index(fields=["email"], name="user_by_address"),
            models.Index(OpClass(Upper("email"), "text_pattern_ops"), name="user_by_any_address"),
            GinIndex(OpClass(Upper("email"), "gin_trgm_ops"), name="user_by_part_of_address"),
        )

    @property
    def has_page(self) -> bool:
        """Whether there is a page of this player: not of guests, nor of closed accounts."""
        return self.is_active and not self.is_guest

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row; a changed name takes its key along."""
        fields = kwargs.get("update_fields")
        if fields is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        if self.is_guest or (fields is not None and "username" not in fields):
            super().save(*args, **kwargs)
            return
        with transaction.atomic():
            super().save(*args, **kwargs)
            # After the write: it has waited for a change that was giving this name up.
            if is_kept(self.name_key, user_id=self.pk):
                raise IntegrityError(f"the name {self.username!r} was another account's")


class MailboxSalt(models.Model):
    """The one secret that goes into the hash of every mailbox; made when it is first wanted."""

    value = models.BinaryField(max_length=32)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="mailbox_one_salt"),)

    def __str__(self) -> str:
        return "salt"


class Mailbox(models.Model):
    """A mailbox that an account has ever named, as a hash (accounts/mailboxes.py).

    A row stays when the address goes: a self-exclusion follows the mailbox
    (ledger/migrations/sql/limits.sql).
    """

    user = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="mailboxes", db_index=False
    )
    key = models.CharField(max_length=64, editable=False)
    named_at = models.DateTimeField(db_default=Now())
    proved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="mailbox_once"),)
        indexes = (models.Index(fields=["key"], name="mailbox_by_key"),)

    def __str__(self) -> str:
        return f"{self.key[:8]}… of {self.user_id}"


class ApiToken(models.Model):
    """The login of a bot's program. Only its hash is stored.

    `used_at` is the hour in which it was used last.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    start = models.CharField(max_length=16, editable=False)
    name = models.CharField(max_length=40, blank=True, default="")
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope.choices))
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(scopes__contained_by=Scope.values) & Q(scopes__len__gt=0),
                name="token_has_scopes",
            ),
        )

    def __str__(self) -> str:
        return f"{self.start}… of {self.user_id}"


class OutgoingMail(models.Model):
    """A message of the house on its way to one address. Its text is emptied once it was sent."""

    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    about = models.CharField(max_length=100, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())
    attempts = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(db_default=Now())
    last_error = models.CharField(max_length=500, blank=True, default="")
    sent_at = models.DateTimeField(null=True)

    class Meta:
        permissions = (("retry_mail", "May try an undelivered mail again"),)
        indexes = (
            models.Index(
                fields=["next_try_at", "id"], condition=Q(sent_at=None), name="mail_waiting"
            ),
        )
        constraints = (
            models.CheckConstraint(condition=~Q(to=""), name="mail_goes_somewhere"),
            models.CheckConstraint(
                condition=Q(sent_at=None) | Q(body=""), name="mail_sent_keeps_no_text"
            ),
        )

    def __str__(self) -> str:
        return f"mail {self.pk}"


# They name User, so they come last; Django finds models here.
from accounts.calendar_feeds import CalendarFeed  # noqa: E402, F401
from accounts.decisions import IdentityChange, RoleGrant  # noqa: E402, F401
from accounts.deletions import AccountDeletion  # noqa: E402, F401
from accounts.login_marks import Acquaintance, LoginMark  # noqa: E402, F401
