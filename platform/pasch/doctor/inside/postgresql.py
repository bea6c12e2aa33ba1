"""PostgreSQL: its version, its settings, its load, and the rights of the role of the house."""

from typing import Any, Final

from django.conf import settings
from django.db import connection

from ledger.roles import APPLICATION_ROLE, role_exists
from pasch import checks
from pasch.audits.guards import rights_too_wide
from pasch.doctor.registry import Diagnosis, inside, ok, unseen, warning, wrong
from pasch.observability import parts
from pasch.postgresql.replica import replica

OLDEST: Final = 15
USED_SHARE_MAX: Final = 0.8
#: a worker of the analysis works on a match in one transaction, for minutes
TRANSACTION_WARNING_S, TRANSACTION_WRONG_S = 600, 3600
LAG_SECONDS_MAX: Final = 30


@inside()
def postgresql() -> Diagnosis:
    """PostgreSQL answers, in a version that Pasch supports, and is no standby."""
    number, version, standby = row(
        "SELECT current_setting('server_version_num')::int, current_setting('server_version'),"
        " pg_is_in_recovery()"
    )
    if number // 10_000 < OLDEST:
        return wrong(f"PostgreSQL {version} is too old", f"move the house to {OLDEST} or newer")
    if standby:
        return wrong(
            "DATABASE_URL names a standby, which takes no commands",
            "name the primary, or all servers with target_session_attrs=read-write",
        )
    return ok(f"PostgreSQL {version} answers")


@inside("postgresql")
def migrations() -> Diagnosis:
    """The database has run every migration of this version."""
    state = parts.migrations()
    if state != parts.READY:
        return wrong(f"migrations: {state}", "the web server would fail on missing columns")
    return ok("every migration is applied")


@inside("postgresql")
def connections() -> Diagnosis:
    """PostgreSQL has connections for every process, and enough of them are free."""
    if found := checks.check_connections(databases=["default"]):
        return wrong(str(found[0].msg), "change one of them and restart")
    used, limit = row(
        "SELECT count(*)::int, current_setting('max_connections')::int FROM pg_stat_activity"
        " WHERE datname IS NOT NULL"
    )
    text = f"{used} of {limit} connections are in use"
    if used > USED_SHARE_MAX * limit:
        return warning(text, "raise max_connections, or look for programs that hold them")
    return ok(f"{text}; {settings.WEB_WORKERS} web processes fit")


@inside("postgresql")
def durability() -> Diagnosis:
    """A commit survives a crash."""
    names = ("synchronous_commit", "fsync", "full_page_writes")
    off = [name for name in names if row(f"SHOW {name}") == ("off",)]
    if off:
        return wrong(f"{', '.join(off)} is off: a crash loses or breaks the books", "set it to on")
    if row("SHOW data_checksums") == ("off",):
        return warning("data_checksums is off: a bad disk goes unnoticed", "run pg_checksums")
    return ok("commits survive a crash, and pages have checksums")


@inside("postgresql")
def long_transactions() -> Diagnosis:
    """No forgotten session holds a transaction open; a role without pg_monitor sees its own."""
    seconds, pid, who = row(
        "SELECT coalesce(max(age), 0)::int, (array_agg(pid ORDER BY age DESC))[1],"
        " (array_agg(usename ORDER BY age DESC))[1] FROM (SELECT pid, usename,"
        " extract(epoch FROM clock_timestamp() - xact_start) AS age FROM pg_stat_activity"
        " WHERE backend_type = 'client backend' AND xact_start IS NOT NULL"
        " AND pid <> pg_backend_pid()) t"
    )
    text = f"the oldest transaction is open for {seconds} s"
    if seconds < TRANSACTION_WARNING_S:
        return ok(text)
    todo = f"end it, if it is forgotten: SELECT pg_terminate_backend({pid}), of {who}"
    return (wrong if seconds >= TRANSACTION_WRONG_S else warning)(text, todo)


@inside("postgresql")
def replication() -> Diagnosis:
    """The replicas follow, and no slot keeps the log for one that is gone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT application_name, state, coalesce(extract(epoch FROM replay_lag), 0)::int"
            " FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup'"
        )
        replicas = cursor.fetchall()
        cursor.execute("SELECT slot_name FROM pg_replication_slots WHERE NOT active")
        idle = [name for (name,) in cursor.fetchall()]
    if any(state is None for _name, state, _lag in replicas):
        return unseen(
            "there are replicas; how far they are is shown to roles with pg_monitor",
            "run the doctor as the owner",
        )
    for name, state, lag in replicas:
        if state != "streaming" or lag > LAG_SECONDS_MAX:
            text = f"the replica {name} is behind: {state}, {lag} s"
            return warning(text, "look at its log and the network")
    if idle:
        return warning(
            f"nobody reads the replication slot {idle[0]}, so the log grows until the disk is full",
            "start its replica, or drop the slot",
        )
    return ok(f"replicas that follow: {len(replicas)}" if replicas else "there is no replica")


@inside("postgresql")
def reading_replica() -> Diagnosis:
    """The server that some pages are read at, if there is one, answers and follows."""
    if not replica.is_configured:
        return ok("every page is read at the primary")
    usable, lag = replica.is_usable(), replica.lag_seconds
    if usable:
        return ok(f"pages that may be a moment old are read at a replica, {lag:.0f} s behind")
    state = "does not answer" if lag is None else f"is {lag:.0f} s behind"
    return warning(
        f"the server of DATABASE_REPLICA_URL {state}; every page is read at the primary",
        "look at its log and the network",
    )


@inside("postgresql")
def database_size() -> Diagnosis:
    """The size of the database; the disk is a check of its own where it can be seen."""
    (size,) = row("SELECT pg_database_size(current_database())")
    return ok(f"the database has {size / 1024**2:,.0f} MiB")


def row(query: str) -> Any:
    """The first row of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchone()


_OWNED: Final = """
    SELECT pg_describe_object(d.classid, d.objid, d.objsubid) FROM pg_shdepend d
    WHERE d.deptype = 'o' AND d.refclassid = 'pg_authid'::regclass
      AND d.refobjid = %s::regrole
      AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


@inside("postgresql")
def application_role() -> Diagnosis:
    """`pasch_app` owns nothing, and may do no more than the migrations grant."""
    if not role_exists():
        return warning(
            f"there is no role {APPLICATION_ROLE}, so the house runs as the owner of the books",
            "run manage.py database_roles as the owner, and set DATABASE_URL to the new role",
        )
    with connection.cursor() as cursor:
        cursor.execute(_OWNED, [APPLICATION_ROLE])
        owned = [thing for (thing,) in cursor.fetchall()]
    if owned:
        text = f"{APPLICATION_ROLE} owns {owned[0]} and may change it as it likes"
        return wrong(text, "give it to the owner of the database: ALTER … OWNER TO")
    if wide := [f"{each.row} {each.message}" for each in rights_too_wide()]:
        return wrong(
            f"rights beyond those of the migrations: {'; '.join(wide)}",
            "REVOKE them, then run manage.py audit",
        )
    return ok(f"{APPLICATION_ROLE} owns nothing and writes the books through functions alone")


@inside("postgresql")
def connecting_role() -> Diagnosis:
    """The house does not connect as the owner of the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_user, pg_has_role(relowner, 'MEMBER') FROM pg_class"
            " WHERE oid = 'public.django_migrations'::regclass"
        )
        role, owns = cursor.fetchone()
    if owns and not settings.EMBEDDED:
        return warning(
            f"DATABASE_URL connects as {role}, which owns the books",
            f"let web server, worker and beat connect as {APPLICATION_ROLE}",
        )
    return ok(f"connects as {role}")
