"""Players at the desk: wallet, entries, limits, rating, matches; freezing and thawing."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.roles import role_of
from accounts.selectors import people_found
from fairplay.desk.links import links_context
from games.desk.selectors import matches_of
from games.desk.stops import user_scope
from kit.requests import SignedInRequest
from ledger import selectors_desk
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import decide_with
from ledger.desk.forms import ReasonForm
from ledger.labels import KIND_LABELS
from ledger.models import StakesStop
from ledger.selectors import wallet_balance, wallet_entries, wallet_is_frozen
from ledger.services.limits import player_freeze, player_thaw
from ratings.pools import pool_label
from ratings.selectors import pools_of

ROWS = 25
RECENT = 10


@desk_page("accounts.view_user")
@require_safe
def players(request: SignedInRequest) -> HttpResponse:
    """Find people by name or mail address."""
    search = request.GET.get("search", "").strip()[:150]
    page = Paginator(people_found(search), ROWS).get_page(request.GET.get("page"))
    frozen = set(selectors_desk.frozen_wallets().values_list("owner", flat=True))
    rows = [
        {"person": person, "frozen": person.pk in frozen, "role": role_of(person)}
        for person in page
    ]
    return render(request, "desk/players.html", {"page": page, "rows": rows, "search": search})


@desk_page("accounts.view_user")
@require_safe
def player(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Show one player; their books only to readers who may see accounts."""
    person = get_object_or_404(User, pk=user_id)
    context: dict[str, Any] = {
        "person": person,
        "role": role_of(person),
        "pools": [(pool_label(pool), view) for pool, view in pools_of(person.pk).items()],
        "matches": matches_of(person)[:RECENT],
        "frozen": wallet_is_frozen(person.pk),
        "stop": StakesStop.objects.filter(scope=user_scope(person.pk)).first(),
        "reason_form": ReasonForm(),
        "confirmed": second_factor_is_fresh(request),
        "subject": f"user:{person.pk}",
        "deletions": person.deletions.order_by("-pk")[:RECENT],
    }
    if request.user.has_perm("fairplay.view_case"):
        context |= links_context(person)
    if request.user.has_perm("ledger.view_account"):
        page = Paginator(wallet_entries(person.pk), ROWS).get_page(request.GET.get("page"))
        context |= {
            "balance_cents": wallet_balance(person.pk),
            "page": page,
            "entries": [(entry, KIND_LABELS[entry.transfer.kind]) for entry in page],
            "limits": selectors_desk.limits_of(person.pk),
            "pause": selectors_desk.pause_of(person.pk),
            "payouts": selectors_desk.payouts_of(person.pk)[:RECENT],
        }
    return render(request, "desk/player.html", context)


@desk_page("ledger.freeze_account")
@require_POST
def freeze(request: SignedInRequest, user_id: int, *, thaw: bool) -> HttpResponse:
    """Let nothing leave a wallet while something is looked into; `thaw` ends that."""
    person = get_object_or_404(User, pk=user_id)
    form = ReasonForm(request.POST)
    done = _("Frozen: nothing leaves this wallet. Running matches finish.")
    service: Callable[..., object] = player_freeze
    if thaw:
        done = _("Released: this wallet can be used again.")
        service = partial(player_thaw, verified_at=second_factor_at(request))
    return decide_with(
        request,
        form,
        lambda: service(user=person, actor=request.user, reason=form.cleaned_data["reason"]),
        done=done,
        back=resolve_url("desk:player", user_id),
    )
