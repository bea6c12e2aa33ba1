"""Django's command line for Pasch: `python -m pasch`, and `manage.py` in a checkout."""

import os
import sys

#: how a command ends whose reader is gone, as other programs end by SIGPIPE
CLOSED_PIPE = 128 + 13


def main() -> None:
    """Run one management command; a server that does not answer is said in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError
    from redis.exceptions import ConnectionError as ValkeyError

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except ImproperlyConfigured as error:
        sys.exit(f"The settings are not complete: {error}")
    except ModuleNotFoundError as error:
        if error.name != "backgammon":
            raise
        sys.exit("Pasch needs its library: install the package backgammon of the same release.")
    except BrokenPipeError:  # whoever reads the output has enough, as in `… | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(CLOSED_PIPE)
    except (OperationalError, ValkeyError) as error:
        server = "PostgreSQL" if isinstance(error, OperationalError) else "Valkey"
        sys.exit(_unanswered(server, str(error).strip().splitlines()[0]))


def _unanswered(server: str, reason: str) -> str:
    """The message for a command that found no server."""
    from django.conf import settings

    variable = "DATABASE_URL" if server == "PostgreSQL" else "REDIS_URL"
    if os.environ.get(variable):
        return f"{server} at the address in {variable} cannot be used: {reason}"
    return (
        f"{server} of the house in {settings.HOME.root} cannot be used ({reason});"
        f" open the house with scripts/play, or name another server with {variable}."
    )


if __name__ == "__main__":
    main()
