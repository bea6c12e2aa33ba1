"""The objects by which the database enforces rules, read from PostgreSQL's own catalogue.

Tables and columns, constraints, unique indexes, triggers, functions with everything that decides
how they run, rules, policies, and what each role may do. Each has a name and a definition in text,
so that two databases, or one at two moments, can be compared (pasch/audits/guards.py does).
"""

from collections.abc import Iterator
from typing import Any, Final

from django.db import connection

_OF_EXTENSION: Final = """
    EXISTS (SELECT FROM pg_depend x WHERE x.objid = {object} AND x.deptype = 'e')
"""

# Each query answers (name, definition).
_DEFINITIONS: Final = {
    "tables": """
        SELECT 'table ' || c.relname,
               concat_ws(' ',
                   CASE c.relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned' ELSE 'view' END,
                   CASE c.relpersistence WHEN 'p' THEN 'logged' ELSE 'not logged' END,
                   CASE WHEN c.relrowsecurity THEN 'row security' END,
                   CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END)
        FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
          AND NOT {of_extension}
    """,
    "columns": """
        SELECT 'column ' || c.relname || '.' || a.attname,
               concat_ws(' ', format_type(a.atttypid, a.atttypmod),
                   CASE WHEN a.attnotnull THEN 'not null' END,
                   'default ' || pg_get_expr(d.adbin, d.adrelid),
                   nullif('identity ' || a.attidentity::text, 'identity '),
                   nullif('generated ' || a.attgenerated::text, 'generated '))
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND a.attnum > 0 AND NOT a.attisdropped AND NOT {of_extension}
    """,
    "constraints": """
        SELECT 'constraint ' || k.conname || ' on ' || c.relname,
               pg_get_constraintdef(k.oid)
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
        WHERE c.relnamespace = 'public'::regnamespace AND k.contype <> 'n' AND NOT {of_extension}
    """,
    "indexes": """
        SELECT 'index ' || i.relname || ' on ' || c.relname,
               pg_get_indexdef(x.indexrelid) || CASE WHEN x.indisvalid THEN '' ELSE ' INVALID' END
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        JOIN pg_class c ON c.oid = x.indrelid
        WHERE c.relnamespace = 'public'::regnamespace AND x.indisunique AND NOT {of_extension}
    """,
    "triggers": """
        SELECT 'trigger ' || t.tgname || ' on ' || c.relname,
               pg_get_triggerdef(t.oid)
               || CASE WHEN t.tgenabled IN ('O', 'A') THEN '' ELSE ' OFF' END
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal AND NOT {of_extension}
    """,
    "switched-off foreign keys": """
        SELECT 'foreign key trigger of ' || k.conname || ' on ' || c.relname, 'off'
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        JOIN pg_constraint k ON k.oid = t.tgconstraint
        WHERE c.relnamespace = 'public'::regnamespace AND t.tgisinternal
          AND t.tgenabled NOT IN ('O', 'A')
    """,
    "functions": """
        SELECT 'function ' || CASE WHEN p.pronamespace = 'public'::regnamespace THEN ''
                                   ELSE p.pronamespace::regnamespace || '.' END
               || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
               concat_ws(' ', 'returns ' || coalesce(pg_get_function_result(p.oid), 'nothing'),
                   'in ' || l.lanname,
                   CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' END,
                   CASE WHEN p.proisstrict THEN 'strict' END,
                   CASE WHEN p.prosecdef THEN 'security definer' END,
                   'set ' || array_to_string(p.proconfig, ', '),
                   'body ' || encode(sha256(convert_to(
                       coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), 'UTF8')), 'hex'))
        FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
        WHERE (p.pronamespace = 'public'::regnamespace OR (p.prosecdef
               AND p.pronamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')))
          AND NOT {of_extension}
    """,
    "rules and policies": """
        SELECT 'rule ' || r.rulename || ' on ' || c.relname, pg_get_ruledef(r.oid)
        FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
        WHERE c.relnamespace = 'public'::regnamespace AND r.rulename <> '_RETURN'
        UNION ALL
        SELECT 'policy ' || p.polname || ' on ' || c.relname,
               concat_ws(' ', p.polcmd::text, pg_get_expr(p.polqual, p.polrelid),
                         pg_get_expr(p.polwithcheck, p.polrelid))
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
        UNION ALL
        SELECT 'event trigger ' || e.evtname, e.evtevent || ' ' || e.evtfoid::regproc
        FROM pg_event_trigger e WHERE NOT {of_extension}
    """,
    "settings": """
        SELECT 'setting of ' || coalesce('role ' || r.rolname, 'the database'), setting
        FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole,
             unnest(s.setconfig) AS setting
        WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
          AND split_part(setting, '=', 1) IN
              ('session_replication_role', 'ledger.allow_truncate', 'search_path', 'row_security')
    """,
    "foreign owners": """
        SELECT 'owner of ' || o.name, pg_get_userbyid(o.owner)
        FROM (SELECT c.relname AS name, c.relowner AS owner FROM pg_class c
              WHERE c.relnamespace = 'public'::regnamespace
                AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT {of_extension}
              UNION ALL
              SELECT p.proname, p.proowner FROM pg_proc p
              WHERE p.pronamespace = 'public'::regnamespace
                AND NOT EXISTS (
                    SELECT FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')) o
        WHERE o.owner <> (
            SELECT relowner FROM pg_class WHERE oid = 'public.django_migrations'::regclass)
    """,
}

_OBJECTS: Final = {
    "tables": "c.oid",
    "columns": "c.oid",
    "constraints": "c.oid",
    "indexes": "c.oid",
    "triggers": "t.oid",
    "functions": "p.oid",
    "rules and policies": "e.oid",
    "foreign owners": "c.oid",
}
"""The column of each query by which objects of extensions are left out (pg_stat_statements)."""

# (role, object, rights in order of the alphabet), for everybody but the owner.
_RIGHTS: Final = """
    WITH granted AS (
        SELECT 'table ' || c.relname AS object, c.relowner AS owner, a.grantee, a.privilege_type
        FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
        UNION ALL
        SELECT 'column ' || c.relname || '.' || t.attname, c.relowner, a.grantee, a.privilege_type
        FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid, aclexplode(t.attacl) a
        WHERE c.relnamespace = 'public'::regnamespace
        UNION ALL
        SELECT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
               p.proowner, a.grantee, a.privilege_type
        FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        WHERE p.pronamespace = 'public'::regnamespace
          AND NOT EXISTS (SELECT FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')
        UNION ALL
        SELECT 'schema public', n.nspowner, a.grantee, a.privilege_type
        FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = 'public'
    )
    SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(grantee) END, object,
           array_agg(DISTINCT privilege_type ORDER BY privilege_type)
    FROM granted WHERE grantee <> owner GROUP BY grantee, object
"""

_MEMBERSHIPS: Final = """
    SELECT m.member::regrole::text, m.roleid::regrole::text FROM pg_auth_members m
    WHERE m.member::regrole::text = %(role)s
"""


def definitions(database: Any = connection) -> dict[str, str]:
    """Everything that holds a rule in the schema `public`: its name and its definition.

    `database` is a connection, Django's or psycopg's; without it, the house's own.
    """
    found: dict[str, str] = {}
    for kind, query in _DEFINITIONS.items():
        of_extension = _OF_EXTENSION.format(object=_OBJECTS.get(kind, "0"))
        query = query.replace("{of_extension}", of_extension.strip())
        for name, definition in _rows(query, database=database):
            found[str(name)] = str(definition)
    return found


def rights() -> Iterator[tuple[str, str, frozenset[str]]]:
    """The rights of each role but the owner: (role, object, rights)."""
    for role, thing, held in _rows(_RIGHTS):
        yield str(role), str(thing), frozenset(held)


def role_powers(role: str) -> list[str]:
    """The attributes and memberships of a role that put it above the rights given to it."""
    powers = [
        str(power)
        for (power,) in _rows(
            """
            SELECT power FROM pg_roles, LATERAL (VALUES ('SUPERUSER', rolsuper),
                ('CREATEROLE', rolcreaterole), ('CREATEDB', rolcreatedb),
                ('BYPASSRLS', rolbypassrls), ('REPLICATION', rolreplication)) v(power, held)
            WHERE rolname = %(role)s AND held
            """,
            {"role": role},
        )
    ]
    return powers + [f"member of {group}" for _, group in _rows(_MEMBERSHIPS, {"role": role})]


def _rows(
    query: str, arguments: dict[str, str] | None = None, *, database: Any = connection
) -> list[tuple[Any, ...]]:
    with database.cursor() as cursor:
        cursor.execute(query, arguments)
        return list(cursor.fetchall())
