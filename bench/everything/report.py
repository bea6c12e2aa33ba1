"""The table of variants and ways, the figures of the run, and every difference."""

import shlex
from collections import Counter

from backgammon.rules.variants import KEYS
from bench.everything.play import Outcome


def table(outcomes: list[Outcome]) -> str:
    """Variants by ways: how many matches were played, or how many of them differ."""
    ways = list(dict.fromkeys(outcome.case.way for outcome in outcomes))
    games = sorted({o.case.game for o in outcomes}, key=lambda g: (g not in KEYS, _place(g), g))
    rows = [["", *ways]]
    for game in games:
        cells = [game]
        for way in ways:
            here = [o for o in outcomes if (o.case.way, o.case.game) == (way, game)]
            cells.append(_cell(here))
        rows.append(cells)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def _place(game: str) -> int:
    return KEYS.index(game) if game in KEYS else len(KEYS)


def _cell(outcomes: list[Outcome]) -> str:
    if not outcomes:
        return "-"
    wrong = sum(bool(outcome.differences) for outcome in outcomes)
    if wrong:
        return f"{wrong} of {len(outcomes)} differ"
    return f"ok {len(outcomes)} ({sum(outcome.games for outcome in outcomes)} g)"


def figures(outcomes: list[Outcome], seconds: float) -> str:
    """One paragraph: matches, games, events, commands, endings, rake, time."""
    endings = Counter(ending for outcome in outcomes for ending in outcome.endings)
    games = sum(outcome.games for outcome in outcomes)
    counted = ", ".join(f"{ending} {count}" for ending, count in sorted(endings.items()))
    return (
        f"{len(outcomes)} matches, {games} games, {sum(o.events for o in outcomes)} events,"
        f" {sum(o.commands for o in outcomes)} commands in {seconds:.0f} s;"
        f" rake {sum(o.rake_cents for o in outcomes) / 100:.2f}; endings: {counted}"
    )


def differences(outcomes: list[Outcome], seed: int) -> str:
    """Every difference, with the line that plays its case again."""
    lines = []
    for outcome in outcomes:
        if outcome.differences:
            only = shlex.quote(f"{outcome.case.way}/{outcome.case.game}")
            lines.append(f"{outcome.case.text}, table {outcome.table}")
            lines += [f"    {text}" for text in outcome.differences]
            lines.append(f"    python -m bench.everything --seed {seed} --only {only}")
    return "\n".join(lines)
