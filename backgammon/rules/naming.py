"""Names for people in pure code: marked for translators here, translated by the faces."""


def gettext_noop(text: str) -> str:
    """Return the text as it is; gettext's tools collect the texts that are marked by this name.

    A face translates the text when it shows it.
    """
    return text
