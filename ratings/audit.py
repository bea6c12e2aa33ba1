"""What the audit of the house asks of the ratings: does the log confirm every one of them?"""

from ratings.replay import check


def check_ratings() -> list[dict[str, str]]:
    """Return a finding for each change or rating that a replay of the log does not confirm.

    Keys: check, row, stored, rebuilt. An empty list means that every rating follows from the log.
    """
    return [
        {"check": "ratings", "row": found.row, "stored": found.stored, "rebuilt": found.rebuilt}
        for found in check()
    ]
