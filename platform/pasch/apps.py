"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks, and what the site adds to the audit; see logins."""
        from pasch import checks  # noqa: F401 (registers them)
        from pasch.audits import registry
        from pasch.observability import security_log

        security_log.connect()
        registry.register_all()
