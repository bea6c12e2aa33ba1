"""The German terms of the glossary are those of the translations."""

import re

from tests.pages.test_translations import entries, read_catalogue
from tests.pages.texts import ROOT

ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]*) ?\| [^|]+ \|$", re.M)


def test_each_german_term_is_used_and_no_other_word_for_it():
    table = (ROOT / "docs/glossary.md").read_text("utf-8").split("## In German")[1]
    rows = [row for row in ROW.findall(table) if row[0] != "English"]
    catalogue = entries(read_catalogue(ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"))
    german = "\n".join(" ".join(_forms(message.string)) for message in catalogue.values())
    assert len(rows) > 15
    assert [term for _, term, _ in rows if term.lower() not in german.lower()] == []
    wrong = [word.strip() for _, _, word in rows if word.strip()]
    assert [word for word in wrong if re.search(rf"\b{word}\b", german)] == []


def _forms(text):
    return (text,) if isinstance(text, str) else text
