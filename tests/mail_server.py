"""A small SMTP server on a port of its own, which refuses given addresses."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class MailServer(socketserver.ThreadingTCPServer):
    """Stores accepted mails in `accepted`, as (address, text); answers 550 for `refused`."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, refused: set[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.refused = refused
        self.accepted: list[tuple[str, str]] = []
        self.tried: list[str] = []


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        """Handle the part of SMTP that Python's client needs."""
        self.say("220 here")
        to = ""
        while line := self.rfile.readline().decode("utf-8").strip():
            match line[:4].upper():
                case "EHLO" | "HELO":
                    self.say("250 here")
                case "RCPT":
                    to = line.partition("<")[2].partition(">")[0]
                    self.server.tried.append(to)
                    refused = to in self.server.refused
                    self.say("550 no such mailbox" if refused else "250 ok")
                case "DATA":
                    self.say("354 go on")
                    self.server.accepted.append((to, self.text()))
                    self.say("250 ok")
                case "QUIT":
                    self.say("221 bye")
                    return
                case _:
                    self.say("250 ok")

    def text(self) -> str:
        """Read a message to its end."""
        lines = []
        while (line := self.rfile.readline().decode("utf-8")) not in (".\r\n", ""):
            lines.append(line)
        return "".join(lines)

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@contextmanager
def mail_server(settings: Any, *, refused: set[str]) -> Iterator[MailServer]:
    """Run a server, and let the house send its mails there."""
    server = MailServer(refused)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_TIMEOUT = 5
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
