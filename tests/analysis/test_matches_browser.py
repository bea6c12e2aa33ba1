"""Bringing matches in a browser: files good, bad and twice, and the report of one of them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from analysis.imports.storing import read_once
from analysis.models import ImportedFile, ImportedMatch
from analysis.queue import work_once
from tests.analysis.files import cut_off, golden, turned
from tests.analysis.test_imports import brought
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


def drop(page: Any, folder: Path) -> None:
    """Drag a folder from the desktop over the page and let it go."""
    browser = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(folder)], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        if kind == "drop":
            expect(page.locator("#import[data-over]")).to_be_visible()
        browser.send("Input.dispatchDragEvent", {"type": kind, "x": 100, "y": 200, "data": data})


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)], ids=["desktop", "phone"])
def test_a_folder_is_dropped(
    player: Callable[..., Any], tmp_path: Path, size: tuple[int, int]
) -> None:
    """Good files and bad ones, a match twice, and a file twice, in folders of a folder."""
    folder = tmp_path / "evenings"
    (folder / "2019" / "May").mkdir(parents=True)
    files(folder / "2019")
    (folder / "2019" / "May" / "copy.mat").write_text(golden())
    page = player("hilde", locale="en-GB", viewport={"width": size[0], "height": size[1]})
    page.goto("/matches/")
    drop(page, folder)
    expect(page.locator(".import-state")).to_contain_text("evenings")
    expect(page.locator("[data-over]")).to_have_count(0)
    while read_once():
        pass
    shown = {"new": 1, "known": 1, "part": 1, "unread": 1}
    for look, number in shown.items():
        expect(page.locator(f'[data-look="{look}"] dd')).to_have_text(str(number))
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert violations(page) == []
    paths = set(ImportedFile.objects.values_list("path", flat=True))
    assert "evenings/2019/photo.mat" in paths
    assert len(paths) == 4, "the same file is kept once"
    while work_once(Bare()):
        pass
    page.reload()
    match = ImportedMatch.objects.filter(in_part=False).get()
    page.locator(f'a[href="/match/elsewhere/{match.pk}/analysis/"]').click()
    expect(page.locator("#decision [data-key]").first).to_be_visible()


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
    expect(page.get_by_label("Line 16")).to_have_value(re.compile("14/10 13/9"))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_wrong_line_is_corrected_where_it_stands(
    player: Callable[..., Any], hilde: User, scripts: bool
) -> None:
    upload = brought(hilde, cut_off().encode())
    page = player("hilde", locale="en-GB", java_script_enabled=scripts)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/matches/sent/{upload.files.get().pk}/")
    line = page.get_by_label("Line 16")
    line.fill(line.input_value().replace("13/9", "13/10"))
    page.get_by_role("button", name="Read again").click()
    expect(page.get_by_text("The file is being read.")).to_be_visible()
    while read_once():
        pass
    expect(page.get_by_text("With your changes the file is read whole.")).to_be_visible()
    if scripts:
        assert violations(page) == []
    page.get_by_role("button", name="Undo my changes").click()
    expect(page.get_by_text("The file is being read.")).to_be_visible()
    while read_once():
        pass
    expect(page.get_by_text("Line 16, character")).to_be_visible()
    assert ImportedMatch.objects.get().in_part
