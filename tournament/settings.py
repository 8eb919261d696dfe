"""Settings: nothing set gives SQLite and no service, good for an event on one laptop; the environment gives production.

Read from the environment, from ENVIRONMENT_FILE and from VAR_DIR/environment (tournament/core/installation_folder.py):
DEBUG, SECRET_KEY, ALLOWED_HOSTS, CSRF_TRUSTED_ORIGINS, DATABASE_URL, HTTPS, TRUSTED_PROXIES, HSTS_SECONDS,
HSTS_INCLUDE_SUBDOMAINS, HSTS_PRELOAD, SESSION_HOURS, VAR_DIR, SITE_URL, OBSERVATORY_URL, REDIS_URL, EMAIL_URL,
MAIL_FROM, MAIL_REPLY_TO, MAIL_RATE, MAIL_CONNECTIONS, MAIL_BOUNCES, MAIL_BOUNCES_BOX, MAIL_BOUNCES_SECRET, BACKUP_DIR,
BACKUP_SECOND_DIR, BACKUP_MINUTES, DISK_WARNING and, seldom, MAIL_TIMEOUT, MAIL_RETRY_AFTER, MAIL_STALE_AFTER,
ROLE_DELAY_HOURS.
"""

import os
import secrets
import tempfile
from datetime import timedelta
from pathlib import Path

import environ

from tournament.core import installation_folder

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

VAR_DIR = installation_folder.read_environment()
VAR_DIR.mkdir(parents=True, exist_ok=True)


def own_secret_key() -> str:
    """The installation's key: made once and kept in VAR_DIR, readable by its owner alone."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(64))
    return path.read_text()


DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env("SECRET_KEY", default="") or own_secret_key()
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=False)
# A role given after seats are confirmed waits so long, unless a third person agrees (accounts/services/roles.py).
ROLE_DELAY = timedelta(hours=env.int("ROLE_DELAY_HOURS", default=24))
# Addresses or networks of the proxies that stand in front; what anybody else says in X-Forwarded-For is not read.
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=["127.0.0.1", "::1"])
# Where a phone in the hall reaches this server, printed in QR codes; empty: the address that the printing page had.
SITE_URL = env("SITE_URL", default="").rstrip("/")
# The signals in force, read every minute on the mornings of an event; empty: a person looks and enters by hand.
OBSERVATORY_URL = env(
    "OBSERVATORY_URL",
    default="https://data.weather.gov.hk/weatherAPI/opendata/weather.php?dataType=warnsum&lang=en",
)

INSTALLED_APPS = [
    # First, so that its changepassword stands in for Django's.
    "tournament",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "axes",
]

MIDDLEWARE = [
    "tournament.core.marker_middleware.MarkerMiddleware",
    "tournament.core.unread_body_middleware.UnreadBodyMiddleware",
    "tournament.publication.public_files.PublicFilesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "tournament.core.adapters.static_files.StaticFilesForAYear",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "tournament.operations.staff_middleware.StaffMiddleware",
]

ROOT_URLCONF = "tournament.urls"
WSGI_APPLICATION = "tournament.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournament.operations.views.navigation.navigation_context",
            ],
            "libraries": {
                "audit": "tournament.log.templatetags.audit",
                "clock": "tournament.sheets.templatetags.clock",
                "devices": "tournament.tablets.templatetags.devices",
                "entrant_columns": "tournament.entrants.templatetags.entrant_columns",
                "postponing": "tournament.weather.templatetags.postponing",
                "drawn_tiles": "tournament.publication.templatetags.drawn_tiles",
                "releases": "tournament.publication.templatetags.releases",
                "rounds": "tournament.events.templatetags.rounds",
                "sheets": "tournament.sheets.templatetags.sheets",
                "weather": "tournament.weather.templatetags.weather",
            },
            "builtins": [
                "tournament.core.templatetags.bundles",
                "tournament.core.templatetags.display",
                "tournament.events.templatetags.rounds",
                "django.templatetags.i18n",
                "django.templatetags.static",
            ],
        },
    }
]

# SQLite: IMMEDIATE, or two readers that both write fail with "database is locked"; FULL, or a power cut loses what was
# acknowledged; recursive_triggers, or OR REPLACE slips past a delete trigger.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA recursive_triggers=ON;"
        # What is deleted is written over at once: a list that was put aside stays in no free page of the file.
        " PRAGMA secure_delete=ON;"
    ),
}
POSTGRESQL_OPTIONS = {"pool": {"min_size": 1, "max_size": 8}, "options": "-c statement_timeout=30s -c lock_timeout=10s"}

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'tournament.sqlite3'}")}
SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
DATABASES["default"]["OPTIONS"] = {
    **DATABASES["default"].get("OPTIONS", {}),
    **(SQLITE_OPTIONS if SQLITE else POSTGRESQL_OPTIONS),
}
if SQLITE:
    # A file, since live-server tests use several connections; one a process, so that runs never meet.
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(tempfile.gettempdir(), f"test-{os.getpid()}.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "tournament.accounts.services.passwords.EventWords"},
]
PASSWORD_HASHERS = ["tournament.accounts.adapters.password_hasher.LastingHasher"]
AUTHENTICATION_BACKENDS = [
    "tournament.accounts.adapters.sign_in_backend.DelayedSignIn",
    "django.contrib.auth.backends.ModelBackend",
]
# accounts/services/sign_in_delays.py says how long one waits; django-axes watches the doors and keeps the tries in the
# database.
AXES_HANDLER = "tournament.accounts.services.sign_in_delays.GrowingDelay"
AXES_CLIENT_IP_CALLABLE = "tournament.core.adapters.client_address.client_address"
AXES_LOCKOUT_PARAMETERS = ["username", "ip_address"]
AXES_COOLOFF_TIME = 24
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "desk"
LOGOUT_REDIRECT_URL = "sign_in"

LANGUAGE_CODE = "zh-hant"
LANGUAGES = [("zh-hant", "中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "tournament" / "locale"]
LANGUAGE_COOKIE_HTTPONLY = True
TIME_ZONE = "Asia/Hong_Kong"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "tournament.core.adapters.bundles.BundleFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG or env.bool("PLAIN_STATIC", default=False)
        else "tournament.core.adapters.static_files.LastKnownStaticFiles"
    },
}
# What was not collected yet is served as it lies in the program.
WHITENOISE_USE_FINDERS = True

# What the public reads: files made once at a release, served before anything else is asked.
PUBLIC_ROOT = VAR_DIR / "public"

# Where backups go, beside the data if nothing is said; a folder on another disk that has a copy of each; and how often
# the worker makes one by itself, in minutes (0: never; make event has 5).
BACKUP_DIR = env("BACKUP_DIR", default="")
BACKUP_SECOND_DIR = env("BACKUP_SECOND_DIR", default="")
BACKUP_MINUTES = env.int("BACKUP_MINUTES", default=0)

# Of the data's disk, in percent: with less free the overview warns.
DISK_WARNING = env.float("DISK_WARNING", default=15.0)

# Mail goes to files in VAR_DIR/mail, one a mail, until a server is named: smtp+tls://user:password@mail.example:587
EMAIL_URL = env("EMAIL_URL", default="")
EMAIL_BACKEND = "tournament.mail.adapters.mail_files.MailFileBackend"
if EMAIL_URL:
    globals().update(env.email_url("EMAIL_URL"))
EMAIL_FILE_PATH = str(VAR_DIR / "mail")
MAIL_FROM = env("MAIL_FROM", default="")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL_FROM or "tournament@localhost"
# Where an answer to a mail goes; empty: nowhere, and each mail says so.
MAIL_REPLY_TO = env("MAIL_REPLY_TO", default="")
# Where mail that cannot be delivered comes back to, with a token of each mail after a +: bounces@example.org gives
# bounces+…@example.org; empty: to MAIL_FROM. The mailbox where it arrives: imaps://user:password@host/INBOX. What a
# provider's reports are sent with; empty, or shorter: none are taken.
MAIL_BOUNCES = env("MAIL_BOUNCES", default="")
MAIL_BOUNCES_BOX = env("MAIL_BOUNCES_BOX", default="")
MAIL_BOUNCES_SECRET = env("MAIL_BOUNCES_SECRET", default="")
SHORTEST_BOUNCES_SECRET = 24
# Mails a second at most, of one mailing.
MAIL_RATE = env.int("MAIL_RATE", default=10)
# Connections to the mail server at most, of one mailing: as many mails are with a slow server at one time.
MAIL_CONNECTIONS = env.int("MAIL_CONNECTIONS", default=6)
# Seconds: for each of the server's answers; from a try that failed to the next, doubled each time; from a worker's last
# sign of life to another's taking over, which must be longer than a mail can last.
EMAIL_TIMEOUT = env.float("MAIL_TIMEOUT", default=10.0)
MAIL_RETRY_AFTER = env.float("MAIL_RETRY_AFTER", default=15.0)
MAIL_STALE_AFTER = env.float("MAIL_STALE_AFTER", default=60.0)

# With a broker a worker is told at once of what waits; all of it is in rows, which beat has looked through again and
# again. Without one `manage.py work` does the same. Nothing is ever scheduled by eta or countdown: Redis would hand out
# again what waits longer than its visibility timeout.
REDIS_URL = env("REDIS_URL", default="")
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Longer than any task: those end of themselves after seconds, or are ended.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
}
CELERY_TASK_TIME_LIMIT = 1800
# A message is only a hint, taken off the queue at once: the row is what a worker that dies leaves to the next. Answered
# for late, it ended the worker whenever Redis was restarted while a task ran (kombu 5.7: 4 of 4 times; early 0 of 4).
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_ERRORS_EVEN_IF_IGNORED = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
# A sweep that nobody took in time is not done later: the next one is there already.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "tournament.sweep", "schedule": 3.0, "options": {"expires": 3.0}},
    "bounces": {"task": "tournament.read_bounces", "schedule": 20.0, "options": {"expires": 20.0}},
    "dates": {"task": "tournament.look_at_dates", "schedule": 60.0, "options": {"expires": 60.0}},
    "weather": {"task": "tournament.look_at_weather", "schedule": 20.0, "options": {"expires": 20.0}},
    "backup": {"task": "tournament.make_backup", "schedule": 20.0, "options": {"expires": 20.0}},
}

# Of a whole request, files and fields; a photo of a paper has 16 MiB. deploy/nginx.conf says the same.
MOST_BODY = 17 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 3 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
# Hours without a page opened or a form sent, after which one signs in again (devices/services/open_sign_ins.py notes
# the use); the browser forgets when it is closed.
SESSION_COOKIE_AGE = round(env.float("SESSION_HOURS", default=12.0) * 3600)
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "tournament.operations.views.failures.csrf_failure"
SECURE_SSL_REDIRECT = HTTPS
# A laptop in a hall is also called localhost, where a browser would then ask every other program for https too.
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31536000) if HTTPS else 0
# This host alone: what else a club has under its domain may well be http, and a browser remembers for a year.
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS and env.bool("HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS and env.bool("HSTS_PRELOAD", default=False)
if HTTPS:
    # What `check --deploy` asks for and an installation chooses: all sub-domains, and the browsers' own list.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

# Nothing is open that does not say so; JSON alone; no cookie is looked at where a token is sent.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "tournament.api.authentication.BearerTokens",
        "tournament.api.authentication.PageSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["tournament.api.authentication.DenyByDefault"],
    "DEFAULT_PARSER_CLASSES": ["tournament.api.bodies.StrictJSON"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "tournament.api.bodies.JSONOnlyNegotiation",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "tournament.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "tournament.api.errors.answer_to",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Rummikub tournament desk",
    "DESCRIPTION": "What the desk's pages do, for programs: the same services, the same rights.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVERS": [],
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer"},
            "tablet": {"type": "apiKey", "in": "cookie", "name": "tablet"},
            "bounces": {"type": "http", "scheme": "bearer"},
        }
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        # The event's hours, which need not be the machine's: with their zone.
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s", "datefmt": "%Y-%m-%d %H:%M:%S %z"}
    },
    "filters": {"secrets": {"()": "tournament.core.log_redaction.RedactSecretsFilter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["secrets"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
