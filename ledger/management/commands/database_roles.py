"""Make the application's database role and give it its rights. Run it as the role that migrates."""

from django.core.management.base import BaseCommand, CommandError

from ledger.roles import APPLICATION_ROLE, rights_grant, role_create


class Command(BaseCommand):
    help = "Makes the role pasch_app if this role may, and grants it what the application needs."

    def handle(self, *args: object, **options: object) -> None:
        if not role_create():
            raise CommandError(
                f"This database role may not make others. Let an administrator of the server run\n"
                f"  CREATE ROLE {APPLICATION_ROLE} LOGIN;\n"
                f"and call this command again."
            )
        rights_grant()
        self.stdout.write(
            f"{APPLICATION_ROLE}: reads the books, writes them only through their functions."
        )
