"""Tags of the site's frame: icons, and links that mark the current page."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, json_script, strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.faces import face_of
from accounts.preferences import HOUSE_LOOK, USUAL_LOOK
from house.languages import Language
from house.reader import house_now
from kit.fragments import kept
from pasch.assets.script_texts import translations
from pasch.house_identity import ShownLogo, board_address, logo_shown, operator_now, style_address
from pasch.operator import Operator

Choices = Sequence[tuple[str, Any]]

register = template.Library()


@register.simple_tag
@kept
def icon(name: str) -> SafeString:
    """Draw the glyph `name` of static/icons.svg; it is decoration next to its text."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"></use></svg>',
        static("icons.svg"),
        name,
    )


@register.simple_tag
@kept
def face(of: str) -> SafeString:
    """Draw the face of an account (`accounts.faces`); it is decoration next to its name."""
    if not of:
        return SafeString("")
    symbol, forms, ground, degrees = of.split() if " " in of else (of, "000", "000", "0")
    return format_html(
        '<svg class="face{}" viewBox="0 0 40 40" fill="#{}" color="#{}" aria-hidden="true">'
        '<use href="{}#{}" transform="rotate({} 20 20)"></use></svg>',
        "" if " " in of else " face-bot",
        forms,
        ground,
        static("faces.svg"),
        symbol,
        degrees,
    )


@register.simple_tag
def account_face(user_id: int, name: str) -> SafeString:
    """Draw the face of the account of this number and name."""
    return face(face_of(user_id, name))


@register.simple_tag
@kept
def script(name: str) -> SafeString:
    """Load a script, with the texts that it says where its reader's language has other words."""
    tag = format_html('<script type="module" src="{}"></script>', static(name))
    texts = translations(name)
    return json_script(texts, f"texts-{PurePosixPath(name).stem}") + tag if texts else tag


@register.simple_tag(takes_context=True)
def said_again(context: Context, name: str) -> SafeString:
    """The text of a block of the page once more, for an attribute in double quotes."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block(name)
    text = " ".join(strip_tags(block.render(context)).split())
    return SafeString(text.replace('"', "&quot;"))


@register.simple_tag(takes_context=True)
def page_address(context: Context) -> str:
    """The whole address of this page, without what follows a question mark."""
    request = context.get("request")
    return request.build_absolute_uri(request.path) if request else ""


@register.simple_tag
def house_name() -> str:
    """The name of the house, as it was set at the desk or by its operator; needs no request."""
    return house_now().name


@register.simple_tag
def house_operator() -> Operator:
    """The facts about the house and its operator."""
    return operator_now()


@register.simple_tag
def house_languages() -> list[tuple[str, str]]:
    """The languages that the house offers: codes with names."""
    return [(key, str(Language(key).label)) for key in house_now().languages]


@register.simple_tag
def house_style() -> str:
    """The address of the style sheet with the colours of the house; empty without own ones."""
    return style_address()


@register.simple_tag
def house_board() -> str:
    """The address of the style sheet with the board of the house; empty without an own one."""
    return board_address(house_now().board)


@register.simple_tag
def house_logo() -> ShownLogo | None:
    """The logo of the house; None in a house without one."""
    return logo_shown()


@register.filter
def offered(choices: Choices, key: str) -> Choices:
    """The values of a preference that the house offers: it may not have all languages. While it
    has no board of its own, Pasch's usual one is what the house has, and is one of the values."""
    house = house_now()
    if key == "language":
        return [pair for pair in choices if pair[0] in ("", *house.languages)]
    if key in USUAL_LOOK and house.board is None:
        words = dict(choices)
        usual = words.pop(USUAL_LOOK[key])
        return list({**words, HOUSE_LOOK: usual}.items())
    return choices


@register.simple_tag
def house_sign() -> str:
    """The sign of the currency, for scripts."""
    return house_now().sign


@register.filter
def moment(when: datetime) -> SafeString:
    """A moment: without scripts in UTC, with them in the reader's own zone."""
    return _moment(when.isoformat(), get_language())


@lru_cache(maxsize=4096)  # readers see the same moments, and a row often shows its own twice
def _moment(when: str, _language: str | None) -> SafeString:
    return format_html(
        '<time datetime="{}" data-local>{} UTC</time>',
        when,
        date_format(datetime.fromisoformat(when), "DATETIME_FORMAT"),
    )


@register.filter
def second(when: datetime) -> SafeString:
    """A moment with its seconds, for logs of the desk; the zone as for `moment`."""
    return format_html(
        '<time datetime="{}" data-local data-seconds>{}, {} UTC</time>',
        when.isoformat(),
        date_format(when, "DATE_FORMAT"),
        f"{when:%H:%M:%S}",
    )


@register.simple_tag(takes_context=True)
def nav_link(context: Context, url_name: str, label: str, glyph: str = "") -> SafeString:
    """Link to the page `url_name`; it carries aria-current on that very page.

    With a glyph the link is an entry of a menu, without one it is an entry of the header.
    A page this installation does not have gives no link at all.
    """
    return _link(url_name, label, glyph, url_name == _view_name(context))


@register.simple_tag(takes_context=True)
def frame_part(context: Context, template_name: str) -> SafeString:
    """A part of the frame with links alone; it depends on the page only by the link that is marked.

    It is rendered once for each page that it marks, and once for all others.
    """
    return _frame_part(template_name, _view_name(context))


@kept
def _frame_part(template_name: str, frame_view: str) -> SafeString:
    text = SafeString(render_to_string(template_name, {"frame_view": frame_view}))
    return text if not frame_view or "aria-current" in text else _frame_part(template_name, "")


def _view_name(context: Context) -> str:
    """The name of the page that is shown."""
    if "frame_view" in context:
        return str(context["frame_view"])
    match = getattr(context.get("request"), "resolver_match", None)
    return match.view_name if match is not None else ""


@kept
def _link(url_name: str, label: str, glyph: str, here: bool) -> SafeString:
    try:
        url = reverse(url_name)
    except NoReverseMatch:
        return SafeString("")
    current = SafeString(' aria-current="page"') if here else SafeString("")
    if glyph:
        return format_html(
            '<a class="menu-item" href="{}"{}>{}{}</a>', url, current, icon(glyph), label
        )
    return format_html('<a href="{}"{}>{}</a>', url, current, label)
