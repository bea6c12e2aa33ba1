"""The doctor at the public address: certificates of our own, then a whole house behind nginx."""

import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from harness.home import ROOT, free_port
from harness.processes import Processes
from pasch.doctor.outside import certificate
from pasch.doctor.registry import OUTSIDE, examine, load
from pasch.doctor.site import site_at
from pasch.servers.embedded import Home
from tests.certificates import certificate_make
from tests.platform.test_nginx import NGINX, Proxy

DAY = timedelta(days=1)


def certificate_write(folder: Path, *, days: float, name: str = "localhost") -> None:
    """Write a certificate of our own where nginx of `deploy/` looks for it."""
    key, made = certificate_make(name, days * DAY + timedelta(minutes=5))
    (folder / "privkey.pem").write_bytes(key)
    (folder / "fullchain.pem").write_bytes(made)


class Bare(BaseHTTPRequestHandler):
    """A page without any header of ours."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """`tls(days=10)` serves bare pages with such a certificate, which is trusted here."""
    servers = []

    def serve(*, trusted: bool = True, **about: Any) -> str:
        certificate_write(tmp_path, **about)
        if trusted:
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tmp_path / "fullchain.pem", tmp_path / "privkey.pem")
        server = ThreadingHTTPServer(("localhost", 0), Bare)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        servers.append(server)
        return f"https://localhost:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("about", "grade", "words"),
    [
        ({"days": 80}, "ok", "valid for 80 more days"),
        ({"days": 20}, "warning", "valid for 20 more days"),
        ({"days": 3}, "wrong", "valid for 3 more days"),
        ({"days": -1}, "wrong", "certificate has expired"),
        ({"days": 80, "name": "pasch.example"}, "wrong", "not valid for 'localhost'"),
        ({"days": 80, "trusted": False}, "wrong", "self-signed certificate"),
    ],
    ids=["sound", "ends soon", "ends at once", "expired", "another host", "self-made"],
)
def test_a_certificate_is_judged_as_browsers_do(
    tls: Callable[..., str], about: dict[str, Any], grade: str, words: str
) -> None:
    found = certificate(site_at(tls(**about)))
    assert (found.grade, words in found.text) == (grade, True), found.text


def test_a_bare_site_lacks_everything_and_nothing_hangs(tls: Callable[..., str]) -> None:
    load()
    url = tls(days=80)
    names = frozenset(("hsts", "headers", "web-socket", "client-address"))
    lines = examine(site=site_at(url, url.replace("https", "http")), only=names)
    found = {line.name: line.result for line in lines}
    assert found.keys() == names
    assert {name: each.grade for name, each in found.items()} == dict.fromkeys(names, "wrong")


def test_an_address_where_nothing_answers_is_named() -> None:
    load()
    site = site_at(f"https://localhost:{free_port()}", f"http://localhost:{free_port()}/")
    found = {line.name: line.result for line in examine(site=site, only=frozenset(OUTSIDE))}
    redirect = found.pop("redirect")
    assert (redirect.grade, "nothing answers at http://" in redirect.text) == ("warning", True)
    for result in found.values():
        assert (result.grade, "Connection refused" in result.text) == ("wrong", True), result.text


def test_an_address_without_https_is_refused() -> None:
    with pytest.raises(ValueError, match="must begin with https://"):
        site_at("http://pasch.example/")


# --- a whole house behind nginx -------------------------------------------------------------------


@pytest.fixture
def proxied(
    servers_of_its_own: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proxy]:
    """A house on the internet, behind the nginx of `deploy/` on other ports."""
    (tmp_path / "nginx").mkdir()
    proxy = Proxy(tmp_path / "nginx")
    certificate_write(proxy.folder / "tls", days=80)
    monkeypatch.setenv("SSL_CERT_FILE", str(proxy.folder / "tls/fullchain.pem"))
    change(proxy, "$host;", "$http_host;")  # a browser names the port, which is not 443 here
    change(proxy, "https://$host$", f"https://localhost:{proxy.tls}$")
    with Processes(tmp_path, []) as house:
        house.environment |= {
            "DJANGO_SETTINGS_MODULE": "pasch.settings",
            "DATABASE_URL": servers_of_its_own.database_url(),
            "REDIS_URL": servers_of_its_own.redis_url,
            "PASCH_VAR": str(tmp_path / "var"),
            "SECRET_KEY": "only-a-test-signs-with-this-key-0123456789-abcdefghijklm",
            "DICE_KEY": "only-a-test-hides-dice-with-this-key-0123456789-abcdefgh",
            "ALLOWED_HOSTS": "localhost,127.0.0.1,pasch.example",
            "TRUSTED_PROXIES": "127.0.0.1",
            "EMAIL_HOST": "127.0.0.1",
            "LEDGER_SEAL_FILE": str(tmp_path / "seals.log"),
            "WEB_WORKERS": "1",
            "PORT": str(proxy.web_port),
        }
        house.address = f"http://127.0.0.1:{proxy.web_port}"
        files = [sys.executable, ROOT / "manage.py", "prepare", "--files"]
        subprocess.run(files, env=house.environment, check=True, stdout=subprocess.DEVNULL)
        house.start("web")
        proxy.start()
        yield proxy
        if proxy.process is not None:
            proxy.process.terminate()
            proxy.process.wait(10)
        proxy.names.door.close()


def change(proxy: Proxy, before: str, after: str) -> None:
    """Change the configuration of nginx."""
    path = proxy.folder / "pasch.conf"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def restart(proxy: Proxy) -> None:
    assert proxy.process is not None
    proxy.process.terminate()
    proxy.process.wait(10)
    proxy.start()


def outside(proxy: Proxy, *names: str) -> dict[str, tuple[str, str]]:
    """Grade and text of each check outside, or of some."""
    load()
    site = site_at(f"https://localhost:{proxy.tls}", f"http://localhost:{proxy.plain}/")
    lines = examine(site=site, only=frozenset(names or OUTSIDE), seconds=20)
    return {line.name: (line.result.grade, line.result.text) for line in lines}


@pytest.mark.slow
@pytest.mark.skipif(not NGINX, reason="nginx is not installed here")
def test_a_house_behind_nginx_is_sound_and_each_thing_that_is_lost_there_is_named(
    proxied: Proxy,
) -> None:
    found = outside(proxied)
    assert {name: line for name, line in found.items() if line[0] != "ok"} == {}
    assert found.keys() == OUTSIDE.keys()
    assert "not published" in found["ready"][1]

    change(proxied, "proxy_set_header X-Request-ID      $request_id;", "")
    change(proxied, "proxy_set_header Upgrade           $http_upgrade;", "")
    change(proxied, "proxy_set_header X-Forwarded-For   $remote_addr;", "")
    change(proxied, "location /health/ {", "proxy_hide_header X-Frame-Options; location /never/ {")
    change(proxied, "return 308 https", "return 200 http")
    restart(proxied)
    broken = ("client-address", "web-socket", "headers", "redirect")
    found = outside(proxied, *broken, "kept-inside", "ready")
    assert {name: found[name][0] for name in broken} == dict.fromkeys(broken, "wrong"), found
    assert "X-Frame-Options" in found["headers"][1]
    assert found["kept-inside"][0] == "warning"
    assert found["ready"] == ("ok", "/health/ready/ answers that the web server is ready")
