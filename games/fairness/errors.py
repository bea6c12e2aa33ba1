"""What can go wrong in the dice protocol, told apart by cause."""


class FairnessError(ValueError):
    """Something asked of the dice protocol cannot be; the base of all errors of this package."""

    code = "fairness_error"


class BadRecord(FairnessError):
    """A record of dice cannot be read; the text says which field and why."""

    code = "bad_record"


class BadTerms(FairnessError):
    """Terms have a value that the canonical JSON of this protocol does not know."""

    code = "bad_terms"


class BadRoll(FairnessError):
    """A roll outside the protocol: its number, its kind, or the size of a part."""

    code = "bad_roll"
