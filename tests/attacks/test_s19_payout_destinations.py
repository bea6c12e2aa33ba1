"""S19: a payout's destination is shown as it is stored; no character hides or turns others."""

from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from harness.logins import logged_in
from harness.wallets import payout_asked
from ledger.models import Payout
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

IBAN = "DE02120300000000202051"
TRICKS = {
    "turned round": "DE02 \u202e150202000000003021",
    "isolate": "DE02 \u2066 1203",
    "mark": "DE02\u200f1203",
    "zero width space": "DE02\u200b1203",
    "joiner": "DE02\u200d1203",
    "soft hyphen": "DE02\u00ad1203",
    "byte order mark": "\ufeffDE02",
    "no-break space": "DE02\u00a01203",
    "line separator": "DE02\u20281203",
    "control": "DE02\x7f1203",
    "private use": "DE02\ue0001203",
    "unassigned": "DE02\u03781203",
    "two directions": "DE02 \u05d0\u05d1\u05d2",
    "arabic digits": "\u0661\u0662\u0663\u0664",
    "bengali eight for four": "DE02 120\u09ea",
}
HONEST = [
    "DE02 1203 0000 0000 2020 51, Łukasz Müller-Ångström",
    "Ελένη, GR16 0110 1250 0000 0001 2300 695",
    "\u05d3\u05d5\u05d3 12-345-67890",
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
]


def ask(user: User, destination: str, note: str = "") -> Any:
    return logged_in(Client(), user).post(
        reverse("api_payout_request"),
        {"amount_cents": 2_500, "destination": destination, "note": note},
        content_type="application/json",
        headers={"Idempotency-Key": "the-wish-of-today"},
    )


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS)
def test_a_trick_is_refused_by_program_and_page(magriel: User, trick: str) -> None:
    assert ask(magriel, trick).status_code in (400, 409)
    form = {"amount_cents": "25", "destination": trick, "note": "", "client_key": "my-own-word"}
    answer = logged_in(Client(), magriel).post(reverse("wallet_payouts"), form)
    assert answer.status_code == 200
    assert "destination" in answer.context["form"].errors
    assert not Payout.objects.exists()


@pytest.mark.parametrize("destination", HONEST)
def test_honest_destinations_of_every_script_are_taken(magriel: User, destination: str) -> None:
    assert ask(magriel, destination).status_code == 201
    assert Payout.objects.get().destination == destination


def test_one_spelling_is_stored(magriel: User) -> None:
    assert ask(magriel, "  Mu\u0308ller ").status_code == 201
    assert Payout.objects.get().destination == "M\u00fcller"


@pytest.mark.parametrize("sign", ["\u202e", "\u2067", "\u200f"])
def test_a_note_turns_nothing_round(magriel: User, sign: str) -> None:
    assert ask(magriel, IBAN, note=f"thanks {sign}").status_code == 409
    assert not Payout.objects.exists()


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\x01"])
def test_the_database_takes_no_hidden_sign(magriel: User, sign: str) -> None:
    with pytest.raises(Error) as refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_payout (user_id, client_key, amount_cents, destination, note,"
            " four_eyes, large_from_cents, wait_hours, state, reason, receipt)"
            " VALUES (%s, 'x', 100, %s, '', true, 100, 24, 'requested', '', '')",
            [magriel.pk, f"DE02{sign}"],
        )
    assert refused.value.__cause__.sqlstate == "LG006"


def test_long_numbers_are_shown_in_blocks_of_four(magriel: User, anna: User) -> None:
    payout = payout_asked(magriel, 2_500, destination=f"{IBAN} Lukas Reinhardtsdorf")
    blocks = "".join(f"<span>{IBAN[at : at + 4]}</span>" for at in range(0, len(IBAN), 4))
    shown = f'<bdi class="destination">{blocks} Lukas Reinhardtsdorf</bdi>'
    assert shown in at_desk(anna).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    wallet = logged_in(Client(), magriel).get(reverse("wallet_payouts"))
    assert shown in wallet.content.decode()


def test_a_destination_stays_text(magriel: User, anna: User) -> None:
    payout = payout_asked(magriel, 2_500, destination="<b>DE02120300000000202051</b>")
    page = at_desk(anna).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    assert "<b>DE02" not in page
    assert "&lt;b&gt;" in page


@pytest.mark.parametrize(
    ("verb", "field"), [("approve", "reason"), ("decline", "reason"), ("settle", "receipt")]
)
def test_reasons_and_receipts_turn_nothing_round(
    payout: Payout, anna: User, bert: User, verb: str, field: str
) -> None:
    actor = anna
    if verb == "settle":
        at_desk(anna).post(f"/desk/payouts/{payout.pk}/approve/")
        at_desk(bert).post(f"/desk/payouts/{payout.pk}/claim/")
        actor = bert
    before = Payout.objects.get().state
    answer = at_desk(actor).post(
        f"/desk/payouts/{payout.pk}/{verb}/", {field: "4711 \u202e1174"}, follow=True
    )
    assert "contains invisible characters" in answer.content.decode()
    assert Payout.objects.get().state == before
