"""Forms for statements, appeals and reports."""

from django import forms
from django.utils.translation import gettext_lazy as _

from fairplay.complaints import REASONS, WORDS_MOST
from fairplay.models import CaseKind
from kit.plain_text import text_fault

STATEMENT_LENGTH = 4000


def _readable(text: str) -> None:
    if text_fault(text):
        raise forms.ValidationError(
            _("It contains invisible characters. Type it instead of pasting it.")
        )


class StatementForm(forms.Form):
    """A statement or an appeal."""

    text = forms.CharField(
        label=_("Your words"),
        max_length=STATEMENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
        validators=[_readable],
    )


class MatchReportForm(forms.Form):
    """A report about the opponent of a match."""

    reason = forms.ChoiceField(
        label=_("What happened?"),
        choices=[(kind.value, kind.label) for kind in REASONS],
        widget=forms.RadioSelect,
        initial=CaseKind.CONDUCT,
    )
    words = forms.CharField(
        label=_("In your words (optional)"),
        max_length=WORDS_MOST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        validators=[_readable],
    )
