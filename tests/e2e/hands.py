"""Hands in a browser: a player who clicks (or taps) as a person does, by what the page shows."""

from playwright.sync_api import Locator, Page, expect

from tests.page_pool import BY_HAND

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOVES_MAX = 8
#: the player's next step, once the draft has changed: the rearmost place from which a checker can
#: move, or that the play is complete. One call waits and reads, as a tap becomes a click only after
#: the call that taps has returned.
NEXT_STEP = """before => {
  const owed = document.getElementById("actions-note").textContent;
  if (document.body.dataset.free !== "true" || owed === before) return null;
  if (!document.querySelector('[data-action="done"]').disabled) return {owed, place: "done"};
  const places = [...document.querySelectorAll(".bg-liftable")].map((each) => each.dataset.point);
  const far = (name) => (name === "bar" ? 25 : Number(name));
  return places.length ? {owed, place: places.reduce((a, b) => (far(a) > far(b) ? a : b))} : null;
}"""


class Hands:
    """A player's browser page at a table."""

    def __init__(self, page: Page, *, taps: bool = False) -> None:
        self.page = page
        self.taps = taps
        page.context.add_cookies([BY_HAND])

    def press(self, target: Locator) -> None:
        """Click, or tap on a phone."""
        if self.taps:
            target.tap()
        else:
            target.click()

    def action(self, name: str) -> Locator:
        """The button of an action of the table."""
        return self.page.locator(f'[data-action="{name}"]:visible').first

    def do(self, *names: str) -> None:
        """Press the buttons of these actions, one after the other."""
        for name in names:
            self.press(self.action(name))

    def sees(self, seq: int) -> None:
        """Wait until the page has applied event `seq`."""
        self.page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=seq)

    def sees_phase(self, phase: str) -> None:
        """Wait until the page shows this phase."""
        expect(self.page.locator("body")).to_have_attribute("data-phase", phase)

    def sees_that_play_goes_on(self) -> None:
        """Wait until a player must decide: the pause between two games is over."""
        self.page.wait_for_function("() => ['roll', 'play'].includes(document.body.dataset.phase)")

    def play(self) -> None:
        """Make a play by clicking checkers, the rearmost that can move first, then confirm it."""
        done, owed = self.action("done"), ""
        expect(done).to_be_visible()
        for _ in range(MOVES_MAX):
            seen = self.page.wait_for_function(NEXT_STEP, arg=owed).json_value()
            if seen["place"] == "done":
                break
            owed = seen["owed"]
            self.press(self.page.locator(f'.bg-liftable[data-point="{seen["place"]}"]'))
        self.press(done)

    def sees_that_the_connection_is_lost(self) -> None:
        """Wait for the veil over the board."""
        expect(self.page.locator("#veil")).to_be_visible()

    def sees_that_the_connection_is_back(self) -> None:
        """Wait until the veil is gone."""
        expect(self.page.locator("#veil")).to_be_hidden()

    def leave(self) -> None:
        """Leave the table and confirm both questions."""
        self._open_panel()
        self.do("leave", "leave_continue", "leave_confirm")

    def resign(self) -> None:
        """Offer to lose a single game and confirm the question."""
        self._open_panel()
        self.do("resign", "resign_confirm")

    def drop(self) -> None:
        """Drop a double; on a phone the table asks again."""
        self.do("drop", *(["drop"] if self.taps else []))

    def _open_panel(self) -> None:
        panel = self.page.locator('[data-action="panel"]:visible')
        if panel.count():
            self.press(panel)
