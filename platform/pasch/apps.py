"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks, and what the site adds to the audit and to ratings; see logins."""
        from pasch import audits, checks, private_matches, security_log  # noqa: F401 (of checks)

        security_log.connect()
        audits.register_all()
        private_matches.register()
