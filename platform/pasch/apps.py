"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks, and what the site adds to the audit; log logins; begin reports."""
        from pasch import checks  # noqa: F401 (registers them)
        from pasch.audits import registry
        from pasch.observability import reports, security_log, spans

        reports.begin()
        spans.begin()
        security_log.connect()
        registry.register_all()
