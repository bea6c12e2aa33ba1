"""Sitting down to practise against the house bot, or alone."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.forms.practice import PracticeForm
from games.pages.refusals import refusal_text
from games.services.practice import practice_open
from games.table.errors import TableError


@login_required
@require_POST
def open_practice(request: HttpRequest) -> HttpResponse:
    """Open a practice table at which the house bot or nobody else sits, and go to it."""
    form = PracticeForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The house does not offer a table on these terms."))
        return redirect("lobby")
    try:
        table = practice_open(user=request.user, **form.cleaned_data)
    except TableError as error:
        messages.error(request, refusal_text(error))
        return redirect("lobby")
    return redirect("table", table_id=table.pk)
