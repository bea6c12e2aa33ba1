"""Settings of the site, from the environment (twelve-factor); nothing about a machine is in here.

Without `DATABASE_URL` and `REDIS_URL` the site uses the embedded servers below `PASCH_VAR`
(pasch/servers/embedded.py); with them it is taken for a house on the internet: it then wants a
`SECRET_KEY` and speaks https only, except with `HTTPS=0`. docs/operations-reference.md lists
every variable.
"""

import os
import secrets
from pathlib import Path

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from accounts.providers.configuration import login_providers
from kit.valkey.clients import broker_settings, cache_settings
from pasch.api.settings import REST_FRAMEWORK as REST_FRAMEWORK
from pasch.api.settings import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from pasch.environment import choice, flag, names, public_address, valkey, whole
from pasch.observability.logs import FORMATS, LEVELS, logging_settings
from pasch.operator import operator_from_environment
from pasch.postgresql.address import REPLICA, database
from pasch.servers.embedded import Home

_PACKAGE = Path(__file__).resolve().parent
# A wheel has the templates, static files and translations inside this package.
_INSTALLED = (_PACKAGE / "templates").is_dir()
ROOT = _PACKAGE if _INSTALLED else _PACKAGE.parents[1]
HOME = Home(Path(os.environ.get("PASCH_VAR") or ("var" if _INSTALLED else ROOT / "var")).resolve())
EMBEDDED = flag("EMBEDDED", not os.environ.get("DATABASE_URL"))
DEBUG = flag("DEBUG", False)
# The name of the house, the minimum age, and what the imprint and the other pages around it state.
OPERATOR = operator_from_environment()

# --- requests -------------------------------------------------------------------------------------
SECRET_KEY = os.environ.get("SECRET_KEY", "")
if not SECRET_KEY and EMBEDDED:
    # `scripts/play` hands its own key to every process it starts; a command in a second terminal
    # finds it there, to verify what the house has signed.
    SECRET_KEY = HOME.key("secret-key") or secrets.token_urlsafe(50)
# The key that hides the coming dice and signs the openings of games: separate, and never changed
# while games run (docs/operations.md).
DICE_KEY = os.environ.get("DICE_KEY", "")
if not DICE_KEY and EMBEDDED:
    # a command in a second terminal reads the dice of the house that `scripts/play` has opened
    DICE_KEY = HOME.key("dice-key") or SECRET_KEY
SECRET_KEY_FALLBACKS = names("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = names("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = names("CSRF_TRUSTED_ORIGINS")
HTTPS = flag("HTTPS", not EMBEDDED)
# Where links in mails lead, which no request of a browser causes.
PUBLIC_ADDRESS = public_address(
    ALLOWED_HOSTS, secure=HTTPS, port=os.environ.get("PORT", "8000") if EMBEDDED else ""
)
# Addresses or networks of our own proxies; headers of others about the client are ignored.
TRUSTED_PROXIES = names("TRUSTED_PROXIES")
# At one web process; what else an address may have is in proportion (pasch/web/budgets.py).
SOCKETS_PER_ADDRESS = whole("SOCKETS_PER_ADDRESS", 200, least=10, most=1_000_000)

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics/"]
# A browser keeps HSTS for the given time, whatever the house does later: so it begins with an hour,
# and includes other hosts of the domain only if the operator sets it.
HSTS_SECONDS_MAX = 2 * 365 * 24 * 60 * 60
SECURE_HSTS_SECONDS = whole("HSTS_SECONDS", 3600, most=HSTS_SECONDS_MAX) if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("HSTS_SUBDOMAINS", False) and HTTPS
SECURE_HSTS_PRELOAD = flag("HSTS_PRELOAD", False) and HTTPS
# Django's checks require both in every house; pasch/checks.py requires what preloading needs.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
_COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{_COOKIE_PREFIX}session"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 60 * 60
DEVICE_COOKIE_NAME = f"{_COOKIE_PREFIX}device"
CSRF_COOKIE_NAME = f"{_COOKIE_PREFIX}csrftoken"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "pasch.web.errors.csrf_failure"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
FILE_UPLOAD_HANDLERS = ["pasch.web.uploads.SmallUploads"]

# Where browsers report pages that break the policy. They take report-to, and leave report-uri alone
# then, but it works over https only.
CSP_REPORT_PATH, CSP_REPORT_NAME = "/csp-report/", "policy"
CONTENT_SECURITY_POLICY: dict[str, dict[str, object]] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "media-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
        "report-uri": CSP_REPORT_PATH,
    }
}
if HTTPS:
    CONTENT_SECURITY_POLICY["DIRECTIVES"]["report-to"] = CSP_REPORT_NAME

# --- what it is made of ---------------------------------------------------------------------------
INSTALLED_APPS = [
    "pasch",
    "accounts.apps.HouseAdminConfig",  # Django's administration behind our own login
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "kit",
    "house",
    "accounts",
    "accounts.providers",
    "ledger",
    "ratings",
    "games",
    "analysis",
    "fairplay",
    "tournaments",
    "games.chouette",
]

MIDDLEWARE = [
    "pasch.observability.tracing.TracedRequest",
    "pasch.observability.counts.RequestCounts",
    "pasch.observability.spans.RequestSpans",  # where OTEL_EXPORTER_OTLP_ENDPOINT is set
    "pasch.observability.security_log.SecurityLog",
    "pasch.observability.health.AskedByAddress",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "django.middleware.gzip.GZipMiddleware",  # pages; it blurs their length
    "csp.middleware.CSPMiddleware",
    "pasch.web.csp_reports.ReportingEndpoints",
    "accounts.middleware.CurrentSessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PreferredLanguageMiddleware",
    "accounts.middleware.DeviceMiddleware",
    "pasch.web.house_look.HouseLook",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "pasch.web.stale.StalePages",
    "accounts.middleware.CrowdMiddleware",
]

ROOT_URLCONF = "pasch.urls"
ASGI_APPLICATION = "pasch.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "accounts.reader_preferences.preferences",
            ]
        },
    }
]

# --- where it keeps things ------------------------------------------------------------------------
DATABASE_URL = os.environ.get("DATABASE_URL") or HOME.database_url()
REDIS_URL = valkey("REDIS_URL", HOME.redis_url)
# Where tasks wait for a worker.
QUEUE_URL = valkey("QUEUE_URL", REDIS_URL)
# Behind a pooler of transactions nothing may last longer than a transaction (pasch/postgresql).
DATABASE_POOLED = choice("DATABASE_POOLER", ("none", "transaction"), "none") == "transaction"
DATABASES = {"default": database("DATABASE_URL", DATABASE_URL)}
# Past a pooler: for the one connection that listens while Valkey is away (games/live/stopgap.py).
_DIRECT_URL = os.environ.get("DATABASE_DIRECT_URL")
DATABASE_DIRECT = database("DATABASE_DIRECT_URL", _DIRECT_URL) if _DIRECT_URL else None
# A standby for pages that may be a moment old (pasch/web/stale.py); without one there is no such.
_REPLICA_URL = os.environ.get("DATABASE_REPLICA_URL")
if _REPLICA_URL:
    DATABASES[REPLICA] = database("DATABASE_REPLICA_URL", _REPLICA_URL, "prefer-standby")
DATABASE_ROUTERS = ["pasch.postgresql.replica.Router"]
# After half a second without a connection pasch/postgresql checks whether the server is away.
DATABASE_POOL = {
    "min_size": 1,
    "max_size": whole("DATABASE_POOL_MAX", 23, least=10, most=1000),
    "timeout": 0.5,
    "reconnect_timeout": 1,
}
DATABASE_REPLICA_POOL = {**DATABASE_POOL, "min_size": 0, "max_size": 8}
# Each may take a whole pool; pasch/checks.py adds them up against what PostgreSQL has.
WEB_WORKERS = whole("WEB_WORKERS", 2, least=1, most=256)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {"default": cache_settings(REDIS_URL)}

STATIC_URL = "/static/"
STATICFILES_DIRS = [
    ROOT / "static",
    # the net that browsers use, as the house reads it
    ("nets", ROOT / "backgammon" / "evaluation" / "nets" / "weights" / "device"),
]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or HOME.root / "static")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "pasch.assets.storage.StaticStorage"},
}

# Files are compressed when they are collected, once; over one's own machine that gains nothing.
SERVESTATIC_USE_GZIP = SERVESTATIC_USE_BROTLI = not EMBEDDED
SERVESTATIC_USE_ZSTD = False

# --- work outside of a request --------------------------------------------------------------------
_BROKER = broker_settings(QUEUE_URL)
CELERY_BEAT_SCHEDULER = "pasch.scheduler:AskingScheduler"
CELERY_BROKER_URL, CELERY_BROKER_USE_SSL = _BROKER.url, _BROKER.use_ssl
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_TIME_LIMIT = 60
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # after a hundred tries it would give up for ever
# A running task continues when the broker goes away: its work is done in the database.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": "celery:",
    "visibility_timeout": 120,
    **_BROKER.transport_options,
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TIMEZONE = "UTC"

# --- people ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "accounts.hashing.PacedArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "accounts.passwords.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_SIGNUP_REDIRECT_URL = "welcome"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
# Without a proof of work, for the whole house; one network has ten of them (accounts/crowds.py).
SIGNUPS_PER_HOUR = whole("SIGNUPS_PER_HOUR", 60, least=1, most=100_000)
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = choice(
    "EMAIL_VERIFICATION", ("none", "optional", "mandatory"), "optional"
)
_EMAIL_FIELD = "email*" if ACCOUNT_EMAIL_VERIFICATION == "mandatory" else "email"
ACCOUNT_SIGNUP_FIELDS = ["username*", _EMAIL_FIELD, "password1*"]
ACCOUNT_FORMS = {
    "signup": "accounts.passwords.SignupForm",
    "change_password": "accounts.passwords.ChangePasswordForm",
    "set_password": "accounts.passwords.SetPasswordForm",
    "reset_password_from_key": "accounts.passwords.ResetPasswordKeyForm",
}
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Passwords are counted by accounts/login_limits.py, mails by accounts/adapter.py.
# A whole class signs up behind one address; accounts/crowds.py slows crowds.
ACCOUNT_RATE_LIMITS = {"reset_password": "20/m/ip", "signup": "120/m/ip"}
# Logins by other providers, a list in JSON (docs/operations-reference.md); none by default.
LOGIN_PROVIDERS = login_providers(os.environ.get("OIDC_PROVIDERS", ""))
SOCIALACCOUNT_ADAPTER = "accounts.providers.adapter.ProviderAccountAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses a name, and agrees
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5
MFA_ADAPTER = "accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
# a code counts half a minute before and after its time: phones go wrong, typing takes a while
MFA_TOTP_TOLERANCE = 1
# Administrators need a second factor wherever the house is on the internet (accounts/access.py).
STAFF_SECOND_FACTOR = flag("STAFF_SECOND_FACTOR", HTTPS)
# A role that may touch credits, or another identity of who has one, waits so long for a second
# administrator and then takes effect without one (docs/desk.md).
ROLE_WAIT_HOURS = whole("ROLE_WAIT_HOURS", 24, least=24, most=24 * 6)
# The client's address is the connection's own; behind a proxy of ours asgi.py puts it there.
ALLAUTH_TRUSTED_PROXY_COUNT = 0

# Without a mail server: files at home; on the internet an error of the checks (pasch/mail.py).
EMAIL_BACKEND = "pasch.mail.MailFiles" if EMBEDDED or DEBUG else "pasch.mail.NoMail"
EMAIL_FILE_PATH = HOME.root / "mail"
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "pasch@localhost"
if os.environ.get("EMAIL_HOST"):
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = os.environ["EMAIL_HOST"]
    EMAIL_PORT = whole("EMAIL_PORT", 587, least=1, most=65_535)
    EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
    EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
    # On port 465 the connection begins with TLS, on any other one STARTTLS asks for it.
    EMAIL_USE_SSL = EMAIL_PORT == 465
    EMAIL_USE_TLS = flag("EMAIL_USE_TLS", True) and not EMAIL_USE_SSL
    EMAIL_TIMEOUT = 10

# --- languages and times --------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("de", _("German")), ("en", _("English"))]
#: the second one has django-allauth's texts in the words of the house
LOCALE_PATHS = [ROOT / "locale", ROOT / "locale" / "allauth"]
USE_I18N = True
FORMAT_MODULE_PATH = ["pasch.formats"]
USE_TZ = True
TIME_ZONE = "UTC"

# --- the house ------------------------------------------------------------------------------------
# A house gives no credits away unless this is set; the demo house of `scripts/play` sets it.
LEDGER_WELCOME_CENTS = whole("LEDGER_WELCOME_CENTS", 0)
LEDGER_PAYOUT_MINIMUM_CENTS = whole("LEDGER_PAYOUT_MINIMUM_CENTS", 100, least=1)
LEDGER_PAYOUT_LARGE_CENTS = whole("LEDGER_PAYOUT_LARGE_CENTS", 1_000_000)
LEDGER_PAYOUT_WAIT_HOURS = whole("LEDGER_PAYOUT_WAIT_HOURS", 24, most=24 * 365)
LEDGER_SINGLE_ADMINISTRATOR = flag("LEDGER_SINGLE_ADMINISTRATOR", False)

# Without it fair play only notes what it finds: no holds, no cases, no waits after leaving. It is
# for load and fault tests, whose players leave and lose on purpose.
FAIRPLAY_ACTS = flag("FAIRPLAY_ACTS", True)
LEDGER_SECOND_FACTOR_SECONDS = whole("LEDGER_SECOND_FACTOR_SECONDS", 900, least=60, most=86_400)
LEDGER_ALONE_CENTS = whole("LEDGER_ALONE_CENTS", 2_000)
# The nightly audit in turns looks at every old row once in so many days.
LEDGER_AUDIT_ROUND_DAYS = whole("LEDGER_AUDIT_ROUND_DAYS", 7, least=1, most=60)
# Tables that have been closed for so many days get a pack for their events; 0: none does.
PACK_AFTER_DAYS = whole("PACK_AFTER_DAYS", 30, most=3_650)
LEDGER_VOUCHER_DAY_CENTS = whole("LEDGER_VOUCHER_DAY_CENTS", 100_000)
# Each seal's digest is written here as well, out of reach of a person who alters the database.
LEDGER_SEAL_FILE = os.environ.get("LEDGER_SEAL_FILE") or (
    str(HOME.root / "seals.log") if EMBEDDED else ""
)
# A second place: a command that gets the new lines, and one that prints all of them.
LEDGER_SEAL_COMMAND = os.environ.get("LEDGER_SEAL_COMMAND", "")
LEDGER_SEAL_READ_COMMAND = os.environ.get("LEDGER_SEAL_READ_COMMAND", "")
LEDGER_SEAL_PLACE = os.environ.get("LEDGER_SEAL_PLACE", "")  # a class of the operator's own
DICE_SOURCE = "games.services.dice.fair.FairDice"  # only the tests name another one
# Where the exact table of Hypergammon is, if `backgammon.train.hypergammon` has made one.
HYPERGAMMON_TABLE = Path(os.environ.get("HYPERGAMMON_TABLE") or HOME.root / "hypergammon.table")
# The token for the figures at /metrics/; without it the page does not exist.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
BROADCAST_PREFIX = "pasch:"
# So often each process looks for changes of what administrators set at the desk.
HOUSE_POLL_SECONDS = 3
# Each process counts at most so often for its pages what is being played and what waits.
COUNTS_SECONDS = 5

LOGGING = logging_settings(
    form=choice("LOG_FORMAT", FORMATS, "text" if EMBEDDED else "json"),
    level=choice("LOG_LEVEL", LEVELS, "INFO"),
)
