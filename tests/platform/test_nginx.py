"""The proxy of `deploy/`, as a real nginx runs it: without a certificate, without a web server.

Only names, ports and folders of the configuration are replaced. A name server of the test
resolves the web server's name, as Docker's does.
"""

import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from harness.home import free_port
from harness.waiting import WAIT_SECONDS, listens, wait_until
from tests.architecture.sources import ROOT

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
pytestmark = pytest.mark.skipif(
    not (NGINX and shutil.which("openssl")), reason="nginx or openssl is not installed here"
)

AROUND = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; {user}
events {{}}
http {{
    access_log {folder}/around.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/pasch.conf;
}}
"""


@dataclass
class NameServer:
    """Answers every query for an address with the current one."""

    address: str = "127.0.0.1"
    door: socket.socket = field(default_factory=lambda: socket.socket(type=socket.SOCK_DGRAM))

    def __post_init__(self) -> None:
        self.door.bind(("127.0.0.1", 0))
        threading.Thread(target=self._answer, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.door.getsockname()[1])

    def _answer(self) -> None:
        while True:
            try:
                asked, client = self.door.recvfrom(512)
            except OSError:
                return
            question = asked[12 : asked.index(0, 12) + 5]
            head = asked[:2] + bytes.fromhex("81800001000100000000")
            record = bytes.fromhex("c00c0001000100000001 0004") + socket.inet_aton(self.address)
            self.door.sendto(head + question + record, client)


class Echo(BaseHTTPRequestHandler):
    """A web server that answers with its name and the headers that it received."""

    def do_GET(self) -> None:
        names = ("Host", "X-Forwarded-For", "X-Forwarded-Proto", "Connection")
        told = [self.server.server_address[0], *(str(self.headers[name]) for name in names)]
        body = " ".join(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@dataclass
class Proxy:
    """A running nginx on two free ports."""

    folder: Path
    names: NameServer = field(default_factory=NameServer)
    web_port: int = field(default_factory=free_port)
    plain: int = field(default_factory=free_port)
    tls: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        text = (ROOT / "deploy/nginx/pasch.conf").read_text()
        for pattern, instead in {
            r"listen \[::\]:.*\n": "",  # not every machine has IPv6
            r"listen 80 ": f"listen 127.0.0.1:{self.plain} ",
            r"listen 443 ": f"listen 127.0.0.1:{self.tls} ",
            r"/etc/nginx/tls": f"{self.folder}/tls",
            r"/var/www/acme": f"{self.folder}/acme",
            r"/var/log/nginx": f"{self.folder}",
            r"127\.0\.0\.11 valid=5s": f"127.0.0.1:{self.names.port} valid=1s",
            r"http://web:8000": f"http://web:{self.web_port}",
        }.items():
            text, count = re.subn(pattern, instead, text)
            assert count, f"{pattern} is not in the configuration"
        (self.folder / "pasch.conf").write_text(text)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(AROUND.format(folder=self.folder, user=user))
        (self.folder / "tls").mkdir()

    def command(self, *more: str) -> list[str]:
        """A call of nginx with this configuration."""
        return [str(NGINX), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), *more]

    def certificate(self) -> None:
        """The steps of the container before nginx starts."""
        told = {**os.environ, "TLS_FOLDER": str(self.folder / "tls"), "RELOAD": "0"}
        subprocess.run([ROOT / "deploy/nginx/certificate.sh"], env=told, check=True)

    def start(self) -> None:
        self.certificate()
        self.process = subprocess.Popen(self.command(), stderr=subprocess.DEVNULL)
        wait_until(lambda: listens(self.tls), (self.folder / "error.log").read_text)

    def ask(self, path: str = "/", **headers: str) -> tuple[http.client.HTTPResponse, str]:
        """Fetch a page over https; the response and its text."""
        unchecked = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.tls, context=unchecked, timeout=WAIT_SECONDS
        )
        connection.request("GET", path, headers={"Host": "pasch.example", **headers})
        answer = connection.getresponse()
        return answer, answer.read().decode()

    def web(self, address: str) -> ThreadingHTTPServer:
        """A web server of the house at an address."""
        server = ThreadingHTTPServer((address, self.web_port), Echo)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    proxy = Proxy(tmp_path)
    yield proxy
    proxy.names.door.close()
    if proxy.process is not None:
        proxy.process.terminate()
        proxy.process.wait(WAIT_SECONDS)


def test_the_configuration_is_understood_before_there_is_a_certificate(proxy: Proxy) -> None:
    proxy.certificate()
    checked = subprocess.run(proxy.command("-t"), capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    assert "test is successful" in checked.stderr
    keys = {path.name: path.read_text() for path in (proxy.folder / "tls").iterdir()}
    assert (proxy.folder / "tls/privkey.pem").stat().st_mode & 0o077 == 0
    proxy.certificate()
    again = {path.name: path.read_text() for path in (proxy.folder / "tls").iterdir()}
    assert again == keys, "a certificate that is there is kept"


@pytest.mark.slow
def test_a_web_server_at_a_new_address_is_found_and_a_missing_one_is_said(proxy: Proxy) -> None:
    proxy.start()
    answer, text = proxy.ask()
    assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
    assert "Back in a moment" in text
    assert "Gleich wieder da" in text

    first = proxy.web("127.0.0.1")
    answer, text = proxy.ask("/watch/", **{"X-Forwarded-For": "203.0.113.7"})
    assert (answer.status, text) == (200, "127.0.0.1 pasch.example 127.0.0.1 https None")
    first.shutdown()
    first.server_close()
    proxy.names.address = "127.0.0.2"
    second = proxy.web("127.0.0.2")
    wait_until(lambda: proxy.ask()[0].status == 200, "the new address was never looked up")
    assert proxy.ask()[1].startswith("127.0.0.2 ")
    for path in ("", "live/", "ready/", "started/", "house/"):
        assert proxy.ask(f"/health/{path}")[0].status == 404
    second.shutdown()
    second.server_close()


def test_no_log_has_the_address_of_a_calendar(proxy: Proxy) -> None:
    proxy.start()
    secret = "/calendar/17.5.secret.ics"
    assert proxy.ask(secret)[0].status == 503  # without a web server, which is an error
    plain = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=WAIT_SECONDS)
    plain.request("GET", secret, headers={"Host": "pasch.example"})
    assert plain.getresponse().status == 308
    first = proxy.web("127.0.0.1")
    assert proxy.ask(secret)[0].status == 200
    assert proxy.ask("/last/")[0].status == 200
    wait_until(lambda: "/last/" in (proxy.folder / "access.log").read_text())
    # the log around the configuration, as Debian has one, is among them if it is written
    assert all("secret" not in log.read_text() for log in proxy.folder.glob("*.log"))
    first.shutdown()
    first.server_close()


def test_the_certificate_authority_finds_its_answer_and_all_else_goes_to_https(
    proxy: Proxy,
) -> None:
    challenge = proxy.folder / "acme/.well-known/acme-challenge/token"
    challenge.parent.mkdir(parents=True)
    challenge.write_text("answer")
    proxy.start()
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=WAIT_SECONDS)
    connection.request("GET", "/.well-known/acme-challenge/token")
    assert connection.getresponse().read() == b"answer"
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=WAIT_SECONDS)
    connection.request("GET", "/play/", headers={"Host": "pasch.example"})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (308, "https://pasch.example/play/")
