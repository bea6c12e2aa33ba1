"""The balancer of `deploy/haproxy/`, as a real HAProxy runs it before two real web servers.

Only names, ports and folders of the configuration are replaced.
"""

import csv
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from harness.home import free_port
from harness.processes import Processes
from harness.sitting import Sitting
from harness.voice import Voice, socket_of
from harness.waiting import WAIT_SECONDS, listens, wait_until
from pasch.servers.embedded import Home, valkey_start, valkey_stop
from tests.architecture.sources import ROOT
from tests.certificates import certificate_make

HAPROXY = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
HOST = "127.0.0.1"
pytestmark = pytest.mark.skipif(HAPROXY is None, reason="haproxy is not installed here")


@dataclass
class Balancer:
    """A running HAProxy on free ports."""

    folder: Path
    webs: dict[str, int]
    tls: int = field(default_factory=free_port)
    plain: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        text = (ROOT / "deploy/haproxy/haproxy.cfg").read_text()
        replaced = {
            r"log /dev/log local0": "log stderr format raw local0 err",
            r"maxconn 20000": "maxconn 500",  # as many open files as a test may have
            r"user haproxy\n": "",
            r"group haproxy\n": "",
            r"/run/haproxy/admin\.sock": f"{self.folder}/admin.sock",
            r"/etc/haproxy/tls/pasch\.pem": f"{self.folder}/pasch.pem",
            r"/etc/haproxy/pasch-503\.http": f"{ROOT}/deploy/haproxy/pasch-503.http",
            r"bind :80\n": f"bind {HOST}:{self.plain}\n",
            r"bind :443 ": f"bind {HOST}:{self.tls} ",
            r"127\.0\.0\.1:8405": f"{HOST}:{free_port()}",
            r"hdr Host pasch\.example": f"hdr Host {HOST}",
            r"10\.0\.0\.21:8000": f"{HOST}:{self.webs['web1']}",
            r"10\.0\.0\.22:8000": f"{HOST}:{self.webs['web2']}",
        }
        for pattern, instead in replaced.items():
            text, count = re.subn(pattern, instead, text)
            assert count, f"{pattern} is not in the configuration"
        (self.folder / "haproxy.cfg").write_text(text)
        key, certificate = certificate_make(HOST, timedelta(days=1))
        (self.folder / "pasch.pem").write_bytes(certificate + key)

    def command(self, *more: str) -> list[str]:
        return [str(HAPROXY), "-f", str(self.folder / "haproxy.cfg"), *more]

    def start(self) -> None:
        self.process = subprocess.Popen(self.command("-db"))
        admin = self.folder / "admin.sock"  # made after the ports
        wait_until(lambda: listens(self.tls) and admin.exists(), "HAProxy does not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(WAIT_SECONDS)

    def page(self, path: str, **headers: str) -> tuple[int, str]:
        """The status and the text of a page over https."""
        unchecked = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection(
            HOST, self.tls, context=unchecked, timeout=WAIT_SECONDS
        )
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def servers(self) -> dict[str, tuple[str, int]]:
        """For each web server its state, and how many requests it got (checks do not count)."""
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(str(self.folder / "admin.sock"))
            admin.sendall(b"show stat\n")
            text = b"".join(iter(lambda: admin.recv(65_536), b"")).decode()
        rows = csv.DictReader(text.removeprefix("# ").splitlines())
        return {
            row["svname"]: (row["status"].split()[0], int(row["stot"]))
            for row in rows
            if row["pxname"] == "web" and row["svname"] in self.webs
        }

    def wait_until(self, **states: str) -> None:
        wait_until(
            lambda: {name: state for name, (state, _) in self.servers().items()} == states,
            self.servers,
        )


def test_the_configuration_is_sound(tmp_path: Path) -> None:
    balancer = Balancer(tmp_path, {"web1": free_port(), "web2": free_port()})
    done = subprocess.run(balancer.command("-c"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_without_a_web_server_it_says_so_in_both_languages(tmp_path: Path) -> None:
    balancer = Balancer(tmp_path, {"web1": free_port(), "web2": free_port()})
    balancer.start()
    try:
        balancer.wait_until(web1="DOWN", web2="DOWN")
        status, text = balancer.page("/")
        assert status == 503
        assert "Back in a moment" in text
        assert "Gleich wieder da" in text
        assert balancer.page("/health/ready/")[0] == balancer.page("/metrics/")[0] == 404
        plain = http.client.HTTPConnection(HOST, balancer.plain, timeout=WAIT_SECONDS)
        plain.request("GET", "/play/", headers={"Host": "pasch.example"})
        answer = plain.getresponse()
        assert (answer.status, answer.headers["Location"]) == (308, "https://pasch.example/play/")
    finally:
        balancer.stop()


class Files(BaseHTTPRequestHandler):
    """A web server that is ready and has one file, if any."""

    def do_GET(self) -> None:
        found = self.path in ("/health/ready/", *self.server.has)  # type: ignore[attr-defined]
        names = ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded")
        body = " ".join(str(self.headers[name]) for name in names).encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def test_a_file_of_one_web_server_is_found_and_no_client_names_its_own_address(
    tmp_path: Path,
) -> None:
    with ExitStack() as closing:
        ports = {}
        for name, has in (("web1", {"/static/old.js"}), ("web2", {"/static/new.js"})):
            server = closing.enter_context(ThreadingHTTPServer((HOST, 0), Files))
            server.has = has  # type: ignore[attr-defined]
            closing.callback(server.shutdown)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            ports[name] = server.server_address[1]
        balancer = Balancer(tmp_path, ports)
        closing.callback(balancer.stop)
        balancer.start()
        balancer.wait_until(web1="UP", web2="UP")
        for path in ("/static/old.js", "/static/new.js") * 6:
            assert balancer.page(path)[0] == 200, path
        assert balancer.page("/static/none.js")[0] == 404
        forged = {"X-Forwarded-For": "203.0.113.7", "Forwarded": "for=203.0.113.7"}
        assert balancer.page("/static/old.js", **forged) == (200, f"{HOST} https None")


@pytest.fixture
def second_valkey() -> Iterator[Home]:
    """A Valkey that only the second web server uses, so that it alone can be made unready.

    That server has nothing to put in the place of Valkey (docs/servers.md, Without Valkey).
    """
    folder = Path(tempfile.mkdtemp(prefix="pasch-valkey-"))
    home = Home(folder / "var")
    valkey_start(home)
    yield home
    valkey_stop(home)
    shutil.rmtree(folder)


@pytest.fixture
def balancer(transactional_db: None, tmp_path: Path, second_valkey: Home) -> Iterator[Balancer]:
    with ExitStack() as closing:
        houses = []
        for name in ("web1", "web2"):
            (tmp_path / name).mkdir()
            house = closing.enter_context(Processes(tmp_path / name, [(3, 1)]))
            house.environment |= {"TRUSTED_PROXIES": HOST, "WEB_WORKERS": "1"}
            if name == "web2":  # without a way past a pooler nothing stands in for Valkey
                house.environment |= {"REDIS_URL": second_valkey.redis_url}
                house.environment |= {"DATABASE_POOLER": "transaction"}
            house.start("web")
            houses.append(house)
        ports = {name: house.port for name, house in zip(("web1", "web2"), houses, strict=True)}
        balancer = Balancer(tmp_path, ports)
        closing.callback(balancer.stop)
        balancer.start()
        yield balancer


@pytest.mark.slow
def test_pages_and_sockets_go_to_web_servers_that_are_ready(
    balancer: Balancer, sitting: Sitting, second_valkey: Home
) -> None:
    balancer.wait_until(web1="UP", web2="UP")
    address = f"https://{HOST}:{balancer.tls}"
    unchecked = ssl._create_unverified_context()
    with ExitStack() as opened:
        before = balancer.servers()
        voices = []
        for user in sitting.players:
            connection = socket_of(user, address, sitting.pk, ssl=unchecked)
            voices.append(Voice(opened.enter_context(connection)))
            assert voices[-1].resume()["type"] == "snapshot"
        for _ in range(4):
            assert balancer.page("/rules/")[0] == 200
        after = balancer.servers()
        assert all(after[name][1] > before[name][1] for name in after), "both had something to do"

        valkey_stop(second_valkey)
        balancer.wait_until(web1="UP", web2="DOWN")
        served = balancer.servers()["web2"][1]
        for _ in range(6):
            assert balancer.page("/rules/")[0] == 200
        assert balancer.servers()["web2"][1] == served, "it got nothing while it was not ready"
        lost = 0
        for voice, user in zip(voices, sitting.players, strict=True):
            try:
                voice.say({"type": "ping", "sent_ms": 1})
                voice.hear("pong")
            except (ConnectionClosed, TimeoutError):
                lost += 1
                connection = socket_of(user, address, sitting.pk, ssl=unchecked)
                again = Voice(opened.enter_context(connection))
                assert again.resume()["type"] == "snapshot", "the page goes on at the other one"
        assert lost == 1, "leastconn gave each web server one of the two"

        valkey_start(second_valkey)
        balancer.wait_until(web1="UP", web2="UP")
