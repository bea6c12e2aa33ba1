"""Tags of the administrators' desk: subjects as links, states as badges, verbs in words."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django import template
from django.conf import settings
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.decisions import IdentityKind
from accounts.roles import Role
from games.forms.names import MODE_NAMES, OUTCOME_NAMES
from games.kinds import kind_of
from games.modes.prices import FIGURE_NAMES
from house.parts import HousePart
from ledger.labels import KIND_LABELS
from ledger.models import Account, PayoutState, ProposalState
from ledger.payout_states import BAD_ENDS, GOOD_ENDS
from ledger.payout_states import JOURNAL as PAYOUT_JOURNAL
from ledger.services.vouchers import KIND as VOUCHERS
from ledger.templatetags.credits import credits_text
from pasch.deletion.obstacles import Obstacle
from pasch.desk import audit_words
from pasch.desk.house_words import FIELD_NAMES, PART_NAMES
from pasch.desk.money_words import LABELS, figure_text
from pasch.templatetags.shell import moment

register = template.Library()

_GOOD = frozenset({*GOOD_ENDS, "done"})
_BAD = frozenset({*BAD_ENDS, "refused", "withdrawn", "lapsed"})

#: the pages of the desk that stand in a group of its tabs.
TABS = {
    "payouts": gettext_lazy("Payouts"),
    "adjustments": gettext_lazy("Adjustments"),
    "vouchers": gettext_lazy("Vouchers"),
    "money": gettext_lazy("Money"),
    "stops": gettext_lazy("Stops"),
    "players": gettext_lazy("Players"),
    "roles": gettext_lazy("Roles"),
    "matches": gettext_lazy("Matches"),
    "chouettes": gettext_lazy("Chouettes"),
    "tournaments": gettext_lazy("Tournaments"),
    "reports": gettext_lazy("Reports"),
    "cases": gettext_lazy("Fair play"),
    "house": gettext_lazy("House"),
    "mails": gettext_lazy("Mails"),
    "journal": gettext_lazy("Journal"),
    "audit": gettext_lazy("Audit"),
}
ENDINGS = {
    "": gettext_lazy("running"),
    "borne_off": gettext_lazy("borne off"),
    "double_dropped": gettext_lazy("double dropped"),
    "resigned": gettext_lazy("resigned"),
    "left": gettext_lazy("table left"),
    "time_over": gettext_lazy("time over"),
    "absent": gettext_lazy("absent"),
    "stood_up": gettext_lazy("left the seat before the first roll"),
    "voided": gettext_lazy("voided"),
    "adjudicated": gettext_lazy("adjudicated"),
    "stopped": gettext_lazy("stopped between two games"),
    "lapsed": gettext_lazy("not ready in time"),
    "bank_short": gettext_lazy("bank too small for another game"),
}
VERBS = {
    **PAYOUT_JOURNAL,
    "case.open": gettext_lazy("opened a case"),
    "case.opinion": gettext_lazy("gave an opinion in a case"),
    "case.hear": gettext_lazy("decided on an appeal"),
    "links.confirm": gettext_lazy("confirmed two people"),
    "links.end": gettext_lazy("took back that these are two people"),
    "hold.prolong": gettext_lazy("held the winnings of a case longer"),
    "case.refund": gettext_lazy("gave back what a case had cost"),
    "payout.taken_over": gettext_lazy("took over a payout"),
    "adjustment.give": gettext_lazy("adjusted credits"),
    "voucher.make": gettext_lazy("made vouchers"),
    "voucher.revoke": gettext_lazy("revoked a voucher"),
    "player.freeze": gettext_lazy("froze a wallet"),
    "player.thaw": gettext_lazy("released a wallet"),
    "identity.ask": gettext_lazy("asked for a change of an account"),
    "identity.change": gettext_lazy("changed an account"),
    "identity.stop": gettext_lazy("stopped a change of an account"),
    "account.deletion_asked": gettext_lazy("asked for the deletion of their account"),
    "account.deletion_kept": gettext_lazy("kept their account"),
    "bot.declare": gettext_lazy("made their account a bot account"),
    "bot.undo": gettext_lazy("turned their bot account back into a normal one"),
    "account.deleted": gettext_lazy("is deleted, as they asked"),
    "role.ask": gettext_lazy("asked for a role"),
    "role.change": gettext_lazy("changed a role"),
    "role.stop": gettext_lazy("stopped a role"),
    "house.change": gettext_lazy("changed a setting of the house"),
    "tournament.add": gettext_lazy("added credits to a tournament"),
    "stakes.stop": gettext_lazy("stopped new stakes"),
    "stakes.resume": gettext_lazy("let stakes in again"),
    "match.void": gettext_lazy("voided a match"),
    "chouette.void": gettext_lazy("voided a game of a chouette"),
    "match.adjudicate": gettext_lazy("adjudicated a match"),
    "proposal.make": gettext_lazy("proposed a decision"),
    "proposal.confirm": gettext_lazy("confirmed a decision"),
    "proposal.refuse": gettext_lazy("refused a proposed decision"),
    "proposal.withdraw": gettext_lazy("withdrew a proposed decision"),
    "report.close": gettext_lazy("decided a report"),
    "tournament.words": gettext_lazy("decided about the name of a tournament"),
    "tournament.restore": gettext_lazy("gave a tournament its name back"),
    "club.words": gettext_lazy("decided about the name or description of a club"),
    "club.restore": gettext_lazy("gave a club its name or description back"),
}
OBSTACLES: Mapping[str, Any] = {
    Obstacle.STAFF: gettext_lazy("works for the house"),
    Obstacle.PAYOUT: gettext_lazy("a payout is open"),
    Obstacle.FROZEN: gettext_lazy("the wallet is frozen"),
    Obstacle.CASE: gettext_lazy("a decision or a report waits"),
    Obstacle.CREDITS: gettext_lazy("credits have come in"),
    Obstacle.CHANGED: gettext_lazy("the books refuse it"),
}
_PAGES = {
    "payout": "desk:payout",
    "user": "desk:player",
    "player": "desk:player",
    "report": "desk:report",
    "case": "desk:case",
    "club": "desk:club",
}
_SHORT = 8
_STATES = {
    **dict(ProposalState.choices),
    **dict(PayoutState.choices),
}
ACCOUNTS = {
    "escrow": gettext_lazy("Escrow"),
    "payout_hold": gettext_lazy("Payout hold"),
    "house_rake": gettext_lazy("Rake"),
    "promo_issue": gettext_lazy("Credits issued"),
    "cash_in": gettext_lazy("Credits bought"),
    "payout_paid": gettext_lazy("Paid out"),
    "adjustment": gettext_lazy("Adjustments"),
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
def desk_group(context: Context, group: str, pages: str) -> dict[str, Any]:
    """The pages of a group that the reader may see; each is `name` or `name:permission`."""
    request = context["request"]
    named = [page.partition(":") for page in pages.split()]
    seen = [page for page, _colon, right in named if not right or request.user.has_perm(right)]
    urls = [reverse(f"desk:{page}") for page in seen]
    return {
        "request": request,
        "group": group,
        "pages": [(page, TABS[page]) for page in seen],
        "inside": any(request.path.startswith(url) for url in urls),
    }


@register.filter
def subject_link(subject: str) -> SafeString:
    """Write a reference (``payout:7``) in words, as a link where the desk has a page for it."""
    if subject == "house:prices":
        return format_html('<a href="{}">{}</a>', reverse("desk:money"), _("Figures of the house"))
    kind, _colon, name = subject.partition(":")
    if kind == "house" and name in PART_NAMES:
        return format_html(
            '<a href="{}">{}</a>',
            reverse("desk:house_part", args=[name]),
            PART_NAMES[HousePart(name)],
        )
    text = _subject_text(kind, name)
    table = kind_of(kind)
    page = table.subject_page if table else _PAGES.get(kind)
    if page and _is_id(kind, name):
        return format_html('<a href="{}">{}</a>', reverse(page, args=[name]), text)
    return format_html("{}", text)


@register.filter
def ending_words(ending: str) -> str:
    """How a match ended, in words."""
    return str(ENDINGS.get(ending, ending))


@register.filter
def verb_words(verb: str) -> str:
    """An administrator's action in words; an unknown verb is shown as it is."""
    return str(VERBS.get(verb, verb))


@register.filter
def obstacle_words(obstacle: str) -> str:
    """Why an account is not deleted yet, in words."""
    table = kind_of(obstacle)
    return str(table.holds_at_desk if table else OBSTACLES.get(obstacle, obstacle))


@register.filter
def check_title(title: str) -> str:
    """The title of a check of the audit, in the reader's language."""
    return audit_words.check_title(title)


@register.filter
def kind_words(kind: str) -> str:
    """The name of a kind of transfer, as in the wallet."""
    return str(KIND_LABELS[kind].text) if kind in KIND_LABELS else kind


@register.filter
def account_words(account: Account) -> str:
    """An account of the books in words; a wallet with the name of its owner."""
    if account.owner is not None:
        return _("Wallet of %(name)s") % {"name": account.owner.get_username()}
    return str(ACCOUNTS.get(account.kind, account.key))


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
    if name in _WORDS:
        return str(_WORDS[name].get(value, value))
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


_MOMENTS = frozenset({"expires_at", "effective_from", "silent_until"})
"""The fields of the journal that are moments, in ISO 8601."""

_WORDS: Mapping[str, Mapping[str, Any]] = {
    "kind": {**VERBS, VOUCHERS: gettext_lazy("let vouchers be redeemed")},
    "state": _STATES,
    "change": dict(IdentityKind.choices),
    "role": dict(Role.choices),
    "asked_role": dict(Role.choices),
    "ending": ENDINGS,
    "outcome": OUTCOME_NAMES,
}
"""The names of values in the journal, by the name of the field."""


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


def _subject_text(kind: str, name: str) -> str:
    table = kind_of(kind)
    text = table.subject if table else _SUBJECTS.get(kind)
    if text is not None:
        return str(text) % {"number": name, "id": name[:_SHORT]}
    if kind == "mode":
        return str(MODE_NAMES.get(name, name))  # a stop outlives its mode
    return f"{kind}:{name}" if name else kind


_SUBJECTS: Mapping[str, Any] = {
    "payout": gettext_lazy("Payout %(number)s"),
    "adjustment": gettext_lazy("Adjustment %(number)s"),
    "voucher": gettext_lazy("Voucher %(number)s"),
    "user": gettext_lazy("Player %(number)s"),
    "player": gettext_lazy("Player %(number)s"),
    "club": gettext_lazy("Club %(id)s"),
    "report": gettext_lazy("Report %(number)s"),
    "house": gettext_lazy("The whole house"),
}
"""The subjects of the journal in words, by the first part of a reference."""


def _is_id(kind: str, name: str) -> bool:
    if kind != "club" and kind_of(kind) is None:
        return name.isdecimal()
    try:
        UUID(name)
    except ValueError:
        return False
    return True
