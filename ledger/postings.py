"""Transfers before they are written into the books: a balanced set of lines, or an error.

Pure: no Django, no clock, no database. The database repeats every rule stated here
(ledger/migrations/sql), so a posting that gets past this module by mistake is still refused there;
a test compares the two.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from ledger.errors import MalformedPosting, Unbalanced

HOUSE_RAKE = "house_rake"
ADJUSTMENT = "adjustment"
PROMO_ISSUE = "promo_issue"
CASH_IN = "cash_in"
PAYOUT_PAID = "payout_paid"
WALLET = "wallet"
ESCROW = "escrow"
PAYOUT_HOLD = "payout_hold"

ACCOUNT_KINDS = (
    WALLET,
    ESCROW,
    PAYOUT_HOLD,
    HOUSE_RAKE,
    PROMO_ISSUE,
    CASH_IN,
    PAYOUT_PAID,
    ADJUSTMENT,
)
BOUNDED_KINDS = frozenset({WALLET, ESCROW, PAYOUT_HOLD})
"""Kinds with a stored, locked balance that never goes below zero. The others are summed."""

AMOUNT_MAX_CENTS = 10**15
LINES_MAX = 1000

_KEY = re.compile(r"[a-z][a-z0-9_]*(:[A-Za-z0-9._-]+)*")
_KEY_LENGTH_MAX = 200


@dataclass(frozen=True, slots=True)
class KindRule:
    """Which kinds of account a kind of transfer may debit (amount < 0) and credit (amount > 0)."""

    debits: frozenset[str]
    credits: frozenset[str]
    needs_actor: bool = False


def _rule(debits: str, credits_: str, *, needs_actor: bool = False) -> KindRule:
    return KindRule(frozenset(debits.split()), frozenset(credits_.split()), needs_actor)


KIND_RULES: Mapping[str, KindRule] = {
    "welcome": _rule("promo_issue", "wallet"),
    "voucher": _rule("promo_issue", "wallet"),
    "grant": _rule("promo_issue", "wallet"),
    "purchase": _rule("cash_in", "wallet"),
    "chargeback": _rule("wallet", "cash_in"),
    "stake": _rule("wallet", "escrow"),
    "result": _rule("escrow", "wallet house_rake"),
    "tie": _rule("escrow", "wallet house_rake"),
    "adjudicate": _rule("escrow", "wallet house_rake"),
    "void": _rule("escrow", "wallet promo_issue"),
    "withdraw": _rule("escrow", "wallet"),
    "add": _rule("promo_issue", "escrow", needs_actor=True),
    "payout_request": _rule("wallet", "payout_hold"),
    "payout_paid": _rule("payout_hold", "payout_paid", needs_actor=True),
    "payout_return": _rule("payout_hold", "wallet"),
    "adjust": _rule("wallet adjustment", "wallet adjustment", needs_actor=True),
    "correct": _rule("wallet house_rake", "wallet house_rake", needs_actor=True),
    "reverse": _rule(
        "wallet promo_issue cash_in adjustment",
        "wallet promo_issue cash_in adjustment",
        needs_actor=True,
    ),
}
"""Every kind of transfer there is. None moves credits from one player's wallet to another's, except
`correct`, which undoes or redistributes the outcome of a match and names the transfer it mends."""

MENDING_KINDS = frozenset({"correct", "reverse"})


@dataclass(frozen=True, slots=True)
class PostingLine:
    """One account's share of a transfer; above zero the account receives."""

    account_key: str
    amount_cents: int


@dataclass(frozen=True, slots=True)
class Posting:
    """A transfer before it is booked: two or more lines, one per account, that sum to zero.

    `key` is the idempotency key (one per decision), `reference` the business thing it belongs to
    (for instance ``match:<uuid>``), which the ledger stores and never interprets.
    Raises `MalformedPosting` or `Unbalanced`.
    """

    key: str
    kind: str
    reference: str
    lines: tuple[PostingLine, ...]

    def __post_init__(self) -> None:
        _check_name("key", self.key)
        _check_name("reference", self.reference)
        if self.kind not in KIND_RULES:
            raise MalformedPosting(f"unknown kind of transfer: {self.kind!r}")
        if not 2 <= len(self.lines) <= LINES_MAX:
            raise MalformedPosting(f"a transfer has 2 to {LINES_MAX} lines, not {len(self.lines)}")
        for line in self.lines:
            _check_line(self.kind, line)
        if len({line.account_key for line in self.lines}) != len(self.lines):
            raise MalformedPosting("an account has at most one line in a transfer")
        if total := sum(line.amount_cents for line in self.lines):
            raise Unbalanced(f"the lines of {self.key} sum to {total} cents, not to zero")

    @property
    def digest(self) -> bytes:
        """SHA-256 of kind, reference and lines: the same key with another digest is a conflict."""
        return sha256(self.canonical().encode()).digest()

    def canonical(self) -> str:
        """The text that is hashed: one fact a line, accounts in code-point order."""
        lines = sorted((line.account_key, line.amount_cents) for line in self.lines)
        return "\n".join(
            [
                "pasch.posting.1",
                self.kind,
                self.reference,
                *(f"{key} {cents}" for key, cents in lines),
            ]
        )


def account_kind(account_key: str) -> str:
    """The kind is what stands before the first colon: ``escrow:match:7`` is an escrow."""
    return account_key.partition(":")[0]


def wallet_key(user_id: int) -> str:
    """The account of one player."""
    return f"{WALLET}:{user_id}"


def escrow_key(reference: str) -> str:
    """The account that holds the stakes of one match."""
    return f"{ESCROW}:{reference}"


def hold_key(reference: str) -> str:
    """The account that holds the credits of one payout request."""
    return f"{PAYOUT_HOLD}:{reference}"


def promo_key(campaign: str) -> str:
    """The account a campaign's credits come from."""
    return f"{PROMO_ISSUE}:{campaign}"


def lines_of(amounts: Mapping[str, int]) -> tuple[PostingLine, ...]:
    """Lines in account order, without those of zero."""
    return tuple(PostingLine(key, cents) for key, cents in sorted(amounts.items()) if cents)


def negated(lines: Iterable[PostingLine]) -> tuple[PostingLine, ...]:
    """The lines that undo these."""
    return tuple(PostingLine(line.account_key, -line.amount_cents) for line in lines)


def _check_name(what: str, value: str) -> None:
    if len(value) > _KEY_LENGTH_MAX or not _KEY.fullmatch(value):
        raise MalformedPosting(
            f"not a {what}: {value!r} (words joined by colons, at most 200 characters)"
        )


def _check_line(kind: str, line: PostingLine) -> None:
    _check_name("account", line.account_key)
    cents = line.amount_cents
    if type(cents) is not int or not 0 < abs(cents) <= AMOUNT_MAX_CENTS:
        raise MalformedPosting(f"{line.account_key}: {cents!r} is not an amount in whole cents")
    rule = KIND_RULES[kind]
    if account_kind(line.account_key) not in (rule.credits if cents > 0 else rule.debits):
        verb = "credit" if cents > 0 else "debit"
        raise MalformedPosting(f"a transfer of kind {kind} may not {verb} {line.account_key}")
