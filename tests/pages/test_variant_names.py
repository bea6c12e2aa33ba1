"""Every interface offers every variant of the registry by its name."""

import pytest
from django.utils.translation import override

from backgammon.rules.variants import KEYS, by_key
from games.api.wishes import GameWishesSerializer
from games.forms.filters import FilterForm
from games.forms.practice import PracticeForm
from games.forms.tables import TableForm
from games.templatetags.table_words import table_words
from games.templatetags.tables import variant_name


@pytest.mark.django_db
@pytest.mark.parametrize("key", KEYS)
def test_a_variant_can_be_chosen_everywhere_by_its_name(key: str) -> None:
    name = by_key(key).name
    with override("en"):
        forms = (
            FilterForm(),
            PracticeForm.of({}, shows=True),
            TableForm.of({"mode": "normal"}, shows=True),
        )
        for form in forms:
            assert dict(form.fields["variant"].choices)[key] == name
        assert table_words()["variants"][key] == variant_name(key) == name
    assert key in GameWishesSerializer().fields["variant"].choices


def test_a_name_is_translated_for_its_reader() -> None:
    with override("de"):
        assert table_words()["variants"]["russian"] == "Russisches Backgammon"
        assert variant_name("russian") == "Russisches Backgammon"


def test_a_variant_that_is_played_no_more_is_named_by_its_key() -> None:
    assert variant_name("chess") == "chess"
