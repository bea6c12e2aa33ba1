"""S4: the books accepted transfers that no row justified. Each is tried with the application's
role, which is all that an intruder in a web server has, and must not be committed."""

from collections.abc import Iterator

import pytest
from django.db import Error, connection, transaction

from accounts.models import User
from harness.sitters import Sitters
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.audit import run
from ledger.models import Transfer
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create
from ledger.selectors import wallet_balance

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def people() -> tuple[User, User, User, User]:
    """A thief with an accomplice, and two honest administrators."""
    names = ("thief", "accomplice", "anna", "bert")
    one, two, three, four = (User.objects.create_user(name) for name in names)
    mailbox_proved(one)
    credits_bought(one, 5_000)
    return one, two, three, four


@pytest.fixture(autouse=True)
def _with_the_role() -> None:
    assert role_create()
    rights_grant()


def as_application(statement: str, *values: object) -> None:
    """Run and commit a statement with the rights of the application."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}")
        cursor.execute(statement, values)


def post(key: str, kind: str, reference: str, lines: dict[str, int], **by: object) -> None:
    """Call the function that posts transfers."""
    as_application(
        "SELECT ledger_post(%s, %s, %s, %s::text[], %s::bigint[], %s, %s, %s, %s)",
        key, kind, reference, list(lines), list(lines.values()),
        by.get("actor"), by.get("approver"), by.get("memo", "x"), by.get("reverses"),
    )  # fmt: skip


@pytest.fixture
def unmoved(people: tuple[User, User, User, User]) -> Iterator[None]:
    """Every attempt leaves every wallet and the books as they were."""
    before = [wallet_balance(person.pk) for person in people]
    transfers = Transfer.objects.count()
    yield
    assert [wallet_balance(person.pk) for person in people] == before
    assert Transfer.objects.count() == transfers


def attempts(thief: int, other: int, anna: int, bert: int) -> dict[str, dict[str, object]]:
    """The attempted transfers."""
    mine, promo = f"wallet:{thief}", "promo_issue:welcome"
    never = "match:0d4f7c7a-4f0c-4f0a-9d0e-5a0d6a3f0404"
    two_admins = {"actor": anna, "approver": bert}
    stakes = {f"escrow:{never}": 500, mine: -250, f"wallet:{other}": -250}
    return {
        "grant": {"key": "g:1", "kind": "grant", "lines": {promo: -700, mine: 700}},
        "purchase": {"key": "p:1", "kind": "purchase", "lines": {"cash_in:x": -700, mine: 700}},
        "welcome again": {"key": "w:1", "kind": "welcome", "lines": {promo: -700, mine: 700}},
        "adjustment": {
            "key": "adjustment:99", "kind": "adjust", "reference": "adjustment:99",
            "lines": {"adjustment": -700, mine: 700}, **two_admins,
        },
        "voucher": {"key": "voucher:99", "kind": "voucher", "lines": {promo: -700, mine: 700}},
        "stakes": {"key": f"{never}:open", "kind": "stake", "reference": never, "lines": stakes},
        "stakes of another name": {
            "key": "match:never:open", "kind": "stake", "reference": "match:never",
            "lines": {"escrow:match:never": 500, mine: -250, f"wallet:{other}": -250},
        },
        "payout": {
            "key": "payout:99:request", "kind": "payout_request", "reference": "payout:99",
            "lines": {mine: -700, "payout_hold:payout:99": 700},
        },
    }  # fmt: skip


NAMES = tuple(attempts(0, 0, 0, 0))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("unmoved", "no_free_references")
def test_no_transfer_is_committed_without_its_row(
    name: str, people: tuple[User, User, User, User]
) -> None:
    one, two, three, four = people
    tried = {"reference": "promo:x", **attempts(one.pk, two.pk, three.pk, four.pk)[name]}
    with pytest.raises(Error, match=r"no row behind it|there is no such match|names no match"):
        post(**tried)  # type: ignore[arg-type]


@pytest.fixture
def no_free_references() -> Iterator[None]:
    """The rules of a real house, where references of the tests are not accepted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        (name,) = cursor.fetchone()
        cursor.execute(f'ALTER DATABASE "{name}" RESET "ledger.free_references"')
        yield
        cursor.execute(f"ALTER DATABASE \"{name}\" SET ledger.free_references = 'test'")


def test_the_result_of_a_running_match_is_not_booked() -> None:
    table = Sitters(mode="prize5", stake_cents=250)
    table.begin()
    winner = table.match.player_0_id
    lines = {f"escrow:{table.match.reference}": -500, f"wallet:{winner}": 450, "house_rake": 50}
    reference = table.match.reference
    with pytest.raises(Error, match="is not over"):
        post(key=f"{reference}:resolve", kind="result", reference=reference, lines=lines)
    assert [result for result in run().results if result.findings] == []


@pytest.mark.usefixtures("unmoved")
def test_warrants_are_written_by_the_owner_alone(
    people: tuple[User, User, User, User],
) -> None:
    with pytest.raises(Error, match="permission denied"):
        as_application(
            "INSERT INTO ledger_warrant (key, kind, user_id, amount_cents, reason)"
            " VALUES ('g:1', 'grant', %s, 700, 'mine')",
            people[0].pk,
        )


def test_a_payout_is_not_closed_in_the_books_alone(
    people: tuple[User, User, User, User],
) -> None:
    thief, _, anna, _ = people
    asked = payout_asked(thief, 700)
    hold = f"payout_hold:{asked.reference}"
    with pytest.raises(Error, match="no row behind it"):
        post(
            key=f"{asked.reference}:resolve", kind="payout_paid", reference=asked.reference,
            lines={hold: -700, "payout_paid": 700}, actor=anna.pk,
        )  # fmt: skip
