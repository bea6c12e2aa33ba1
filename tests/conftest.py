"""Fixtures for every test: real servers, a real web server, players in real browsers."""

import gc
import os
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.db import connection
from django.test import Client
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import expect

from accounts.models import User
from games.services.tables import table_join, table_open
from harness.chromium import Chromium, NoBrowser, chromium_find
from harness.dice import ScriptedDice
from harness.servers import servers_start, servers_stop
from harness.sitting import Sitting
from harness.waiting import WAIT_MS, wait_until
from harness.wallets import credits_bought, mailbox_proved
from pasch.assets.prepared import translations_compile
from tests.page_pool import PagePool, complaints

ROOT = Path(__file__).resolve().parents[1]
#: new things, and searches among newer ones, before garbage is searched for; usually 700, 10, 10
GARBAGE_THRESHOLDS = (20_000, 10, 20)

#: browser tests that play whole matches or go through the whole site
LONGEST = ("tests/e2e/", "tests/face/test_pages.py")

# A machine that does other things may pause an example for longer than the usual 200 ms.
hypothesis_settings.register_profile("no deadline", deadline=None)
hypothesis_settings.load_profile("no deadline")

# Playwright's synchronous interface runs an event loop in the test's own thread.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


# --- options --------------------------------------------------------------------------------------
def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-browser", action="store_true", help="leave out the tests that need a real Chromium"
    )
    parser.addoption("--screenshots", help="a folder for the pictures that some browser tests take")
    parser.addoption("--pictured", help="a pattern: only pages and states whose name contains it")
    parser.addoption("--looks", help="as dark-desktop-en,light-phone-de: these looks for each")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the options leave out; let tests that open a page run last.

    Once Playwright runs, its event loop stays in the thread of all later tests. The longest of them
    run first, so that no worker is left with one at the end.
    """
    for item in items:
        if "pages" in getattr(item, "fixturenames", ()):
            item.add_marker("django_db")  # the page asks it (tests/board/conftest.py)
    items.sort(key=_place)
    if config.getoption("--no-browser"):
        _keep(config, items, lambda item: not _opens_a_page(item))
    if not config.option.markexpr:
        _keep(config, items, lambda item: item.get_closest_marker("cluster") is None)
        if _is_whole_run(config):
            _keep(config, items, lambda item: item.get_closest_marker("slow") is None)


def _keep(
    config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]
) -> None:
    """Deselect the tests that are not wanted."""
    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = [item for item in items if wanted(item)]


def _is_whole_run(config: pytest.Config) -> bool:
    """Whether no file, folder or name was chosen."""
    return config.args == list(config.getini("testpaths")) and not config.option.keyword


def _place(item: pytest.Item) -> tuple[bool, bool]:
    """Where a test runs; those that open no page stay as they are, so that a flush comes late."""
    opens = _opens_a_page(item)
    return opens, opens and not item.nodeid.startswith(LONGEST)


def _opens_a_page(item: pytest.Item) -> bool:
    return "browser" in getattr(item, "fixturenames", ())


def pytest_configure(config: pytest.Config) -> None:
    """Compile the translations, so that the German pages are German from the first test on."""
    translations_compile(ROOT / "locale")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the collected objects, so that no garbage collection goes through them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*GARBAGE_THRESHOLDS)
        gc.enable()


def pytest_unconfigure() -> None:
    servers_stop()


# --- servers --------------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def servers() -> None:
    """Start PostgreSQL and Valkey; tests that use the database do not need to request this."""
    servers_start()


@pytest.fixture(scope="session")
def django_db_setup(servers: None, django_db_setup: None, django_db_blocker: Any) -> None:
    """The database of this worker; the servers start when the first test needs it."""
    with django_db_blocker.unblock():
        connection.ops.remember_kept()
        with connection.cursor() as cursor:  # tests of the books name matches that do not exist
            name = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"ALTER DATABASE {name} SET ledger.free_references = 'test'")


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Drop nothing at the end: the whole server stops, and threads may still be connected."""
    return not os.environ.get("DATABASE_URL")


@pytest.fixture(autouse=True)
def _valkey_empty(request: pytest.FixtureRequest) -> None:
    """Remove all that earlier tests left in Valkey (rate limits, presence)."""
    asked = {"db", "transactional_db"} & set(request.fixturenames)
    if asked or request.node.get_closest_marker("django_db"):
        from django.core.cache import cache

        cache.clear()


@pytest.fixture(autouse=True)
def _house_as_it_comes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Forget the settings of the house that a test has set (tests/house_settings.py)."""
    yield
    if "_django_db_helper" in request.fixturenames:
        from house.reader import house_use

        house_use(None)


@pytest.fixture(autouse=True)
def _valkey_is_there() -> None:
    """Forget that Valkey was away from an earlier test: frames go both ways for a while then."""
    if broadcast := sys.modules.get("games.broadcast"):
        broadcast._deaf_until = float("-inf")
        broadcast._left_alone_until.clear()


@pytest.fixture(autouse=True)
def _connections_given_back(request: pytest.FixtureRequest) -> Iterator[None]:
    """Leave the pool of this worker as large as it was."""
    yield
    if "_django_db_helper" in request.fixturenames:
        from harness.postgresql.base import connections_give_back

        connections_give_back()


# --- a web server and players ---------------------------------------------------------------------
class _ThreadServer(uvicorn.Server):
    """uvicorn outside of the main thread, where no signal handler can be set."""

    def install_signal_handlers(self) -> None:
        pass


@contextmanager
def site_served(ws: Any) -> Iterator[str]:
    """Serve the whole site on a free port, with this protocol for WebSockets; yield its address."""
    from pasch.asgi import application
    from pasch.web.heads import LimitedHttp

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        application,
        log_level="warning",
        lifespan="off",
        http=LimitedHttp,
        ws=ws,
        ws_per_message_deflate=False,
    )
    server = _ThreadServer(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    wait_until(lambda: server.started, "the web server ended before it had started")
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(5)


@pytest.fixture(scope="session")
def asgi_server(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The site, served as in every house; its address."""
    from pasch.web.frame_socket import FrameSocket

    with django_db_blocker.unblock(), site_served(FrameSocket) as address:
        yield address


@pytest.fixture
def live(asgi_server: str, transactional_db: None) -> Iterator[str]:
    """The address of the site for one test; what the test commits is deleted afterwards.

    The test is over when the end of every socket has been handled, so no late writes follow.
    """
    from games.live.sockets import sockets_open

    yield asgi_server
    wait_until(lambda: not sockets_open(), lambda: f"{sockets_open()} sockets did not end")


@pytest.fixture(scope="session")
def chromium() -> Chromium:
    """The browser; without one, every browser test fails with a message that says what to do."""
    expect.set_options(timeout=WAIT_MS)
    try:
        return chromium_find(Path(os.environ.get("PASCH_BROWSERS") or ROOT / "var"))
    except NoBrowser as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], chromium: Chromium
) -> dict[str, Any]:
    return {
        **browser_type_launch_args,
        "executable_path": str(chromium.program),
        "args": list(chromium.arguments),
        "env": {**os.environ, **chromium.environment},
    }


@pytest.fixture(scope="session")
def page_pool(browser: Any) -> PagePool:
    """Pages of this worker's browser, kept from test to test."""
    return PagePool(browser)


@pytest.fixture
def player(live: str, page_pool: PagePool, django_user_model: Any) -> Iterator[Callable[..., Any]]:
    """`player("hilde")` is a page in a browser context of its own, logged in as that user.

    Keywords go to the browser's context (`viewport`, `is_mobile`, …). `page.problems` collects the
    errors of the console and every violation of the content security policy; at the end of any
    test it must be empty.
    """
    from harness.logins import session_cookie

    pages = []

    def open_page(name: str | None, **context_options: Any) -> Any:
        options = {
            "base_url": live,
            "locale": "de-DE",
            "timezone_id": "Europe/Berlin",
            "reduced_motion": "reduce",
            **context_options,
        }
        page = page_pool.take(**options)
        pages.append(page)
        if name is not None:
            user = django_user_model.objects.filter(username=name).first()
            key, value = session_cookie(user or django_user_model.objects.create_user(name))
            address = options["base_url"]
            page.context.add_cookies([{"name": key, "value": value, "url": address}])
        return page

    yield open_page
    said = complaints(pages)
    for page in pages:
        page_pool.give_back(page)
    assert said == [], "no page of the house complains"


# --- people, tables and dice ----------------------------------------------------------------------
@pytest.fixture
def dice(settings: object) -> Iterator[Callable[..., None]]:
    """`dice((6, 6), (2, 1))` sets the rolls, which repeat."""
    settings.DICE_SOURCE = "harness.dice.ScriptedDice"
    kept = ScriptedDice.script

    def lay(*rolls: tuple[int, int]) -> None:
        ScriptedDice.script = list(rolls)

    yield lay
    ScriptedDice.script = kept


@pytest.fixture
def magriel(transactional_db: None) -> User:
    """The opener of tables; 100 credits of welcome."""
    return User.objects.create_user("magriel")


@pytest.fixture
def hilde(transactional_db: None) -> User:
    """The guest at tables; 100 credits of welcome."""
    return User.objects.create_user("hilde")


@pytest.fixture
def tilo(transactional_db: None) -> User:
    """A third person."""
    return User.objects.create_user("tilo")


@pytest.fixture
def stranger(transactional_db: None) -> Client:
    """Somebody without an account or a session."""
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def sitting(magriel: User, hilde: User, dice: Callable[..., None]) -> Sitting:
    """magriel and hilde sit at a table for 2.50, before the first roll."""
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    return Sitting(table, (magriel, hilde))


@pytest.fixture
def people(transactional_db: None, settings: Any) -> Callable[..., list[User]]:
    """Make so many players with a confirmed address and paid credits."""
    settings.LEDGER_WELCOME_CENTS = 0

    def make(many: int, cents: int = 1_000) -> list[User]:
        made = []
        for number in range(many):
            user = User.objects.create_user(f"player{number}")
            mailbox_proved(user)
            credits_bought(user, cents)
            made.append(user)
        return made

    return make


@pytest.fixture
def tables_digest() -> Callable[[], dict[str, str]]:
    """A digest of every table of the database but those in which sessions are kept."""

    def digest() -> dict[str, str]:
        names = connection.introspection.table_names()
        kept = [name for name in names if "session" not in name]
        found: dict[str, str] = {}
        with connection.cursor() as cursor:
            for name in sorted(kept):
                cursor.execute(
                    f"SELECT coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text)), $$$$)"
                    f' FROM "{name}" t'
                )
                found[name] = str(cursor.fetchone()[0])
        return found

    return digest


@pytest.fixture
def shots(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`shots(page, "lobby")` keeps a picture in the folder that --screenshots names, if given."""
    folder = request.config.getoption("--screenshots")

    def keep(page: Any, name: str, **options: Any) -> None:
        if folder:
            page.screenshot(path=f"{folder}/{name}.png", **options)

    return keep
