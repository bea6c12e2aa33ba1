"""Browser pages that outlive their test.

A page in a browser context of its own costs a second of processor time before it shows anything:
a new renderer reads, compiles and paints everything again. So pages are kept, a few for each kind
of context, and the next test that needs the same kind gets one whose state has been cleared:
cookies, storage, permissions, routes, other tabs.
"""

from typing import Any
from urllib.parse import urlsplit

from harness.waiting import WAIT_MS

IDLE_MAX = 4
VIEWPORT = {"width": 1280, "height": 720}
#: a cookie of readers whose page makes no forced play by itself
BY_HAND = {"name": "preferences", "value": "auto_forced=0", "domain": "127.0.0.1", "path": "/"}

REPORT_VIOLATIONS = """addEventListener('securitypolicyviolation', e =>
  console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + (e.sample || '')))"""
#: a browser's messages about a lost connection or a missing page, which the tests check themselves
OF_THE_LINE = ("Failed to load resource", "WebSocket connection to", "net::ERR_")


def complaints(pages: list[Any]) -> list[str]:
    """The errors in scripts and violations of the policy that these pages have reported."""
    said = [line for page in pages for line in page.problems]
    return [line for line in said if not any(each in line for each in OF_THE_LINE)]


class PagePool:
    """Pages of one browser, each alone in its context; `page.problems` collects its errors."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._kinds: dict[Any, str] = {}
        self._idle: list[Any] = []

    def take(self, **options: Any) -> Any:
        """A page in a context with these options (`viewport`, `locale`, …), blank, logged out."""
        size = options.pop("viewport", None)
        kind = repr(sorted(options.items()))
        page = next((page for page in self._idle if self._kinds[page] == kind), None)
        if page is None:
            page = _page(self._browser.new_context(**options))
            self._kinds[page] = kind
        else:
            self._idle.remove(page)
        page.set_viewport_size(size or VIEWPORT)
        return page

    def give_back(self, page: Any, *, always_routed: bool = False) -> None:
        """Clear the state of the page and close its sockets. The oldest idle page is closed.

        Routes of sockets cannot be removed: a page with some is closed, unless all tests with this
        kind of page route them again (`always_routed`).
        """
        if page.has_routed_sockets and not always_routed:
            page.context.close()
        if page.is_closed():
            del self._kinds[page]
            return
        forget(page)
        self._idle.append(page)
        if len(self._idle) > IDLE_MAX:
            oldest = self._idle.pop(0)
            del self._kinds[oldest]
            oldest.context.close()


def _page(context: Any) -> Any:
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.problems = []
    page.devtools = context.new_cdp_session(page)
    _watch_routes(page)
    page.on("console", lambda message: _note(page, message))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.add_init_script(REPORT_VIOLATIONS)
    return page


def _watch_routes(page: Any) -> None:
    """Note whether a test answers this page's sockets in place of the server."""
    page.has_routed_sockets = False
    route = page.route_web_socket

    def routed(*args: Any) -> None:
        page.has_routed_sockets = True
        route(*args)

    page.route_web_socket = routed


def _note(page: Any, message: Any) -> None:
    """Store an error of the console with the address that it is about."""
    if message.type == "error":
        page.problems.append(f"{message.text} {message.location.get('url', '')}")


def forget(page: Any) -> None:
    """Clear the page: blank, logged out, with nothing stored."""
    context = page.context
    for other in context.pages:
        if other is not page:
            other.close()
    seen = urlsplit(page.url)
    page.mouse.move(0, 0)  # else the pointer would hover over the next test's page
    page.emulate_media(forced_colors="none")
    page.goto("about:blank")
    page.unroute_all()
    context.unroute_all()
    context.clear_cookies()
    context.clear_permissions()
    if seen.scheme.startswith("http"):
        stored = {"origin": f"{seen.scheme}://{seen.netloc}", "storageTypes": "local_storage"}
        page.devtools.send("Storage.clearDataForOrigin", stored)
    page.problems.clear()
