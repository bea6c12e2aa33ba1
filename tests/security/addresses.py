"""Every address of the site, and one real path for each."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import get_resolver
from django.urls.resolvers import URLPattern

PARTS = {
    "int:year": "2026",
    "str:username": "magriel",
    "slug:code": "ABCDEFGH",
    "slug:file_format": "mat",
    "path:object_id": "1",
    "path:url": "nowhere",
    "id": "1",
}
UUID = "5b1c4b9e-7b0c-4b7a-9b1c-4b9e7b0c4b7a"
REGEXES = {"url": "nowhere", "uidb36": "1", "key": "set-password", "app_label": "games"}


def walk(patterns: Any = None, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(route, name) of every address."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(each.pattern)
        if isinstance(each, URLPattern):
            yield route, each.name or ""
        else:
            yield from walk(each.url_patterns, route)


def path_of(route: str, known: dict[str, str]) -> str:
    """A path that the route answers; `known` gives the values of parts by `converter:name`."""
    path = re.sub(r"\(\?P<(\w+)>(?:\[[^\]]*\]|[^()])*\)", lambda m: REGEXES[m[1]], route)
    path = path.replace("^", "").replace("$", "").replace(r"\.", ".")

    def value(part: re.Match[str]) -> str:
        name = part[1]
        usual = UUID if name.startswith("uuid:") else PARTS.get(name, "1")
        return known.get(name, usual)

    return "/" + re.sub(r"<([\w:]+)>", value, path).replace("(?:", "").replace("?)", "")
