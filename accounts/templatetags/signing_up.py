"""The puzzle of the page on which people register."""

from typing import Any

from django import template

from accounts.signing_up import bits_of, challenge_for, is_crowded

register = template.Library()


@register.simple_tag(takes_context=True)
def signup_challenge(context: dict[str, Any]) -> dict[str, Any] | None:
    """A challenge for this browser and its bits; None while so few sign up that none is needed."""
    address = context["request"].META.get("REMOTE_ADDR", "")
    if not context.get("proof_needed") and not is_crowded(address):
        return None
    challenge = challenge_for(address)
    return {"text": challenge, "bits": bits_of(challenge)}
