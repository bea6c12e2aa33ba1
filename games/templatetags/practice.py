"""The form of the practice card, wherever a page shows it."""

from django import template

from games.forms.practice import PracticeForm

register = template.Library()


@register.simple_tag
def practice_form() -> PracticeForm:
    """A fresh form."""
    return PracticeForm(auto_id="practice_%s")
