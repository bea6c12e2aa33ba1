"""The page on which people change their own name."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.identity import IdentityRefused, is_guarded
from accounts.names import MAX_LENGTH
from accounts.presence import proof_check
from accounts.renaming import NAME_WAIT, name_change, name_changes_from
from kit.requests import SignedInRequest

#: what to say about a refusal; `name_refused` brings the text of the validator.
REFUSALS: Final = {
    "identity_unchanged": gettext_lazy("That is already your name."),
    "name_taken": gettext_lazy("This name looks too much like one that is taken."),
    "name_withdrawn": gettext_lazy("The house has withdrawn this name."),
    "name_staff": gettext_lazy("Names of the staff are changed by administrators."),
    "name_soon": gettext_lazy("You changed your name only recently."),
}


class NameForm(forms.Form):
    """A new name."""

    name = forms.CharField(
        label=gettext_lazy("New name"),
        max_length=MAX_LENGTH,
        help_text=gettext_lazy("Visible to everyone. Letters and digits, with - _ . in between."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def name(request: SignedInRequest) -> HttpResponse:
    """Change one's name, or show from when that is possible.

    Both need a password, a passkey or a second factor from the last minutes: people log in with
    their name, so a session that was left open must not change it.
    """
    proof_check(request)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            name_change(user_id=request.user.pk, name=form.cleaned_data["name"])
        except IdentityRefused as error:
            form.add_error("name", str(REFUSALS.get(error.code, error)))
        else:
            messages.success(request, _("Your name is changed. Links with the old one lead here."))
            return redirect("account")
    context = {
        "form": form,
        "days": NAME_WAIT.days,
        "possible_from": name_changes_from(request.user),
        "is_guarded": is_guarded(request.user),
    }
    status = 400 if form.errors else 200
    return render(request, "accounts/name.html", context, status=status)
