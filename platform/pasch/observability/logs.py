"""The log: one event a line, as plain text for a laptop or as JSON for a machine (LOG_FORMAT).

Every line has a time (UTC), a level, a logger, a message and what the work was about (tracing.py).
What a client sent stays inside its line: control characters are escaped and the lines of a
traceback are indented. Passwords in addresses, tokens of bots and addresses of calendars are
never logged.
"""

import logging
import re
from datetime import UTC, datetime
from typing import Any, Final

from pythonjsonlogger.json import JsonFormatter

from pasch.observability.away import OncePerAbsence
from pasch.observability.counts import ErrorCounts
from pasch.observability.reports import ErrorReports
from pasch.observability.tracing import trace_now

FORMATS: Final = ("text", "json")
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_SECRETS = (
    (re.compile(r"(://[^:/@\s]*:)[^@\s]+@"), r"\1***@"),  # the password of an address
    (re.compile(r"\bpasch_[A-Za-z0-9_-]{16,}"), "pasch_***"),  # the token of a bot
    (re.compile(r"(/calendar/)[^/\s?\"']{16,}"), r"\1***"),  # the calendar of a person
)
# Everything that some terminal or reader of logs takes for the end of a line, or for a command.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """The text without secrets, and with every control character as an escape."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", without_secrets(text))


def without_secrets(text: str) -> str:
    """The text without passwords and tokens."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


class About(logging.Filter):
    """Adds the current trace to a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass every record."""
        if not hasattr(record, "about"):
            record.about = trace_now().fields()
        return True


class TextFormatter(logging.Formatter):
    """`2026-11-21T15:00:00.123Z WARNING games.live: what happened [request_id=… user_id=5]`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback follows on lines that begin with four spaces."""
        about = {**getattr(record, "about", {}), **getattr(record, "event", {})}
        said = " ".join(f"{name}={value}" for name, value in about.items())
        line = f"{moment(record)} {record.levelname} {record.name}: {record.getMessage()}"
        text = one_line(f"{line} [{said}]" if said else line)
        if record.exc_info:
            trace = without_secrets(self.formatException(record.exc_info))
            text += "".join(f"\n    {one_line(each)}" for each in trace.splitlines())
        return text


class JsonLines(JsonFormatter):
    """One JSON object a line; what is not known is left out."""

    def __init__(self) -> None:
        super().__init__("%(message)s", json_ensure_ascii=True)

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Leave no secret in any text."""
        return {
            name: without_secrets(value) if isinstance(value, str) else value
            for name, value in log_data.items()
        }

    def add_fields(
        self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]
    ) -> None:
        """Time, level and name first, then the message and what it is about."""
        log_data |= {
            "time": moment(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "about", {}),
            **getattr(record, "event", {}),
            "process": record.process,
        }
        if record.exc_info:
            log_data["exception"] = self.formatException(record.exc_info)


def moment(record: logging.LogRecord) -> str:
    """When the record was made, in UTC to the millisecond."""
    at = datetime.fromtimestamp(record.created, tz=UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{int(record.msecs):03}Z"


def logging_settings(*, form: str, level: str) -> dict[str, Any]:
    """Django's LOGGING for a form of `FORMATS`."""
    formatters = {"text": {"()": TextFormatter}, "json": {"()": JsonLines}}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatters[form]},
        "filters": {
            "about": {"()": About},
            "once": {"()": OncePerAbsence},
            "count": {"()": ErrorCounts},
            "report": {"()": ErrorReports},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["once", "about", "count", "report"],
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django would write lines of its own to a console as well
            "django": {"handlers": [], "propagate": True},
            "django.request": {"level": "ERROR"},
            # the security log has it already
            "django.security.csrf": {"level": "ERROR"},
            # Scanners try host names all day; refusing them is not worth a line.
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "celery": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            # each of its tries to connect, which pasch/postgresql logs in one line
            "psycopg.pool": {"level": "CRITICAL"},
        },
    }
