"""Links of accounts with providers: what they open and prove, ending them, mails to the owner."""

from collections.abc import Iterable
from typing import Final

from allauth.account.models import EmailAddress
from allauth.socialaccount import signals
from allauth.socialaccount.models import SocialAccount, SocialLogin
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from accounts.mails import full_address, mail_enqueue
from accounts.models import User
from accounts.providers.configuration import LoginProvider
from house.reader import house_now
from kit.errors import Refusal

LINKED: Final = gettext_lazy("you can now log in to your account with %(provider)s, too.")
UNLINKED: Final = gettext_lazy("you can no longer log in to your account with %(provider)s.")


class LastWayIn(Refusal):
    """A link cannot end: without it its owner could not log in any more."""

    code = "last_way_in"
    sentence = gettext_noop(
        "This is your only way to log in. Set a password first, then end the link."
    )


def provider_of(provider_id: str) -> LoginProvider | None:
    """Return the provider with this id; None if the operator has none such."""
    found: Iterable[LoginProvider] = settings.LOGIN_PROVIDERS
    return next((provider for provider in found if provider.id == provider_id), None)


def name_of(provider_id: str) -> str:
    """Return the name of a provider; its id if the operator has taken it out."""
    provider = provider_of(provider_id)
    return provider.name if provider else provider_id


def links_of(user: User) -> list[SocialAccount]:
    """Return the links of this person, the oldest first."""
    return list(SocialAccount.objects.filter(user=user).order_by("pk"))


def providers_open(user: User) -> list[LoginProvider]:
    """Return the providers with which this person can log in now, each once."""
    ids = dict.fromkeys(link.provider for link in links_of(user))
    return [provider for each in ids if (provider := provider_of(each))]


@transaction.atomic
def link_end(request: HttpRequest, user: User, link_id: int) -> SocialAccount | None:
    """End a link of this person; None if there is no such. Raises `LastWayIn`.

    Of two ends at once the second sees what the first has left.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    links = links_of(person)
    link = next((each for each in links if each.pk == link_id), None)
    if link is None:
        return None
    others = [each for each in links if each.pk != link_id and provider_of(each.provider)]
    if not person.has_usable_password() and not others:
        raise LastWayIn
    link.delete()
    signals.social_account_removed.send(sender=SocialAccount, request=request, socialaccount=link)
    return link


def link_added(*, sociallogin: SocialLogin, **_: object) -> None:
    """Tell the owner of an account that it has one more way in."""
    _tell(sociallogin.account, LINKED)


def link_removed(*, socialaccount: SocialAccount, **_: object) -> None:
    """Tell the owner of an account that it has one way in less."""
    _tell(socialaccount, UNLINKED)


def _tell(link: SocialAccount, news: str | Promise) -> None:
    person = link.user
    proved = EmailAddress.objects.filter(user=person, verified=True)
    with translation.override(house_now().language(person.language)):
        greeting = _("Hello %(name)s,") % {"name": person.get_username()}
        told = str(news) % {"provider": name_of(link.provider)}
        place = full_address(reverse("socialaccount_connections"))
        warning = _("If that was not you, change your password, and end what you do not know:")
        for address in dict.fromkeys((person.email, *proved.values_list("email", flat=True))):
            if address:
                mail_enqueue(
                    to=address,
                    subject=_("How you log in"),
                    body=f"{greeting}\n\n{told}\n\n{warning}\n{place}\n",
                    about=f"user:{person.pk}",
                )
