"""The errors of the dice protocol, one class per cause."""


class FairnessError(ValueError):
    """The base of all errors of this package."""

    code = "fairness_error"


class BadRecord(FairnessError):
    """A record of dice cannot be read; the text names the field and the reason."""

    code = "bad_record"


class BadDiceTerms(FairnessError):
    """Terms have a value that the canonical JSON of this protocol does not allow."""

    code = "bad_terms"


class BadRoll(FairnessError):
    """A roll outside the protocol: its number, its kind, or the size of a part."""

    code = "bad_roll"
