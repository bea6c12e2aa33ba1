"""The rights of the role with which the house runs, whoever runs the doctor."""

from typing import Final

from django.conf import settings
from django.db import connection

from ledger.roles import APPLICATION_ROLE, role_exists
from pasch.audits.guards import rights_too_wide
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong

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
