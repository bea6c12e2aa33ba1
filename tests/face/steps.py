"""What is done on a page to bring it to the state under test."""

from typing import Any

from accounts.models import User
from games.services.lobby import quick_pair
from harness.shown_house import PASSWORD
from house.board import COLOURS
from tests.png import picture


def wait_for_table(page: Any) -> None:
    page.wait_for_selector("body[data-free=true]")


def open_panel(page: Any) -> None:
    wait_for_table(page)
    panel = page.locator('[data-action="panel"]:visible')
    if panel.count():
        panel.click()


def talk(page: Any) -> None:
    open_panel(page)
    page.locator("#tab-talk").click()
    page.locator("#talk-phrases").wait_for()


def moves(page: Any) -> None:
    open_panel(page)
    page.locator("#moves").wait_for()


def hint(page: Any) -> None:
    wait_for_table(page)
    page.locator('[data-action="hint"]').click()
    page.locator("#hint").wait_for()


def replay(page: Any) -> None:
    page.wait_for_selector("body[data-step]")
    for step in ("1", "2"):
        page.locator('[data-replay-go="next"]').click()
        page.wait_for_selector(f'body[data-step="{step}"]')


def offered(page: Any) -> None:
    """Play the house bot until a person comes."""
    page.locator("#play-now button").click()
    wait_for_table(page)
    quick_pair(user=User.objects.get(username="jonas"), mode="normal")
    page.locator("#seat-offer [name=accept]").wait_for()


def report(page: Any) -> None:
    page.locator("#report-cursor:not([hidden])").wait_for(state="attached")
    page.locator(".report-card").wait_for()


def menu(page: Any) -> None:
    page.locator("details[data-menu] > summary").click()
    page.locator("details.menu-choice > summary").first.click()


def rules(page: Any) -> None:
    page.locator("#rules-more > summary").click()


def levels(page: Any) -> None:
    page.locator("#levels > summary").click()
    rules(page)


def boards(page: Any) -> None:
    page.locator("#watch-list svg.bg").first.wait_for()


def boards_here(page: Any) -> None:
    page.locator("#board svg.bg").wait_for()


def lesson(page: Any) -> None:
    page.wait_for_selector("#lesson[data-mood=ask] svg.bg")


def lesson_solved(page: Any) -> None:
    lesson(page)
    page.locator("#lesson-play").fill("13/7")
    page.locator("#lesson-play").press("Enter")
    page.wait_for_selector("#lesson[data-mood=right]")


def exercise(page: Any) -> None:
    page.locator("#board svg.bg").wait_for()


def exercise_answered(page: Any) -> None:
    if page.locator("#exercise[data-state=answered]").count():
        return  # in another look before
    exercise(page)
    choice = page.locator("#exercise-form [name=choice]")
    if choice.count():
        choice.first.click()
    else:
        page.evaluate("""() => {
            const { graph } = JSON.parse(document.getElementById("exercise-data").textContent);
            const walk = [];
            for (let at = 0; graph[at].length; at = graph[at][0][3]) walk.push(graph[at][0]);
            const line = document.getElementById("exercise-play");
            line.value = walk.map(([from, to]) => `${from}/${to}`).join(" ");
            line.dispatchEvent(new Event("input"));
        }""")
        page.locator("#exercise-confirm").click()
    page.wait_for_selector("#exercise[data-state=answered]")


def send_wrong(page: Any) -> None:
    for field in page.locator("main form input:visible:not([type=checkbox])").all():
        field.fill("a@b")
    page.locator("main form button:not([type=button])").first.click()
    page.locator(".errorlist").first.wait_for()


def prove(page: Any) -> None:
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main form button:not([type=button])").first.click()
    page.wait_for_url("**/2fa/**")


def logo(page: Any) -> None:
    file = {"name": "logo.png", "mimeType": "image/png", "buffer": picture(300, 80)}
    page.set_input_files("#id_file", file)
    page.fill("#id_reason", "a new sign")
    page.click("button[name=preview]")
    page.wait_for_selector("[data-testid=preview] .brand-logo")


def felt(page: Any) -> None:
    colours = ("#1f5a3a", "#d8b766", "#7c2429", "#efe9e2", "#7f181e")
    for name, colour in zip(COLOURS, colours, strict=True):
        page.fill(f"#id_{name}", colour)
    page.fill("#id_reason", "our felt")
    page.click("button[name=preview]")
    page.wait_for_selector("[data-testid=preview] .bg-drawing")
