"""Tags of the administrators' desk: subjects as links, states as badges, verbs in words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.roles import Role
from games.kinds import kind_of
from games.modes.prices import FIGURE_NAMES
from ledger.desk.registry import menu_of, words_for
from ledger.desk.registry import subject as subject_words
from ledger.labels import ACCOUNT_LABELS, KIND_LABELS
from ledger.models import Account
from ledger.payout_states import BAD_ENDS, GOOD_ENDS
from ledger.templatetags.credits import credits_text
from pasch.deletion import Obstacle
from pasch.desk.house_words import FIELD_NAMES
from pasch.desk.money_words import LABELS, figure_text
from pasch.templatetags.shell import moment

register = template.Library()

_GOOD = frozenset({*GOOD_ENDS, "done"})
_BAD = frozenset({*BAD_ENDS, "refused", "withdrawn", "lapsed"})

OBSTACLES: Mapping[str, Any] = {
    Obstacle.STAFF: gettext_lazy("works for the house"),
    Obstacle.PAYOUT: gettext_lazy("a payout is open"),
    Obstacle.FROZEN: gettext_lazy("the wallet is frozen"),
    Obstacle.CASE: gettext_lazy("a decision or a report waits"),
    Obstacle.CREDITS: gettext_lazy("credits have come in"),
    Obstacle.CHANGED: gettext_lazy("the books refuse it"),
}


@register.simple_tag(takes_context=True)
def desk_tab(context: Context, page: str, label: str) -> SafeString:
    """Link to a section of the desk; it is marked on every page of that section."""
    url, here = reverse(f"desk:{page}"), context["request"].path
    inside = here == url if page == "overview" else here.startswith(url)
    current = "" if not inside else "page" if here == url else "true"
    if not current:
        return format_html('<a href="{}">{}</a>', url, label)
    return format_html('<a href="{}" aria-current="{}">{}</a>', url, current, label)


@register.inclusion_tag("desk/group.html", takes_context=True)
def desk_group(context: Context, group: str, label: str) -> dict[str, Any]:
    """The pages of a group of the menu that the reader may see."""
    request = context["request"]
    pages = menu_of(group, request.user)
    return {
        "request": request,
        "group": label,
        "pages": pages,
        "inside": any(request.path.startswith(reverse(f"desk:{page.page}")) for page in pages),
    }


@register.filter
def subject_link(subject: str) -> SafeString:
    """Write a reference (``payout:7``) in words, as a link where the desk has a page for it."""
    kind, _colon, name = subject.partition(":")
    table = kind_of(kind)
    if table is not None:
        words = subject_words(table.subject, table.subject_page, by_uuid=True)
    else:
        words = words_for(lambda part: part.subjects, kind) or (lambda _name: (subject, ""))
    text, address = words(name)
    return format_html('<a href="{}">{}</a>' if address else "{1}", address, text)


@register.filter
def ending_words(ending: str) -> str:
    """How a match ended, in words."""
    return str(words_for(lambda part: part.values, ("ending", ending)) or ending)


@register.filter
def verb_words(verb: str) -> str:
    """An administrator's action in words; an unknown verb is shown as it is."""
    return str(words_for(lambda part: part.verbs, verb) or verb)


@register.filter
def obstacle_words(obstacle: str) -> str:
    """Why an account is not deleted yet, in words."""
    table = kind_of(obstacle)
    return str(table.holds_at_desk if table else OBSTACLES.get(obstacle, obstacle))


@register.filter
def check_title(title: str) -> str:
    """The title of a check of the audit, in the reader's language."""
    return _(title) if title else ""


@register.filter
def kind_words(kind: str) -> str:
    """The name of a kind of transfer, as in the wallet."""
    return str(KIND_LABELS[kind].text) if kind in KIND_LABELS else kind


@register.filter
def account_words(account: Account) -> str:
    """An account of the books in words; a wallet with the name of its owner."""
    if account.owner is not None:
        return _("Wallet of %(name)s") % {"name": account.owner.get_username()}
    return str(ACCOUNT_LABELS.get(account.kind, account.key))


@register.filter
def journal_value(value: Any, name: str) -> str:
    """A value of the journal for people: amounts as credits, nothing as a dash, lists joined."""
    if name in FIGURE_NAMES:
        return figure_text(name, value)
    if name == "content" and isinstance(value, dict):
        names = {**FIELD_NAMES, **LABELS}
        return "; ".join(f"{names.get(k, k)}: {journal_value(v, k)}" for k, v in value.items())
    return _journal_value(value, name)


def _journal_value(value: Any, name: str) -> str:
    if value is None or (value == "" and name != "ending"):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name.endswith("_cents") and isinstance(value, int):
        return credits_text(value)
    if name.endswith("_cents") and isinstance(value, list):
        return " / ".join(credits_text(cents) for cents in value)
    if name in _MOMENTS and isinstance(value, str):
        return moment(datetime.fromisoformat(value))
    words = words_for(lambda part: part.values, (name, str(value)))
    if words is None and name == "kind":
        words = words_for(lambda part: part.verbs, str(value))
    if words is not None:
        return str(words)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


_MOMENTS = frozenset({"expires_at", "effective_from", "silent_until"})
"""The fields of the journal that are moments, in ISO 8601."""


@register.filter
def role_words(role: str) -> str:
    """The name of a role."""
    return str(dict(Role.choices).get(role, role))


@register.simple_tag
def single_administrator() -> bool:
    """Whether the house is set to a single administrator."""
    return bool(settings.LEDGER_SINGLE_ADMINISTRATOR)


@register.filter
def state_class(state: str) -> str:
    """The colour of a state's badge: good, bad, or waiting."""
    if state in _GOOD:
        return "badge-ok"
    return "badge-danger" if state in _BAD else "badge-accent"


@register.filter
def seat(players: Any, number: int) -> Any:
    """Return the player of a seat."""
    return players[number]
