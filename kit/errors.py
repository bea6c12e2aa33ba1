"""Refusals: what the house does not do now, with a code for programs and a sentence for people.

This file knows no framework, so that pure code can refuse, too; `kit.sentences` writes the sentence
in the reader's language.
"""

from backgammon.rules.naming import gettext_noop


class Refusal(Exception):
    """Something that the house does not do now; nothing has changed.

    The text of the exception is for logs. A `{name}` in a sentence is one of `fields` or an
    attribute of the error: `{until}` is `until_ms`, `{needed}` is `needed_cents`.
    """

    code = "refused"
    sentence: str = gettext_noop("That is not possible now.")
    #: what people of the house read who decide about others; empty where it is the same
    staff_sentence: str = ""

    def __init__(self, message: str = "", **fields: object) -> None:
        super().__init__(message)
        self.fields = fields

    def said(self, *, staff: bool = False) -> str:
        """The sentence that fits this error, before it is translated."""
        return (staff and self.staff_sentence) or self.sentence
