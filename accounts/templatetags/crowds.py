"""The puzzle of the page on which people register."""

from typing import Any

from django import template

from accounts.crowds import SIGN_UP, Puzzle

register = template.Library()


@register.simple_tag(takes_context=True)
def signup_puzzle(context: dict[str, Any]) -> Puzzle | None:
    """A puzzle for this browser; None while so few sign up that none is needed."""
    address = context["request"].META.get("REMOTE_ADDR", "")
    if not context.get("proof_needed") and not SIGN_UP.is_crowded(address):
        return None
    return SIGN_UP.puzzle(address)
