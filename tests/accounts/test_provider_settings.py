"""`OIDC_PROVIDERS`: what it gives, and the sentence about what is wrong in it."""

import json

import pytest
from django.core.exceptions import ImproperlyConfigured

from accounts.providers.configuration import LoginProvider, login_providers

CLUB = {
    "id": "club",
    "name": "Our club",
    "url": "https://login.example/realms/club",
    "client_id": "pasch",
    "secret": "not-for-eyes",
}


def test_nothing_is_the_default_and_several_keep_their_order() -> None:
    assert login_providers("") == login_providers(" ") == ()
    other = {**CLUB, "id": "a", "name": "A", "url": "http://127.0.0.1:9000/"}
    found = login_providers(json.dumps([CLUB, other]))
    assert found == (LoginProvider(**CLUB), LoginProvider(**other))
    assert "not-for-eyes" not in repr(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{", "is not JSON: Expecting property name"),
        (json.dumps(CLUB), "must be a list in JSON"),
        (json.dumps(["club"]), "must have an object at place 1"),
        (json.dumps([{**CLUB, "scope": "x"}]), "has an unknown field 'scope' in provider 1"),
        (json.dumps([CLUB, {**CLUB, "name": ""}]), "needs name in provider 2"),
        (json.dumps([{**CLUB, "secret": 7}]), "needs secret in provider 1"),
        (json.dumps([{**CLUB, "id": "Our Club"}]), "has the id 'Our Club' in provider 1"),
        (json.dumps([{**CLUB, "url": "http://login.example"}]), "it must be the issuer's address"),
        (json.dumps([{**CLUB, "url": "https://a.example/?x=1"}]), "without a query"),
        (json.dumps([CLUB, CLUB]), "has two providers with the id 'club'"),
        (json.dumps([CLUB, {**CLUB, "id": "b"}]), "has two providers with the name 'Our club'"),
    ],
)
def test_a_bad_value_is_refused_with_what_and_where(text: str, said: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        login_providers(text)
    assert str(refused.value).startswith("OIDC_PROVIDERS ")
    assert said in str(refused.value)
    assert "not-for-eyes" not in str(refused.value)
