"""The address of PostgreSQL: one server or several, of which one is the primary.

libpq reads it, so what psql takes is taken here: `postgresql://user:password@a:5432,b:5432/name`,
or the same with `?host=a,b&port=5432,5432`. A connection is opened only to a server that takes
changes, so a primary that moves is found again, and a standby is never taken for it. All errors are
`ImproperlyConfigured`; they name the variable and the part at fault, and never the password.
"""

from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

SCHEMES: Final = ("postgresql://", "postgres://")
ENGINE: Final = "pasch.postgresql"
#: Django's name of a second database, the standby of DATABASE_REPLICA_URL
REPLICA: Final = "replica"
#: how long commands and workers keep a connection; web processes have a pool
KEPT_SECONDS: Final = 600
#: values of target_session_attrs with which every connection is one that takes changes
PRIMARY: Final = ("read-write", "primary")
TARGETS: Final = (*PRIMARY, "any", "read-only", "standby", "prefer-standby")
#: A machine that is gone sends nothing, not even an end. So a connection that waits for it ends
#: after about ten seconds. libpq ignores these for sockets of the same machine.
LOST: Final = {
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}


def database(variable: str, address: str, target: str = PRIMARY[0]) -> dict[str, Any]:
    """Django's settings for the database at an address; `variable` is named in errors.

    `target` is the value of target_session_attrs for an address that has none.
    """
    options = _parsed(variable, address)
    if not options.get("dbname"):
        raise _refused(variable, "it names no database (postgresql://user:password@host/name)")
    hosts = _hosts(variable, options)
    target = options.setdefault("target_session_attrs", target)
    if target not in TARGETS:
        choices = ", ".join(TARGETS)
        raise _refused(variable, f"target_session_attrs must be one of {choices}, not {target!r}")
    options.setdefault("connect_timeout", "2" if len(hosts) > 1 else "3")
    return {
        "ENGINE": ENGINE,
        "NAME": options.pop("dbname"),
        "USER": options.pop("user", ""),
        "PASSWORD": options.pop("password", ""),
        "HOST": options.pop("host", ""),
        "PORT": options.pop("port", ""),
        "OPTIONS": {**LOST, **options},
        "CONN_MAX_AGE": KEPT_SECONDS,
        "CONN_HEALTH_CHECKS": True,
    }


def _parsed(variable: str, address: str) -> dict[str, str]:
    """The parameters of an address by libpq's names."""
    scheme = next((each for each in SCHEMES if address.startswith(each)), None)
    if scheme is None:
        raise _refused(variable, "it must begin with postgresql://")
    before, _, query = address.removeprefix(scheme).partition("?")
    place, slash, name = before.partition("/")
    login, at, servers = place.rpartition("@")
    login = login.replace("@", "%40")  # libpq would end the password at the first one
    _read(variable, f"postgresql://{servers}", "its host or port")
    _read(variable, f"postgresql://{login}{at}", "its user or password")
    _read(variable, f"postgresql:///{name}", "its name of a database")
    _read(variable, f"postgresql:///?{query}", "a parameter after the question mark")
    question = "?" if query else ""
    return _read(variable, f"{SCHEMES[0]}{login}{at}{servers}{slash}{name}{question}{query}", "it")


def _read(variable: str, address: str, part: str) -> dict[str, str]:
    try:
        return {name: str(value) for name, value in conninfo_to_dict(address).items()}
    except ProgrammingError as error:
        reason = str(error).strip()
        if reason.startswith("invalid URI query parameter"):  # it ends with the parameter's name
            raise _refused(variable, f"libpq has no parameter {reason.split()[-1]}") from None
        raise _refused(
            variable, f"{part} cannot be read; write special characters in it as %XX"
        ) from None


def _hosts(variable: str, options: dict[str, str]) -> list[str]:
    """The names of the servers, an empty one for the socket of this machine."""
    hosts = (options.get("host") or options.get("hostaddr") or "").split(",")
    for number, host in enumerate(hosts, 1):
        if not host and len(hosts) > 1:
            raise _refused(variable, f"host {number} of {len(hosts)} is empty")
    ports = (options.get("port") or "").split(",")
    if len(ports) not in (1, len(hosts)):
        raise _refused(variable, f"it has {len(hosts)} hosts and {len(ports)} ports")
    for number, port in enumerate(ports, 1):
        if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
            raise _refused(variable, f"port {number} is {port!r}, not a number from 1 to 65535")
    return hosts


def _refused(variable: str, reason: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{variable} is not the address of a PostgreSQL: {reason}.")
