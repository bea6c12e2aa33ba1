"""Refusals of fair play, one class per cause. After an error nothing has changed."""

from django.utils.translation import gettext_noop as _

from kit.errors import Refusal


class FairPlayError(Refusal):
    """Something that is not possible in a case; `code` is for programs."""

    code = "fairplay_error"
    sentence = _("That is not possible now; nothing was changed.")
    staff_sentence = _("That is not possible now.")


class NotAParty(FairPlayError):
    """The person is not accused in this case."""

    code = "not_a_party"


class NoReviewer(FairPlayError):
    """The person cannot give an opinion: no right, a party, or one of the first two."""

    code = "no_reviewer"
    staff_sentence = _("You cannot judge this case: you are part of it, or have judged it already.")


class CaseOver(FairPlayError):
    """The case is no longer in the state that this step needs."""

    code = "case_over"
    staff_sentence = _("Someone else has already decided this.")


class TextMissing(FairPlayError):
    """A text that the step needs is empty, too long, or has characters that hide text."""

    code = "text_missing"
    staff_sentence = _("A text is missing, too long, or has invisible characters.")


class NothingToRefund(FairPlayError):
    """The case is not confirmed with refunds."""

    code = "nothing_to_refund"
    staff_sentence = _("This case is not confirmed with matches to take back.")


class ReportRefused(FairPlayError):
    """A report that is not taken: not a match of this player, too late, or too many."""

    code = "report_refused"
    sentence = _("Only players of a match can report it, within seven days after its end.")


class ReportsTooMany(ReportRefused):
    """This player has reported as often as anybody may in a day."""

    sentence = _("You have reached today’s limit for reports.")
