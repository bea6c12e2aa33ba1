"""The operator of this house: the facts that its operator states in the environment.

The imprint and the other pages around the house show them (`pasch/pages/papers.py`). An empty
variable is listed by the checks and at the desk; `-` means that it does not apply to this house.
"""

import os
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pasch.environment import whole

NAME_LENGTH_MAX: Final = 30
TEXT_LENGTH_MAX: Final = 500
DOES_NOT_APPLY: Final = "-"


@dataclass(frozen=True, slots=True)
class OperatorFact:
    """One fact about the operator: its variable in the environment, its field and its label."""

    variable: str
    field: str
    label: Promise


FACTS: Final = (
    OperatorFact("OPERATOR_NAME", "name", _("Operator")),
    OperatorFact("OPERATOR_REPRESENTATIVE", "representative", _("Represented by")),
    OperatorFact("OPERATOR_ADDRESS", "address", _("Postal address")),
    OperatorFact("OPERATOR_MAIL", "mail", _("E-mail")),
    OperatorFact("OPERATOR_PHONE", "phone", _("Telephone")),
    OperatorFact("OPERATOR_REGISTER", "register", _("Register and number")),
    OperatorFact("OPERATOR_VAT_ID", "vat_id", _("VAT identification number")),
    OperatorFact("OPERATOR_LICENCE", "licence", _("Licence and supervisory authority")),
    OperatorFact("OPERATOR_JURISDICTION", "jurisdiction", _("Applicable law")),
    OperatorFact("PRIVACY_MAIL", "privacy_mail", _("Contact for privacy")),
    OperatorFact("PRIVACY_AUTHORITY", "privacy_authority", _("Data protection authority")),
    OperatorFact("HOSTING", "hosting", _("Hosting provider")),
    OperatorFact("LOG_DAYS", "log_days", _("Days that logs are kept")),
    OperatorFact("BACKUP_DAYS", "backup_days", _("Days that backups are kept")),
    OperatorFact("HELPLINE", "helpline", _("Help with gambling")),
    OperatorFact("HELPLINE_URL", "helpline_url", _("Website of the help")),
)
_NUMBERS: Final = ("LOG_DAYS", "BACKUP_DAYS")


@dataclass(frozen=True, slots=True)
class Operator:
    """The house and its operator. A fact is None while it is empty, "" where it does not apply.

    An address has several lines, separated by `|` in the environment.
    """

    house: str = "Pasch"
    minimum_age: int = 18
    name: str | None = None
    representative: str | None = None
    address: str | None = None
    mail: str | None = None
    phone: str | None = None
    register: str | None = None
    vat_id: str | None = None
    licence: str | None = None
    jurisdiction: str | None = None
    privacy_mail: str | None = None
    privacy_authority: str | None = None
    hosting: str | None = None
    log_days: str | None = None
    backup_days: str | None = None
    helpline: str | None = None
    helpline_url: str | None = None

    @property
    def missing(self) -> list[OperatorFact]:
        """The facts whose variable is empty."""
        return [fact for fact in FACTS if getattr(self, fact.field) is None]

    @property
    def missing_variables(self) -> str:
        """The names of the empty variables, separated by commas."""
        return ", ".join(fact.variable for fact in self.missing)

    @property
    def address_lines(self) -> list[str]:
        """The postal address, line by line."""
        return [line.strip() for line in (self.address or "").split("|") if line.strip()]

    @property
    def privacy_contact(self) -> str:
        """The mail address for questions about data."""
        return self.privacy_mail or self.mail or ""


def operator_from_environment() -> Operator:
    """Read the operator's variables; raises ImproperlyConfigured for one that cannot be shown."""
    facts: dict[str, Any] = {fact.field: _text(fact.variable) for fact in FACTS}
    for fact in FACTS:
        if fact.variable in _NUMBERS and facts[fact.field]:
            facts[fact.field] = str(whole(fact.variable, 0, least=1, most=36_500))
    url = facts["helpline_url"]
    if url and not url.startswith(("https://", "http://")):
        raise ImproperlyConfigured(f"HELPLINE_URL must begin with https://, not {url!r}.")
    house = os.environ.get("HOUSE_NAME", "").strip() or Operator().house
    if len(house) > NAME_LENGTH_MAX:
        raise ImproperlyConfigured(f"HOUSE_NAME must have {NAME_LENGTH_MAX} letters at most.")
    return Operator(house=house, minimum_age=whole("MINIMUM_AGE", 18, most=99), **facts)


def _text(variable: str) -> str | None:
    """The text of a variable: None while it is empty, "" for `-`."""
    text = os.environ.get(variable, "").strip()
    if len(text) > TEXT_LENGTH_MAX:
        raise ImproperlyConfigured(f"{variable} must have {TEXT_LENGTH_MAX} letters at most.")
    return None if not text else "" if text == DOES_NOT_APPLY else text
