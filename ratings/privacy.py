"""The rated matches that a reader may see; ratings store references, the site adds the rule."""

from collections.abc import Callable, Collection

from django.contrib.auth.models import AnonymousUser

from accounts.models import User

Rule = Callable[[User | AnonymousUser, Collection[str]], set[str]]

_rules: list[Rule] = []


def register(rule: Rule) -> None:
    """Add a rule: it returns those of the references that the reader may not see."""
    if rule not in _rules:
        _rules.append(rule)


def hidden_from(reader: User | AnonymousUser, references: Collection[str]) -> set[str]:
    """Those of these references that some rule hides from this reader; without a rule all."""
    if not _rules:
        return set(references)
    return set().union(*(rule(reader, references) for rule in _rules))
