"""Database connections of the web server: taken from a pool and given back.

Django serves each request in a thread of its own, and a connection kept for a thread would be
opened for every page and thrown away after it. Commands and workers have few, long-lived threads:
each keeps a connection and fails at once if there is no server.
"""

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from pasch.postgresql.address import REPLICA


def pool_use() -> None:
    """From now on every connection of this process comes from the pool."""
    pools = {DEFAULT_DB_ALIAS: settings.DATABASE_POOL, REPLICA: settings.DATABASE_REPLICA_POOL}
    found = connections.settings
    if "pool" in found[DEFAULT_DB_ALIAS]["OPTIONS"]:
        return
    for connection in connections.all(initialized_only=True):
        # one that is not open has nothing to close, and must not be: servers import the
        # application in their event loop, where Django forbids the use of a connection
        if connection.connection is not None:
            connection.close()
    for alias in found.keys() & pools.keys():
        found[alias]["CONN_MAX_AGE"] = 0  # a connection that is kept is none of a pool's
        found[alias]["OPTIONS"]["pool"] = pools[alias]
