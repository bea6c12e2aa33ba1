"""Bringing matches in a browser: files good, bad and twice, and the report of one of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from analysis.imports.storing import read_once
from analysis.models import ImportedMatch
from analysis.queue import work_once
from tests.analysis.files import cut_off, golden, turned
from tests.analysis.test_queue import Bare
from tests.axe import violations

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def files(folder: Path) -> list[Path]:
    """A sound match, the same from the other side, one cut off, and a picture."""
    contents = {
        "final.mat": golden().encode(),
        "final-other.mat": turned(golden(), ("kes", "old_harbour")),
        "money.txt": golden("money_session").replace("43:", "4x:", 1).encode(),
        "photo.mat": b"\x89PNG\r\n\x1a\n" + bytes(200),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in contents]


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=["desktop", "phone"])
def test_files_are_brought_read_and_shown(
    player: Callable[..., Any], tmp_path: Path, size: tuple[int, int]
) -> None:
    page = player("hilde", locale="en-GB")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("/matches/")
    page.locator("#import-files").set_input_files(files(tmp_path))
    expect(page.locator(".import-state")).to_contain_text("4 files")
    while read_once():
        pass
    expect(page.locator('[data-look="new"] dd')).to_have_text("1")
    expect(page.locator('[data-look="known"] dd')).to_have_text("1")
    expect(page.locator('[data-look="unread"] dd')).to_have_text("1")
    assert violations(page) == []
    while work_once(Bare()):
        pass
    page.reload()
    page.get_by_role("button", name="Yes, that’s me").first.click()
    match = ImportedMatch.objects.filter(in_part=False).get()
    page.goto(f"/matches/?import={match.file.upload_id if match.file else ''}")
    report = page.locator(f'a[href="/match/elsewhere/{match.pk}/analysis/"]')
    report.click()
    expect(page.locator("#decision [data-key]").first).to_be_visible()
    expect(page.get_by_text("alice").first).to_be_visible()
    page.go_back()
    # the same files again: nothing is sent, nothing is new
    page.locator("#import-files").set_input_files(files(tmp_path))
    expect(page.locator('[data-look="new"] dd')).to_have_text("0")


def test_a_text_is_pasted(player: Callable[..., Any]) -> None:
    page = player("hilde", locale="en-GB")
    page.goto("/matches/")
    page.get_by_text("Paste a match").click()
    page.locator("#import-paste").fill(cut_off())
    page.get_by_role("button", name="Add").click()
    expect(page.locator(".import-state")).to_contain_text("pasted text")
    while read_once():
        pass
    expect(page.locator("#import-faults")).to_contain_text("14/10 13/9")
    page.locator("#import-faults summary").click()
    page.locator("#import-faults a").click()
    expect(page.locator(".imported-lines mark")).to_be_visible()
