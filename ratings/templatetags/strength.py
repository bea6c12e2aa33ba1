"""Template tags of ratings: the strength symbol and signed changes."""

from decimal import Decimal
from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from kit.fragments import kept
from ratings.elo import whole as whole_elo

register = template.Library()

NAMES: Final = {
    1: gettext_lazy("Beginner"),
    2: gettext_lazy("Improver"),
    3: gettext_lazy("Solid"),
    4: gettext_lazy("Strong"),
    5: gettext_lazy("Expert"),
    6: gettext_lazy("Master"),
}
COLOURS: Final = {
    1: "#8f98a3",
    2: "#b4783f",
    3: "#b9c2cc",
    4: "#e0b23c",
    5: "#49b0a0",
    6: "#b583e8",
}
_LOW, _MID, _HIGH = 5.5, 10, 14.5
PIPS: Final = {
    1: ((_MID, _MID),),
    2: ((_LOW, _HIGH), (_HIGH, _LOW)),
    3: ((_LOW, _HIGH), (_MID, _MID), (_HIGH, _LOW)),
    4: ((_LOW, _LOW), (_LOW, _HIGH), (_HIGH, _LOW), (_HIGH, _HIGH)),
    5: ((_LOW, _LOW), (_LOW, _HIGH), (_MID, _MID), (_HIGH, _LOW), (_HIGH, _HIGH)),
    6: tuple((x, y) for x in (_LOW, _HIGH) for y in (_LOW, _MID, _HIGH)),
}


@register.simple_tag
def strength(group: int) -> SafeString:
    """Draw a strength group 1–6 as a die face, distinguished by colour, pips and label.

    Anything else (an empty seat) draws nothing.
    """
    return _die(group) if group in PIPS else SafeString("")


@kept
def _die(group: int) -> SafeString:
    label = gettext("Strength %(group)s of 6: %(name)s") % {"group": group, "name": NAMES[group]}
    pips = format_html_join(
        "", '<circle cx="{}" cy="{}" r="1.9"></circle>', ((x, y) for x, y in PIPS[group])
    )
    return format_html(
        '<svg class="strength strength-{group}" viewBox="0 0 20 20" width="20" height="20" '
        'role="img" aria-label="{label}"><title>{label}</title>'
        '<rect x="1" y="1" width="18" height="18" rx="4.5" fill="{colour}" stroke="#15110e" '
        'stroke-width="1.6"></rect><g fill="#15110e">{pips}</g></svg>',
        group=group,
        label=label,
        colour=COLOURS[group],
        pips=pips,
    )


@register.filter
def whole(elo: Decimal) -> int:
    """Show a rating as everywhere: a whole number, rounded half even."""
    return whole_elo(elo)


@register.filter
def signed(change: Decimal) -> str:
    """Show a change of a rating whole and with its sign: +12, −3 or ±0."""
    shown = whole_elo(change)
    if shown == 0:
        return "±0"
    return f"+{shown}" if shown > 0 else f"−{-shown}"


@register.filter
def change_mark(change: Decimal) -> SafeString:
    """Show a change of a rating with its sign, in the colour of its direction."""
    way = " amount-up" if change > 0 else " amount-down" if change < 0 else ""
    return format_html('<span class="amount{}">{}</span>', way, signed(change))
