"""Which tests the long run repeats: those that depend on an amount, and no others."""

from tests.amounts import larger

MODULE = """
from tests.amounts import LONG, amount

SEEDS = range(amount(1, long=5))
CASES = [each for each in SEEDS]

@pytest.fixture
def games():
    return amount(2, long=9)

def played(seed):
    return [seed] * len(CASES)

@pytest.mark.parametrize("seed", CASES)
def test_by_its_decorator(seed): ...

def test_by_its_fixture(games): ...

def test_by_what_it_calls(house):
    assert played(3)

def test_the_same_every_day(house):
    assert house

if LONG:
    def test_only_then(): ...
"""


def test_a_test_is_repeated_if_an_amount_reaches_it() -> None:
    found = {name for name in larger(MODULE, {"LONG", "amount"}) if name.startswith("test_")}
    every = {"test_by_its_decorator", "test_by_its_fixture", "test_by_what_it_calls"}
    assert found == every | {"test_only_then"}


def test_without_amounts_nothing_is() -> None:
    assert not larger("def test_the_same_every_day(house): ...", set())
