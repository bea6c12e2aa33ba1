"""The settings of the house at the desk: who may change what, and where a change shows."""

import threading

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.roles import Role
from harness.waiting import WAIT_SECONDS, wait_until
from house.history import HouseStale, change_store
from house.models import HouseChange
from house.parts import BY_TWO, BadContent, HousePart, content_of
from house.reader import House, house_now, house_read, house_refresh, house_use
from ledger.errors import NotAllowed, ProposalStale
from ledger.mails import amount_text
from ledger.models import JournalEntry
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create
from ledger.templatetags.credits import credits_text
from pasch.staff.house import check_house, house_change
from tests.desk.conftest import at_desk
from tests.house_settings import house_has
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


def send(
    client, part: str, how: str = "save", *, number: int = 0, **values: str | list[str]
) -> str:
    """Fill in the form of a part and press one of its buttons; the text of the next page."""
    data = {"number": str(number), "reason": "a new owner", **values, how: "1"}
    return text_of(client.post(reverse("desk:house_part", args=[part]), data, follow=True))


def change(actor: User, part: HousePart, number: int = 0, **values: str) -> HouseChange:
    return house_change(
        actor=actor,
        part=part,
        content=content_of(part, values),
        number=number,
        reason="r",
        verified_at=timezone.now(),
    )


# --- changing -------------------------------------------------------------------------------------
def test_an_administrator_renames_the_house_and_the_journal_says_so(anna: User) -> None:
    desk = at_desk(anna)
    words = send(desk, "name", "preview", name="Tric Trac")
    assert "default: Pasch Tric Trac" in words
    assert not HouseChange.objects.exists()
    assert "Every page shows it within seconds." in send(desk, "name", name=" Tric Trac ")
    house_refresh()
    assert house_now().name == "Tric Trac"
    entry = JournalEntry.objects.get(verb="house.change")
    assert (entry.actor, entry.subject, entry.reason) == (anna, "house:name", "a new owner")
    assert entry.before == {"number": 0, "name": None}
    assert entry.after == {"number": 1, "name": "Tric Trac"}
    assert "changed a setting of the house" in text_of(desk.get(reverse("desk:journal")))
    assert list(check_house()) == []


def test_undoing_is_a_new_change(anna: User) -> None:
    send(at_desk(anna), "name", name="Tric Trac")
    send(at_desk(anna), "name", number=1, name="")
    assert [row.content for row in HouseChange.objects.order_by("number")] == [
        {"name": "Tric Trac"},
        {},
    ]
    assert house_read().name == "Pasch"
    page = text_of(at_desk(anna).get(reverse("desk:house_part", args=["name"])))
    assert "Tric Trac default: Pasch" in page


@pytest.mark.parametrize(
    ("part", "field", "text", "sentence"),
    [
        ("name", "name", "x" * 31, "This is too long."),
        ("name", "name", "Tric\u200bTrac", "It contains invisible characters."),
        ("name", "name", "", "Nothing changes: the house has these settings."),
        ("name", "reason", "", "This field is required."),
        ("name", "number", "7", "Somebody has changed this meanwhile."),
        ("currency", "sign", "1", "A sign has no digits"),
        ("currency", "sign", "<b>", "A sign has no digits"),
        ("currency", "sign", "Credits", "This is too long."),
        ("currency", "word_en", "chips%(x)s", "A word has letters only."),
        ("currency", "word_de", "{Punkte}", "A word has letters only."),
    ],
)
def test_what_no_house_can_have_is_refused_at_its_field(anna, part, field, text, sentence) -> None:
    values = {"name": "Tric Trac"} if part == "name" else {"sign": "Pt"}
    assert sentence in send(at_desk(anna), part, **{**values, field: text})
    assert not HouseChange.objects.exists()


def test_without_a_fresh_second_factor_nothing_changes(anna: User) -> None:
    stale = at_desk(anna, proved_ago=901)
    session = stale.session
    session["desk_seen_at"] = 2**40  # they worked at the desk all the while
    session.save()
    page = reverse("desk:house_part", args=["name"])
    assert "A change needs your second factor now." in text_of(stale.get(page))
    answer = stale.post(page, {"number": "0", "reason": "r", "name": "X", "save": "1"})
    assert answer.url.startswith(reverse("mfa_reauthenticate"))
    assert not HouseChange.objects.exists()


def test_others_than_administrators_change_nothing(staff) -> None:
    with pytest.raises(NotAllowed):
        change(staff("carl", Role.TREASURER), HousePart.NAME, name="Tric Trac")


def test_who_saw_an_older_state_changes_nothing(anna: User, bert: User) -> None:
    change(anna, HousePart.NAME, name="One")
    with pytest.raises(ProposalStale):
        change(bert, HousePart.NAME, name="Two")
    change(bert, HousePart.CURRENCY, sign="Pt")  # another part is not concerned
    assert house_read() == House(
        2, {HousePart.NAME: {"name": "One"}, HousePart.CURRENCY: {"sign": "Pt"}}
    )


# --- where it shows -------------------------------------------------------------------------------
def test_amounts_have_the_sign_of_the_house() -> None:
    assert credits_text(250) == "2.50\u00a0ℂ"
    house_has(HousePart.CURRENCY, sign="Pt")
    with translation.override("de"):
        assert (credits_text(-250), amount_text(250)) == ("−2,50\u00a0Pt", "2,50 Pt")


def test_texts_have_the_word_of_the_house() -> None:
    poor, where = "You do not have enough credits for this stake.", "In credits."
    house_has(HousePart.CURRENCY, word_de="Punkte", word_en="points")
    assert (gettext(poor), gettext("Your credits"), gettext("Credits")) == (
        "You do not have enough points for this stake.",
        "Your points",
        "Points",
    )
    assert "credited" in gettext("Nothing is lost: the time is credited back.")
    assert ngettext("%(count)s credits", "%(count)s credits", 2) == "%(count)s points"
    with translation.override("de"):
        assert "nicht genug Punkte" in gettext(poor)
        assert gettext(where) == "In Punkten."
        assert gettext("Welcome credits") == "Willkommens-Punkte"
    house_use(None)
    assert gettext("Your credits") == "Your credits"
    with translation.override("de"):
        assert gettext(where) == "In Credits."


def test_a_placeholder_is_no_word() -> None:
    house_has(HousePart.CURRENCY, word_en="points")
    assert gettext("%(credits)s and {credits} of credits") == "%(credits)s and {credits} of points"


# --- reading --------------------------------------------------------------------------------------
def test_reading_the_settings_costs_a_request_nothing(django_assert_num_queries) -> None:
    house_has(HousePart.NAME, name="Tric Trac")
    with django_assert_num_queries(0):
        assert house_now().name == "Tric Trac"


@pytest.mark.django_db(transaction=True)
def test_a_process_follows_the_changes_of_others_by_itself(settings) -> None:
    settings.HOUSE_POLL_SECONDS = 0.05
    assert house_now() == House()  # the first use has started the thread
    HouseChange.objects.create(number=1, part="name", content={"name": "Afar"}, reason="r")
    wait_until(lambda: house_now().name == "Afar")
    settings.HOUSE_POLL_SECONDS = 0
    (thread,) = (each for each in threading.enumerate() if each.name == "house")
    thread.join(WAIT_SECONDS)


def test_a_content_that_this_version_cannot_use_leaves_the_defaults() -> None:
    house_has(HousePart.CURRENCY, sign="Pt")
    for number, part, content in ((2, "name", {"name": 7}), (3, "hats", {"size": 7})):
        HouseChange.objects.create(number=number, part=part, content=content, reason="r")
    house = house_read()
    assert (house.number, house.name, house.sign) == (3, "Pasch", "Pt")
    assert [finding.row for finding in check_house()] == ["house 2", "house 3"]


# --- what the database refuses --------------------------------------------------------------------
def as_application(run) -> None:
    assert role_create()
    rights_grant()
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {APPLICATION_ROLE}")
        try:
            with transaction.atomic():
                run()
        finally:
            cursor.execute("RESET ROLE")


def test_the_application_can_change_the_house_for_a_person(anna: User) -> None:
    as_application(lambda: change(anna, HousePart.NAME, name="Tric Trac"))
    assert house_read().name == "Tric Trac"


@pytest.mark.parametrize(
    ("part", "by", "named"),
    [("name", False, "house_person"), ("hats", True, "house_by_two")],
)
def test_the_application_cannot_change_it_for_nobody_or_alone(anna, part, by, named) -> None:
    who = anna.pk if by else None
    row = {"number": 1, "part": part, "content": {}, "reason": "r", "changed_by_id": who}
    with pytest.raises(DatabaseError, match=named):
        as_application(lambda: HouseChange.objects.create(**row))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE house_housechange SET content = '{}'",
        "DELETE FROM house_housechange",
        "TRUNCATE house_housechange",
    ],
)
def test_changes_stay(statement: str) -> None:
    house_has(HousePart.NAME, name="Tric Trac")
    with connection.cursor() as cursor, transaction.atomic():
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET LOCAL ledger.allow_truncate = ''")
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            cursor.execute(statement)


def test_changes_have_no_gap() -> None:
    with pytest.raises(DatabaseError, match="house_number"), transaction.atomic():
        HouseChange.objects.create(number=2, part="name", content={}, reason="r")


def test_a_change_over_an_older_one_is_refused() -> None:
    house_has(HousePart.NAME, name="One")
    with pytest.raises(HouseStale):
        change_store(HousePart.NAME, {}, seen=0, reason="r", changed_by_id=None)


def test_the_audit_names_a_row_that_the_journal_does_not_have(anna: User) -> None:
    HouseChange.objects.create(
        number=1, part="name", content={"name": "X"}, reason="r", changed_by=anna
    )
    assert "the journal says otherwise" in "".join(found.message for found in check_house())


def test_a_content_names_every_fault() -> None:
    with pytest.raises(BadContent) as refused:
        content_of(HousePart.CURRENCY, {"sign": "5", "word_de": 7, "hat": "x"})
    assert [(f.name, f.code) for f in refused.value.faults] == [
        ("hat", "unknown"),
        ("sign", "sign"),
        ("word_de", "type"),
    ]


def test_the_database_takes_two_people_for_what_the_site_does() -> None:
    """`ledger/migrations/sql/house.sql` lists the parts that one person changes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'ledger_house_by_two'")
        ((source,),) = cursor.fetchall()
    assert {part for part in HousePart if f"'{part.value}'" not in source} == BY_TWO
