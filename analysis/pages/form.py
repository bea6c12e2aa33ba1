"""The form of a person in their last matches, as their page and their progress show it."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from analysis.pages.exercise_words import theme_words
from analysis.pages.numbers import UNKNOWN, percent, plain
from analysis.progress import FORM_OF, LATELY, Form, ProgressAsked, form_of, kinds_of
from analysis.sums import ErrorRate


@dataclass(frozen=True, slots=True)
class FormRow:
    """A PR over some of the last matches."""

    name: str
    pr: str
    band: str
    counted: int


@dataclass(frozen=True, slots=True)
class FormShown:
    """The values for `analysis/form.html`. `train` is the address of exercises; "" for others."""

    variant: str
    rows: tuple[FormRow, ...]
    trend: str
    theme: str
    share: str
    train: str


def latest_form(asked: ProgressAsked) -> FormShown | None:
    """The form in the variant that was played most lately; None without an analysed match."""
    analysed = asked.latest(FORM_OF)
    kinds = kinds_of(analysed)
    form = form_of(analysed, kinds[0].variant) if kinds else None
    return None if form is None else form_shown(form, own=asked.is_own)


def form_shown(form: Form, *, own: bool) -> FormShown:
    """A form in words; `own` adds where to train."""
    rows = [form_row(_last(min(LATELY, form.matches)), form.lately)]
    if form.matches > LATELY:
        rows.append(form_row(_last(form.matches), form.rate))
    costly = form.costly
    return FormShown(
        variant=form.variant,
        rows=tuple(rows),
        trend=_trend_words(form),
        theme=theme_words(costly.theme) if costly else "",
        share=percent(costly.share, 0) if costly else "",
        train=train_address(costly.theme) if costly and own else "",
    )


def train_address(theme: str) -> str:
    """Where exercises of a theme begin."""
    return f"{reverse('exercise_next')}?{urlencode({'theme': theme})}"


def form_row(name: str, rate: ErrorRate) -> FormRow:
    """A rate in words; the band is a dash where too few decisions were counted."""
    band = rate.band
    return FormRow(
        name=name,
        pr=plain(rate.pr),
        band=UNKNOWN if band is None else f"{plain(band.low)}–{plain(band.high)}",
        counted=rate.counted,
    )


def _last(count: int) -> str:
    text = ngettext("Last {count} match", "Last {count} matches", count)
    return text.format(count=count)


def _trend_words(form: Form) -> str:
    if form.trend == "better":
        return _("The last five were better than those before: the bands do not overlap.")
    if form.trend == "worse":
        return _("The last five were worse than those before: the bands do not overlap.")
    if form.lately.band is None or form.before.band is None:
        return _("Too few decisions to compare the last five with those before.")
    return _("The last five differ from those before by no more than chance.")
