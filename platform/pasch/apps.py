"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register checks, the audit's and desk's parts of the site; log logins; begin reports."""
        from pasch import checks  # noqa: F401 (registers them)
        from pasch.audits import registry
        from pasch.desk.part import PART
        from pasch.observability import reports, security_log, spans

        reports.begin()
        spans.begin()
        security_log.connect()
        registry.register_all()
        PART.register()
