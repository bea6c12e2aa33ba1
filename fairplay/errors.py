"""Refusals of fair play, one class per cause. After an error nothing has changed."""


class FairPlayError(Exception):
    """Something that is not possible in a case; `code` is for programs."""

    code = "fairplay_error"


class NotAParty(FairPlayError):
    """The person is not accused in this case."""

    code = "not_a_party"


class NoReviewer(FairPlayError):
    """The person cannot give an opinion: no right, a party, or one of the first two."""

    code = "no_reviewer"


class OpinionGone(FairPlayError):
    """The first opinion does not count any more: too old, or its author lost the right to judge."""

    code = "opinion_gone"


class CaseOver(FairPlayError):
    """The case is no longer in the state that this step needs."""

    code = "case_over"


class TextMissing(FairPlayError):
    """A text that the step needs is empty, too long, or has characters that hide text."""

    code = "text_missing"


class NothingToRefund(FairPlayError):
    """The case is not confirmed with refunds."""

    code = "nothing_to_refund"


class ReportRefused(FairPlayError):
    """A report that is not taken: not a match of this player, too late, or too many."""

    code = "report_refused"
