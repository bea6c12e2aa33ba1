"""The books: their audits and seals."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils import timezone

from ledger.audit_changes import rows_unsealed
from ledger.models import AuditRun
from ledger.seal_places import FilePlace, seal_places, streams
from ledger.selectors_desk import audit_latest, audit_latest_in_turns, audit_latest_recent
from pasch import checks
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong

#: an audit of everything on Sundays, in turns every night, of what is new every hour
WHOLE_DAYS, RECENT_WITHIN = 8, timedelta(hours=2)
#: beat seals every minute
SEALED_WITHIN: Final = timedelta(minutes=10)


@inside("postgresql")
def audits() -> Diagnosis:
    """The last audits found nothing, and were lately."""
    last = [audit_latest(), audit_latest_in_turns(), audit_latest_recent()]
    found = [run for run in last if run is not None and run.finding_count]
    if found:
        count = max(run.finding_count for run in found)
        return wrong(
            f"the last audit has {count} findings", "stop payouts, read the desk's audit page"
        )
    ages = [timezone.now() - run.started_at for run in last if run is not None]
    if not ages:
        return warning(
            "no audit has run yet", "one runs every hour: wait, or start one at the desk"
        )
    if min(ages) > RECENT_WITHIN:
        text = f"the last audit is {min(ages).total_seconds() / 3600:.0f} h old"
        return warning(text, "one runs every hour: look at beat and the worker")
    whole = last[0] or AuditRun.objects.earliest("started_at")
    days = (timezone.now() - whole.started_at).days
    if days >= WHOLE_DAYS:
        text = f"the last audit of everything is {days} days old"
        return wrong(
            text, "one runs on Sundays: look at the worker's log, or start one at the desk"
        )
    return ok("the last audits found nothing")


@inside("postgresql")
def seals() -> Diagnosis:
    """Every row of the books has its seal, but for the newest."""
    since = timezone.now() - SEALED_WITHIN
    late = {stream.name: rows_unsealed(stream, since)[0] for stream in streams()}
    if number := sum(late.values()):
        names = ", ".join(name for name, count in late.items() if count)
        text = f"{number} rows older than ten minutes have no seal ({names})"
        return wrong(text, "run manage.py ledger_seal, and look at beat and the worker")
    return ok("every row older than ten minutes is sealed")


@inside()
def seal_folder() -> Diagnosis:
    """The places of the seals can be read and written."""
    if found := checks.check_seal_places():
        return wrong(str(found[0].msg), "set LEDGER_SEAL_FILE or LEDGER_SEAL_COMMAND")
    for place in seal_places():
        try:
            place.tail()
        except OSError as error:
            return wrong(f"{place.name} cannot be read: {error}", "mend it: the audit reads it")
        if isinstance(place, FilePlace) and not _writable(place.path):
            return wrong(
                f"{place.name} cannot be written", "give the user of the worker the right to write"
            )
    if not seal_places():
        return warning("the seals are kept in the database alone", "set LEDGER_SEAL_FILE")
    where = settings.LEDGER_SEAL_FILE or settings.LEDGER_SEAL_COMMAND or "their place"
    return ok(f"seals go to {where}")


def _writable(path: Path) -> bool:
    """Whether a file, or the folder in which it will be made, can be written."""
    if path.exists():
        return path.is_file() and os.access(path, os.W_OK)
    folder = next(each for each in path.parents if each.exists())
    return folder.is_dir() and os.access(folder, os.W_OK)
