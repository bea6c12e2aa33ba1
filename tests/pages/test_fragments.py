"""Parts of pages that are kept: the same text as without keeping, in each language and house."""

import re
from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from games.modes.prices import Prices
from games.modes.terms import Terms, Wishes
from games.pages.words import terms_facts, terms_words
from games.services.tables import table_open
from games.table.setup import terms_of
from games.templatetags.table_words import table_words
from house.parts import HousePart
from house.reader import house_previewed
from kit.fragments import fragment
from kit.templatetags.addresses import address, address_of
from ledger.templatetags.credits import credits_text
from pasch.templatetags import fragments
from pasch.templatetags.shell import account_face, moment
from tests.house_settings import house_has

pytestmark = pytest.mark.django_db


def staked() -> Terms:
    return terms_of(Wishes(mode="prize5", stake_cents=250), Prices())


def card(terms: Terms) -> str:
    """The card of an open table of these terms."""
    opener = {"name": "ida", "elo": 1500, "strength": 3}
    row = {"id": CARD_ID, "opener": opener, "terms": terms, "strength_span": None}
    return fragments.table_card({**row, "mine": False, "affordable": True, "pair": None}, True)


CARD_ID = uuid4()


def test_a_fragment_is_made_once_for_its_arguments() -> None:
    made = []

    @fragment("games/terms_facts.html")
    def facts(terms: Terms, other: int) -> dict[str, object]:
        made.append(other)
        return {"terms": terms_facts(terms)}

    first = facts(staked(), 1)
    assert facts(staked(), 1) is first
    assert facts(staked(), 2) == first
    assert made == [1, 2]


def test_each_language_has_its_own() -> None:
    said = {}
    for language in ("de", "en", "de"):
        with translation.override(language):
            text = card(staked())
        assert said.setdefault(language, text) == text
    assert "2,50" in said["de"]
    assert "2.50" in said["en"]


def test_a_change_of_the_house_is_in_them_at_once_and_a_preview_leaves_nothing() -> None:
    before = card(staked())
    assert "ℂ" in before
    with house_previewed({HousePart.CURRENCY: {"sign": "¤"}}):
        assert "¤" in card(staked())
    assert card(staked()) == before
    house_has(HousePart.CURRENCY, sign="₿")
    assert "₿" in card(staked())


def test_words_of_the_same_terms_are_made_once_in_each_language() -> None:
    free = terms_of(Wishes(mode="match", target_points=5), Prices())
    for language, points in {"en": "5 points", "de": "5 Punkte"}.items():
        with translation.override(language):
            rules = terms_words(free)["rules"]
            assert points in rules
            assert terms_words(free)["rules"] is rules


def test_the_words_of_the_table_are_made_once_in_each_language() -> None:
    for language, left in (("en", "Table left"), ("de", "Tisch verlassen"), ("en", "Table left")):
        with translation.override(language):
            words = table_words()
            assert words["endings"]["left"] == left
            assert table_words() is words


@pytest.mark.parametrize("elo", [1499, None])
def test_names_are_escaped_and_ratings_are_in_the_key(elo: int | None) -> None:
    strength = 3 if elo else None
    line = fragments.player_line({"name": "<b>", "elo": elo, "strength": strength})
    assert "&lt;b&gt;" in line
    assert "<b>" not in line
    assert ("1499" in line) == (elo is not None)


def test_a_span_of_strength_is_in_the_line_of_its_table_alone() -> None:
    assert "±1" in fragments.card_words(staked(), 1)
    assert "±" not in fragments.card_words(staked())


def test_a_row_of_the_lobby_is_kept_for_each_kind_of_reader(client, django_user_model) -> None:
    opener, other = map(django_user_model.objects.create_user, ("ida", "jonas"))
    table_open(user=opener, mode="prize5", stake_cents=250)
    seen = {}
    for _turn in range(2):  # the second time from what is kept
        for name, reader in {"stranger": None, "opener": opener, "other": other}.items():
            client.logout()
            if reader is not None:
                client.force_login(reader)
            page = client.get(reverse("lobby_tables")).content.decode()
            action = r'open-words">.*?((?:<a|<span class="badge).*?)\s*</div>'
            shown = re.search(action, page, re.DOTALL)
            assert shown
            assert seen.setdefault(name, shown[1]) == shown[1]
    assert "login" in seen["stranger"]
    assert "Your table" in seen["opener"]
    assert 'class="button" id="join-' in seen["other"]
    assert "login" not in seen["other"]


def test_the_filters_of_the_lobby_show_what_is_chosen(client) -> None:
    client.get(reverse("lobby"))
    page = client.get(reverse("lobby"), {"mode": "match", "near": "on"}).content.decode()
    _head, _id, filters = page.partition('id="lobby-filters"')
    filters = filters.partition("</form>")[0]
    assert re.search(r'<option value="match"\s+selected', filters)
    assert re.search(r'name="near"[^>]*checked', filters)
    assert not re.search(r'name="affordable"[^>]*checked', filters)
    plain = client.get(reverse("lobby")).content.decode()
    assert not re.search(r'name="near"[^>]*checked', plain)


def test_more_tables_in_the_lobby_are_no_more_queries(client, django_user_model) -> None:
    counts = []
    for name in ("ida", "jonas", "paula"):
        table_open(user=django_user_model.objects.create_user(name), mode="normal")
        with CaptureQueriesContext(connection) as asked:
            page = client.get(reverse("lobby")).content.decode()
        assert not [query for query in asked if '"state",' in query["sql"]], "terms are enough"
        counts.append((page.count("open-words"), len(asked)))
    assert [shown for shown, _asked in counts] == [1, 2, 3]
    assert len({number for _shown, number in counts}) == 1


@pytest.mark.parametrize("name", ["match", "match_report", "table", "tournament"])
def test_an_address_that_is_filled_in_is_the_one_that_is_looked_up(name) -> None:
    for _number in range(2):
        pk = uuid4()
        assert address(name, pk) == reverse(name, args=[pk])


@pytest.mark.parametrize("username", ["anna-bär_7", "Ω.mega"])
def test_the_address_of_a_person_leads_to_their_page(username) -> None:
    for name in ("player", "challenge_make"):
        assert address_of(name, username) == reverse(name, args=[username])


def test_a_name_is_a_link_where_there_is_a_page(django_user_model) -> None:
    ida = django_user_model.objects.create_user("ida")
    href = reverse("player", args=["ida"])
    link = f'{account_face(ida.pk, "ida")}<a class="player-name" href="{href}">ida</a>'
    assert fragments.player_link(ida) == f'<span class="player">{link}</span>'
    ida.is_guest, ida.username = True, "<b>"
    assert fragments.player_link(ida).endswith('<span class="player-name">&lt;b&gt;</span></span>')


@pytest.mark.parametrize(
    ("name", "chosen", "part"),
    [
        ("archive", {"mode": "match"}, r'<option value="match"\s+selected'),
        ("archive", {"opponent": "<hilde"}, r'name="opponent" value="&lt;hilde"'),
        ("wallet", {"since": "2026-01-02"}, r'name="since" value="2026-01-02"'),
        ("wallet", {"since": "never"}, r'class="errorlist'),
    ],
)
def test_fields_that_are_filled_in_are_not_those_that_are_kept(
    client, django_user_model, name, chosen, part
) -> None:
    client.force_login(django_user_model.objects.create_user("ida"))
    assert not re.search(part, client.get(reverse(name)).content.decode())
    assert re.search(part, client.get(reverse(name), chosen).content.decode())
    assert not re.search(part, client.get(reverse(name)).content.decode())


def test_amounts_are_those_of_the_language() -> None:
    for language, text in {"de": "1.234.567,08", "en": "1,234,567.08"}.items():
        with translation.override(language):
            assert credits_text(123_456_708) == f"{text}\u00a0ℂ"


def test_a_moment_is_said_in_the_language_of_the_reader() -> None:
    when, said = datetime(2026, 3, 4, 5, 6, tzinfo=UTC), set()
    for language in ("de", "en", "de"):
        with translation.override(language):
            assert f"{date_format(when, 'DATETIME_FORMAT')} UTC" in moment(when)
            said.add(moment(when))
    assert len(said) == 2
    elsewhere = when.astimezone(timezone(timedelta(hours=2)))
    assert 'datetime="2026-03-04T07:06:00+02:00"' in moment(elsewhere)


def test_the_frame_marks_the_page_that_is_shown_and_no_other(client) -> None:
    marked = {}
    for name in ("imprint", "rules", "settings", "imprint"):
        page = client.get(reverse(name)).content.decode()
        links = re.findall(r'href="([^"]+)" aria-current="page"', page)
        assert marked.setdefault(name, links) == links
    assert marked["imprint"] == [reverse("imprint")]
    assert marked["rules"] == 4 * [reverse("rules")]  # header, twice in the menu, footer
    assert reverse("imprint") not in marked["settings"]
