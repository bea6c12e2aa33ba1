"""Two players and a watcher talk in three browsers, one of them a phone."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.models import Mute, WordsReport
from games.services.tables import table_join, table_open
from tests.axe import violations
from tests.e2e.hands import PHONE

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = "<img src=x onerror=\"document.title='broken'\">"


def open_talk(page) -> None:
    panel = page.locator('[data-action="panel"]:visible')
    if panel.count():
        panel.click()
    page.locator("#tab-talk").click()
    expect(page.locator("#talk-phrases")).to_be_visible()


def write(page, text: str) -> None:
    page.locator("#talk-field").fill(text)
    page.locator("#talk-field").press("Enter")
    expect(page.locator("#talk-field")).to_have_value("")


@pytest.mark.slow
def test_players_and_a_watcher_talk_mute_and_report(player, dice, live, shots):
    dice((3, 1))
    one = player("magriel", viewport={"width": 1280, "height": 800})
    two = player("hilde", **PHONE, locale="en-GB")
    three = player("tilo", viewport={"width": 1280, "height": 800})
    names = {user.username: user for user in User.objects.all()}
    table = table_open(user=names["magriel"], mode="normal")
    table_join(user=names["hilde"], table_id=table.pk)
    for theme, page in (("nussbaum", one), ("ahorn", two), ("kontrast", three)):
        page.context.add_cookies([{"name": "theme", "value": theme, "url": live}])
        page.goto(f"/table/{table.pk}/")
        expect(page.locator("body")).to_have_attribute("data-phase", "roll")

    say_a_phrase(one, two)
    write_while_somebody_watches(one, two, three)
    found = [line for page in (one, two, three) for line in violations(page)]
    assert found == []
    shots(one, "talk-desktop")
    shots(two, "talk-phone")
    report_by_keyboard(one, shots)
    mute_and_hear_again(one, names)
    assert one.evaluate("document.title") != "broken"
    for page in (one, two, three):
        assert page.problems == []


def say_a_phrase(one, two) -> None:
    """A set phrase appears in each reader's language; a mark shows it where the talk is closed."""
    open_talk(one)
    one.get_by_role("button", name="Viel Glück!").click()
    expect(one.locator("#talk-list .own")).to_contain_text("Viel Glück!")
    expect(two.locator('[data-action="panel"]')).to_have_attribute("data-unread", "")
    expect(two.locator("#talk-status")).to_have_text("magriel says: Good luck!")
    two.locator('[data-action="panel"]').tap()
    expect(two.locator("#talk-list")).to_contain_text("Good luck!")
    expect(two.locator('[data-action="panel"]')).not_to_have_attribute("data-unread", "")


def write_while_somebody_watches(one, two, three) -> None:
    """Markup is shown as text; the players do not receive the watcher's messages."""
    write(two, SCRIPT)
    expect(one.locator("#talk-list")).to_contain_text(SCRIPT)
    open_talk(three)
    expect(three.locator("#talk-list")).to_contain_text(SCRIPT)
    write(three, "Sie muss schlagen")
    expect(three.locator("#talk-list")).to_contain_text("Sie muss schlagen")
    write(two, "after the watcher")
    expect(one.locator("#talk-list")).to_contain_text("after the watcher")
    for page in (one, two):
        assert "schlagen" not in page.locator("#talk-list").inner_text()


def report_by_keyboard(one, shots) -> None:
    """Report the last message without a mouse."""
    more = one.locator("#talk-list .said-more").last
    more.focus()
    one.keyboard.press("Enter")
    dialog = one.locator("#message-dialog")
    expect(dialog).to_contain_text("after the watcher")
    assert violations(one) == []
    shots(one, "talk-report")
    dialog.locator("#report-words").fill("bitte ansehen")
    dialog.locator("#report-words").press("Enter")
    expect(one.locator("#toasts")).to_contain_text("Gemeldet")
    report = WordsReport.objects.get()
    assert (report.author.username, report.said, report.words) == (
        "hilde",
        "after the watcher",
        "bitte ansehen",
    )


def mute_and_hear_again(one, names) -> None:
    """Messages of a muted person disappear from the list until they are unmuted."""
    one.locator("#talk-list .said-more").last.click()
    one.locator('#message-dialog [data-action="mute"]').click()
    expect(one.locator("#talk-list")).not_to_contain_text("after the watcher")
    assert Mute.objects.filter(owner=names["magriel"], muted=names["hilde"]).exists()
    one.locator('[data-action="talk_settings"]').click()
    one.locator("#muted-list button").click()
    expect(one.locator("#muted-none")).to_be_visible()
    one.keyboard.press("Escape")
    expect(one.locator("#talk-list")).to_contain_text("after the watcher")


def test_a_page_that_may_not_watch_says_so_and_stays_away(player, dice, live):
    """The table allowed watchers when the page was loaded; the connection is refused afterwards."""
    page = player("tilo", viewport={"width": 1280, "height": 800}, locale="en-GB")
    page.route_web_socket("**/ws/table/**", lambda socket: socket.close(code=4403))
    magriel = User.objects.create_user("magriel")
    table = table_open(user=magriel, mode="normal")
    page.goto(f"/table/{table.pk}/")
    expect(page.locator("#veil")).to_contain_text("This table does not allow watchers.")
