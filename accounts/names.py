"""Valid names of players: readable, writable and distinguishable from all others.

Allowed are letters of the Latin script (ä, é, ł and ß too), the digits 0–9 and single signs - _ .
between them. Two names are the same to the house when their skeletons are: capitals, accents and
shapes that are mistaken for each other (l, I and 1; O and 0; rn and m; vv and w) do not distinguish
players. The idea of a skeleton is Unicode Technical Standard 39; the table is our own.

Names reserved for the house are refused wherever they occur in a name. Three lists.
ANYWHERE: refused inside any name, with digits read as the letters they stand for
(`paschsupport`, `supp0rt`, `admin1n`, `Supp-ort`), except inside the words of INNOCENT. WHOLE:
refused as a word of a name, where words are parted by signs, digits or capitals (`house_bot`,
`Bot7`, `TeamMia`), and as the whole name. COMPOUNDS: refused when nothing else is in the name
(`hausbank`, `theteam`). A word that only contains one of WHOLE is allowed: Talbot, Hausmann, Teamo.

"Paschke" and other names of people begin with the name of the house; they are allowed as a word of
their own (`Jan.Paschke`) or at one end of a word, unless the rest of that word is reserved.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

MIN_LENGTH: Final = 3
MAX_LENGTH: Final = 24

SIGNS: Final = "-_."
_BARE: Final = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
_SHAPES: Final = str.maketrans({"1": "l", "i": "l", "|": "l", "0": "o", "-": "_", ".": "_"})
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
_PATTERN: Final = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")


def normalised(name: str) -> str:
    """Return the one spelling of a name that is stored: compatibility forms are unfolded."""
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """Return a name without everything that does not distinguish it."""
    bare = _bare(name).translate(_SHAPES)
    for pair, single in _PAIRS:
        bare = bare.replace(pair, single)
    return bare


def is_well_formed(name: str) -> bool:
    """Whether a name has Latin letters, digits and single signs between them only."""
    return all(_is_allowed(letter) for letter in name) and bool(_PATTERN.fullmatch(_bare(name)))


def _bare(name: str) -> str:
    """Small letters without accents; letters of other scripts stay as they are."""
    unfolded = "".join(_BARE.get(letter, letter) for letter in normalised(name).casefold())
    letters = unicodedata.normalize("NFKD", unfolded)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_allowed(letter: str) -> bool:
    if letter in SIGNS or ("0" <= letter <= "9"):
        return True
    return letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN ")


ANYWHERE: Final = (
    "pasch", "admin", "moderator", "support", "staff", "official", "offiziell", "treasurer",
    "schatzmeister", "kassenwart", "webmaster", "verwaltung", "kundendienst", "kundenservice",
    "customerservice", "helpdesk", "housebot", "hausbot", "security",
)  # fmt: skip

#: words that contain one of ANYWHERE and pretend nothing.
INNOCENT: Final = (
    "paschke", "paschek", "paschen", "pascha", "paschal", "paschalis", "paschalidis", "paschasius",
    "paschinger", "paschmann", "paschold", "paschedag", "badminton", "staffan", "stafford",
    "falstaff", "staffel", "stafflinger", "flagstaff", "supporter", "supporters",
)  # fmt: skip

WHOLE: Final = (
    "anonym", "anonymous", "bank", "bot", "bots", "cashier", "crew", "croupier", "deleted",
    "everyone", "gast", "guest", "haus", "help", "hilfe", "house", "kasse", "mod", "mods", "nobody",
    "operator", "owner", "root", "service", "system", "team",
)  # fmt: skip

#: what a name of nothing but the house's words may be put together from, with one of WHOLE.
COMPOUNDS: Final = (
    "bank", "bot", "bots", "crew", "haus", "help", "hilfe", "house", "kasse", "mod", "mods",
    "operator", "owner", "service", "system", "team",
)  # fmt: skip
FILLERS: Final = (
    "the", "real", "true", "echt", "echte", "echter", "der", "die", "das", "my", "your", "our",
    "chat", "online", "live", "game", "backgammon",
)  # fmt: skip

#: digits that are read as letters; `skeleton` already does 0 and 1.
_DIGITS: Final = str.maketrans("345789", "eastbg")
#: letters of the Cyrillic and the Greek script that are mistaken for Latin ones.
_LATIN: Final = dict(
    zip(
        map(
            ord,
            "\u0430\u0432\u0441\u0501\u0435\u04bb\u0456\u0458\u043a\u043c\u043e\u0440"
            "\u0455\u0442\u0443\u0445\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03f2",
        ),
        "abcdehijkmopstyxaiknoptc",
        strict=True,
    )
)
_SIGN: Final = re.compile(f"[{re.escape(SIGNS)}]")
_CASES: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+")


def is_reserved(name: str) -> bool:
    """Whether any part of a name looks like a name reserved for the house."""
    pieces = [_read(piece) for piece in _SIGN.split(_plain(name))]
    whole = "".join(pieces)
    words = {_read(word) for word in _words(name)} | {whole}
    if not words.isdisjoint(_WHOLE) or _COMPOUND.fullmatch(whole):
        return True
    return any(_is_ours(piece) for piece in pieces) or _stands_across(pieces, whole)


def is_title_reserved(title: str) -> bool:
    """Whether the title of a club or a tournament pretends to be the house's own.

    Titles may be in any script, so letters of others that look Latin are read as Latin here; of the
    lists, ANYWHERE alone counts: a *Team Cup* pretends nothing.
    """
    read = _plain(title).casefold().translate(_LATIN)
    pieces = [_read(piece) for piece in re.split(r"[\W_]+", read) if piece]
    return any(_is_ours(piece) for piece in pieces) or _stands_across(pieces, "".join(pieces))


def _is_ours(piece: str) -> bool:
    """Whether one of ANYWHERE occurs in a piece of a name, outside an innocent word."""
    found = {part for part in _ANYWHERE if part in piece}
    for innocent in _INNOCENT:
        for rest in (piece.removeprefix(innocent), piece.removesuffix(innocent)):
            if rest != piece and rest not in _WHOLE:
                found -= {part for part in found if part in innocent and part not in rest}
    return bool(found)


def _stands_across(pieces: list[str], whole: str) -> bool:
    """Whether one of ANYWHERE is spread over signs, with an end of its own at one of them."""
    edges = list(accumulate(map(len, pieces), initial=0))
    for part in _ANYWHERE:
        for found in re.finditer(f"(?={part})", whole):
            start, end = found.start(), found.start() + len(part)
            is_spread = any(start < edge < end for edge in edges)
            if is_spread and (start in edges or end in edges):
                return True
    return False


def _read(text: str) -> str:
    """A text as the eye reads it: the skeleton, digits as letters, no signs."""
    return skeleton(text.translate(_DIGITS)).replace("_", "")


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", normalised(name))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _words(name: str) -> Iterator[str]:
    """The words of a name: parted by signs; those by capitals too; those by digits too."""
    for piece in _SIGN.split(_plain(name)):
        for word in (piece, *_CASES.findall(piece)):
            yield word
            yield word.strip("0123456789")
            yield from re.split("[0-9]+", word)


_ANYWHERE: Final = tuple(_read(word) for word in ANYWHERE)
_INNOCENT: Final = tuple(sorted({_read(word) for word in INNOCENT}, key=len, reverse=True))
_WHOLE: Final = frozenset(_read(word) for word in WHOLE)
_PARTS: Final = "|".join(_read(word) for word in (*COMPOUNDS, *FILLERS))
_OURS: Final = "|".join(_read(word) for word in COMPOUNDS)
#: at least one of the house's words, and otherwise only such words and fillers
_COMPOUND: Final = re.compile(f"(?:{_PARTS})*(?:{_OURS})(?:{_PARTS})*")


def validate_name(name: str) -> None:
    """Refuse a name that is too short, too long, badly formed or the house's own."""
    if len(name) < MIN_LENGTH:
        raise ValidationError(
            _("A name has at least %(count)s characters.") % {"count": MIN_LENGTH},
            code="name_short",
        )
    if len(name) > MAX_LENGTH:
        raise ValidationError(
            _("A name has at most %(count)s characters.") % {"count": MAX_LENGTH},
            code="name_long",
        )
    if not is_well_formed(name):
        raise ValidationError(
            _(
                "A name is made of letters and digits, with single hyphens, underscores "
                "or dots between them."
            ),
            code="name_characters",
        )
    if is_reserved(name):
        raise ValidationError(_("This name is reserved for the house."), code="name_reserved")
