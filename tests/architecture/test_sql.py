"""SQL follows the layers of the imports: an app names only its own tables and those below it."""

import re

import pytest

from tests.architecture.sources import ROOT
from tests.architecture.test_foreign_keys import RANK


@pytest.mark.parametrize("app", sorted(RANK))
def test_the_sql_of_an_app_names_no_app_above_it(app: str) -> None:
    above = "|".join(one for one in RANK if one != app and RANK[one] >= RANK[app]) or "(?!)"
    named = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / app / "migrations" / "sql").glob("*.sql"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(rf"\b({above})_\w", line.split("--")[0])
    ]
    assert named == []
