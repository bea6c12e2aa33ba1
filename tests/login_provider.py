"""A small provider of OpenID Connect on a port of its own, with real signatures.

It logs in whoever `claims` describes, without a page. Tests change what it says, whom it signs as,
or how it answers.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from accounts.providers.configuration import LoginProvider

CLIENT_ID, SECRET = "pasch-here", "the-secret-of-this-house"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider(ThreadingHTTPServer):
    """`claims` is who logs in; `in_token` may change the id token's claims before it is signed."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}/realm"
        self.claims: dict[str, Any] = {"sub": "person-1"}
        self.in_token: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
        self.at_userinfo: dict[str, Any] = {}
        self.key = self.published = KEY
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[dict[str, str]] = []

    @property
    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "userinfo_endpoint": f"{self.issuer}/userinfo",
            "jwks_uri": f"{self.issuer}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def keys(self) -> dict[str, Any]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.published.public_key()))
        return {"keys": [{**public, "kid": "one", "alg": "RS256", "use": "sig"}]}

    def token(self, asked: dict[str, str]) -> str:
        """Return the signed id token in answer to this request."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300}
        claims |= {"nonce": asked["nonce"], **self.claims}
        if asked.get("max_age") == "0":
            claims["auth_time"] = now
        return jwt.encode(self.in_token(claims), self.key, "RS256", headers={"kid": "one"})

    def enter(self, address: str) -> str:
        """Follow an address of this provider as a browser does; return where it leads back to."""
        parts = urlsplit(address)
        assert address.startswith(f"{self.issuer}/authorize?")
        connection = HTTPConnection(parts.hostname or "", parts.port)
        connection.request("GET", f"{parts.path}?{parts.query}")
        answer = connection.getresponse()
        assert answer.status == 302, answer.read()
        back = urlsplit(answer.headers["Location"])
        connection.close()
        return f"{back.path}?{back.query}"


class _Conversation(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        match parts.path.removeprefix("/realm"):
            case "/.well-known/openid-configuration":
                self.say(self.server.discovery)
            case "/keys":
                self.say(self.server.keys())
            case "/authorize":
                self.authorize(dict(parse_qsl(parts.query)))
            case "/userinfo":
                known = self.headers["Authorization"] == "Bearer access"
                told = {**self.server.claims, **self.server.at_userinfo}
                self.say(told if known else {}, 200 if known else 401)
            case _:
                self.say({}, 404)

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        form = {name: values[0] for name, values in sent.items()}
        asked = self.server.codes.pop(form.get("code", ""), None)
        basic = base64.b64encode(f"{CLIENT_ID}:{SECRET}".encode()).decode()
        proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if (
            asked is None
            or self.headers["Authorization"] != f"Basic {basic}"
            or form["redirect_uri"] != asked["redirect_uri"]
            or base64.urlsafe_b64encode(proof).decode().rstrip("=") != asked["code_challenge"]
        ):
            self.say({"error": "invalid_grant"}, 400)
            return
        token = self.server.token(asked)
        self.say({"access_token": "access", "token_type": "Bearer", "id_token": token})

    def authorize(self, asked: dict[str, str]) -> None:
        """Log in whoever it is, and send them back with a code."""
        right = asked["client_id"] == CLIENT_ID and asked["response_type"] == "code"
        if not right or "openid" not in asked["scope"].split():
            self.say({}, 400)
            return
        code = secrets.token_urlsafe()
        self.server.codes[code] = asked
        self.server.asked.append(asked)
        self.send_response(302)
        back = urlencode({"code": code, "state": asked["state"]})
        self.send_header("Location", f"{asked['redirect_uri']}?{back}")
        self.end_headers()

    def say(self, answer: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def login_provider(settings: Any, *, id: str = "key", name: str = "Keyhouse") -> Iterator[Provider]:
    """Run a provider, and let people log in with it."""
    with Provider() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        known = LoginProvider(id, name, server.issuer, CLIENT_ID, SECRET)
        settings.LOGIN_PROVIDERS = (*settings.LOGIN_PROVIDERS, known)
        yield server
        server.shutdown()
