"""The pages and words of the site itself at the desk: people, roles, settings of the house."""

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.decisions import IdentityKind
from accounts.roles import Role
from house.models import HouseChange
from house.parts import BadContent, HousePart, content_of
from ledger.desk.registry import (
    DeskPart,
    Group,
    Lines,
    MenuPage,
    ProposalWords,
    Text,
    values_named,
)
from ledger.models import Proposal
from pasch.desk.house_words import FIELD_NAMES, PART_NAMES, changes
from pasch.desk.money_words import LABELS
from pasch.staff import house


def _house_lines(proposal: Proposal) -> Lines:
    """The fields of a setting that would change, or why they can no longer be so."""
    part = house.part_of(proposal)
    row = HouseChange.objects.filter(number=proposal.before["number"]).first()
    now, then = (row.content if row else house.usual_content(part)), proposal.content["content"]
    try:
        content_of(part, then)
    except BadContent as error:
        return [(_("No longer possible"), str(error))]
    return [(str(row.label), f"{row.now} → {row.then}") for row in changes(part, now, then)]


def _house_subject(name: str) -> tuple[Text, str]:
    if name == HousePart.PRICES:
        return _("Figures of the house"), reverse("desk:money")
    if name in PART_NAMES:
        return PART_NAMES[HousePart(name)], reverse("desk:house_part", args=[name])
    return _("The whole house"), ""


PART: Final = DeskPart(
    menu=(
        MenuPage(Group.CREDITS, 4, "money", _("Money"), "house.decide_house"),
        MenuPage(Group.PLAYERS, 1, "players", _("Players")),
        MenuPage(Group.PLAYERS, 2, "roles", _("Roles"), "accounts.give_role"),
        MenuPage(Group.HOUSE, 1, "house", _("House"), "house.decide_house"),
        MenuPage(Group.HOUSE, 2, "mails", _("Mails"), "accounts.view_outgoingmail"),
    ),
    verbs={
        "identity.ask": _("asked for a change of an account"),
        "identity.change": _("changed an account"),
        "identity.stop": _("stopped a change of an account"),
        "account.deletion_asked": _("asked for the deletion of their account"),
        "account.deletion_kept": _("kept their account"),
        "account.deleted": _("is deleted, as they asked"),
        "token.make": _("made a token for a program"),
        "token.end": _("revoked a token"),
        "bot.declare": _("made their account a bot account"),
        "bot.undo": _("turned their bot account back into a normal one"),
        "role.ask": _("asked for a role"),
        "role.change": _("changed a role"),
        "role.stop": _("stopped a role"),
        "house.change": _("changed a setting of the house"),
    },
    fields={
        **LABELS,
        **FIELD_NAMES,
        "role": _("Role"),
        "superuser": _("Superuser"),
        "asked_role": _("Role asked for"),
        "asked_by": _("Asked for by"),
        "effective_from": _("In force from"),
        "number": _("Number"),
        "figures": _("Figures of the house"),
        "content": _("Settings of the house"),
        "change": _("Change of the account"),
        "value": _("New value"),
        "name": _("Name"),
        "address": _("Mail address"),
        "verified": _("Verified"),
        "factors": _("Second factors"),
        "bot": _("Bot"),
        "closed": _("Closed"),
    },
    values={
        **values_named("change", dict(IdentityKind.choices)),
        **values_named("role", dict(Role.choices)),
        **values_named("asked_role", dict(Role.choices)),
    },
    subjects={"house": _house_subject},
    proposals={house.KIND: ProposalWords(_("Change a setting of the house"), _house_lines)},
)
