"""Mails that were not delivered yet: why, when the next try is, and trying again now."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.mails import mail_retry, mails_waiting
from kit.requests import SignedInRequest
from pasch.desk.access import desk_page

ROWS = 50


@desk_page("accounts.view_outgoingmail")
@require_safe
def mails(request: SignedInRequest) -> HttpResponse:
    """List what waits; the text of a message is not shown."""
    page = Paginator(mails_waiting().defer("body"), ROWS).get_page(request.GET.get("page"))
    return render(request, "desk/mails.html", {"page": page})


@desk_page("accounts.retry_mail")
@require_POST
def retry(request: SignedInRequest, mail_id: int) -> HttpResponse:
    """Make one mail due now."""
    if mail_retry(mail_id=mail_id):
        messages.success(request, _("The mail goes out with the next run, within a minute."))
    else:
        messages.info(request, _("This mail waits no more: it was sent."))
    return redirect("desk:mails")
