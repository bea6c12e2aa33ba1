"""The settings of the site as the tests run it: real servers, a few expensive things made cheap."""

import os
from unittest.mock import patch

from harness.servers import addresses, worker_number

database_url, _redis_url = addresses()
_environment = {
    "DATABASE_URL": database_url,
    "REDIS_URL": _redis_url,
    "SECRET_KEY": "only-the-tests-sign-with-this-key-of-more-than-fifty-letters",
    "DICE_KEY": "only-the-tests-hide-their-dice-with-this-key-of-fifty-letters",
    "HTTPS": "0",
    "LEDGER_WELCOME_CENTS": "10000",
    "SIGNUPS_PER_HOUR": "100000",
    "SOCKETS_PER_ADDRESS": "100000",
}
with patch.dict(os.environ, _environment):
    from pasch.settings import *  # noqa: F403 (all of them)
    from pasch.settings import DATABASE_POOL, DATABASES, MIDDLEWARE

ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]

DATABASES["default"]["ENGINE"] = "harness.postgresql"
# The guard of the books allows TRUNCATE in a database that is marked as a test's.
DATABASES["default"].setdefault("OPTIONS", {})["options"] = "-c ledger.allow_truncate=test"
# The web server of the tests runs in their own process, and takes its connections from a pool.
DATABASES["default"]["OPTIONS"]["pool"] = DATABASE_POOL
DATABASES["default"]["CONN_MAX_AGE"] = 0
# The tests put a table of Hypergammon where they need one.
HYPERGAMMON_TABLE = None
# Tests change the settings of the house in their own process (tests/house_settings.py).
HOUSE_POLL_SECONDS = 0
# A page of a test counts what is played and what waits at its moment.
COUNTS_SECONDS = 0
# Pub/sub ignores database numbers: each worker uses a prefix of its own.
BROADCAST_PREFIX = f"test-{worker_number()}:"

# The real hasher takes a tenth of a second by design; tests of it name it themselves.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_MAX_AGE = 3600  # they do not change while the tests run
_ONCE = {"servestatic.middleware.ServeStaticMiddleware": "harness.static_files.StaticFilesOnce"}
MIDDLEWARE = [_ONCE.get(name, name) for name in MIDDLEWARE]
MIDDLEWARE.append("harness.errors_shown.errors_shown")
