"""The Django application of the site itself."""

from django.apps import AppConfig


class PaschConfig(AppConfig):
    name = "pasch"

    def ready(self) -> None:
        """Register the checks, and what the site adds to the audit and to ratings; see logins."""
        from pasch import checks  # noqa: F401 (registers them)
        from pasch.audits import registry
        from pasch.observability import security_log
        from pasch.pages import private_matches

        security_log.connect()
        registry.register_all()
        private_matches.register()
