"""The browser's half of the protocol gives Python's values and reasons, one by one."""

import base64
import hmac
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from backgammon.dice import chain
from backgammon.dice.record import record_of_json
from backgammon.dice.rolls import roll_dice
from backgammon.dice.verify import unchecked, verify
from backgammon.tests.amounts import amount
from backgammon.tests.dice.alterations import absences, altered
from backgammon.tests.dice.games import PUBLIC_KEY, game, secret
from backgammon.tests.dice.test_vectors import CASES, VECTORS

pytestmark = pytest.mark.slow

STATIC = Path(__file__).parents[2] / "static"
ADDRESS = "http://localhost:1"  # not contacted: every request is answered from the folder

IN_PAGE = """async ([text, given]) => {
    const bgd1 = {...await import('/fairness/bgd1.js'), ...await import('/fairness/verify.js')};
    return await new Function('bgd1', 'given', 'return (' + text + ')(bgd1, given)')(bgd1, given);
}"""


@pytest.fixture(scope="module")
def run(browser: Any) -> Iterator[Callable[..., Any]]:
    """`run("async (bgd1, given) => …", given)` returns the result of a browser."""
    context = browser.new_context(base_url=ADDRESS)
    page = context.new_page()

    def answer(route: Any, request: Any) -> None:
        name = request.url.removeprefix(ADDRESS).lstrip("/")
        if not name:
            return route.fulfill(body="<!doctype html>", content_type="text/html")
        return route.fulfill(path=STATIC / name, content_type="text/javascript")

    context.route("**/*", answer)
    page.goto("/")
    yield lambda text, given=None: page.evaluate(IN_PAGE, [text, given])
    context.close()


NAMES = """async (bgd1, cases) => {
    const found = [];
    for (const {record, gaps, key} of cases) {
        const read = bgd1.readRecords(record)[0];
        const publicKey = key && bgd1.bytesOf(key);
        found.push((await bgd1.verify(read, {gaps, publicKey})).map(
            ({name, n}) => [name, n]));
    }
    return found;
}"""


def test_every_example_and_every_alteration_is_judged_the_same(run):
    honest = [game(), game("seeds", mode="K"), game("three", dice=3, start_rule="winner_starts")]
    records = [record for _, _, record in altered()]
    records += [record.to_json() for record in honest] + [absences()]
    cases = [{"record": record, "gaps": False} for record in records]
    cases += [{"record": case, "gaps": case.get("gap_ok", False)} for case in CASES]
    cases += [{"record": honest[0].to_json(), "key": key.hex()} for key in (PUBLIC_KEY, bytes(32))]
    expected = []
    for case in cases:
        key = bytes.fromhex(case["key"]) if "key" in case else None
        found = verify(record_of_json(case["record"]), gaps=case.get("gaps", False), public_key=key)
        expected.append([[failure.name, failure.n] for failure in found])
    assert run(NAMES, cases) == expected
    assert expected.count([]) == 20


def test_values_are_made_the_same(run):
    made = run(
        """async (bgd1, {id, secret, json}) => {
            const [game, own] = [bgd1.bytesOf(id), bgd1.bytesOf(secret)];
            const started = performance.now();
            const elements = await bgd1.makeChain(game, bgd1.ROLE.black, own);
            const chain_ms = performance.now() - started;
            const fresh = await bgd1.makeChain(game, bgd1.ROLE.white);
            return {
                chain_ms,
                elements: [0, 1, 700, 1024].map((at) => bgd1.hexOf(elements[at])),
                length: elements.length,
                fresh: fresh[1024].length,
                leads: bgd1.same(await bgd1.steps(game, "W", fresh[9], 9), fresh[0]),
                bytes: json.map((bytes) => bgd1.diceOfBytes(bgd1.bytesOf(bytes), 2)),
            };
        }""",
        {
            "id": secret("id")[:16].hex(),
            "secret": secret("own").hex(),
            "json": [case["bytes"] for case in VECTORS["mapping_cases"]],
        },
    )
    expected = [
        chain.element(secret("id")[:16], chain.BLACK, secret("own"), index).hex()
        for index in (0, 1, 700, 1024)
    ]
    assert made["elements"] == expected
    assert (made["length"], made["fresh"], made["leads"]) == (1025, 32, True)
    assert made["bytes"] == [case["dice"] for case in VECTORS["mapping_cases"]]
    assert made["chain_ms"] < 20_000  # 20 to 80 ms on a machine that has nothing else to do


TERMS = [
    '{"a":1,"b":[true,null,"x"]}', '{"b":1,"a":2}', '{"a": 1}', '{"a":1.0}', '{"a":1e3}',
    '{"a":-0}', '{"a":9007199254740993}', '{"ä":"ö","€":"\\u20ac"}', '{"€":"€"}', '{"a":"\\u001f"}',
    '{"a":"\\ud800"}', '{"a":"\\u2028"}', '{"\U0001f600":1,"\ufb33":2}',
    '{"\ufb33":1,"\U0001f600":2}', '{"dice":4}', '{"dice":3}', "[1]", "null", "{", '{"a":1,"a":1}',
    '{"__proto__":1}', '{"a":"\\/"}', '{"a":"\\b\\t\\n\\f\\r\\"\\\\"}', '{"a":NaN}',
]  # fmt: skip


def test_terms_are_canonical_for_both_or_for_neither(run):
    record = game(rolls=0).to_json()
    cases = [{"record": {**record, "terms": terms}, "gaps": False} for terms in TERMS]
    expected = [[[f.name, f.n] for f in verify(record_of_json(case["record"]))] for case in cases]
    assert run(NAMES, cases) == expected
    assert 4 < sum(["terms", None] in names for names in expected) < len(TERMS)


UNREADABLE = [None, 5, [], {}, {"games": []}, {"games": 5}, {**game().to_json(), "s0": "AB" * 32}]


def test_what_cannot_be_read_is_told_and_what_is_missing_too(run):
    told = run(
        """(bgd1, records) => records.map((record) => {
            try { return bgd1.readRecords(record).length; } catch (error) { return error.message; }
        })""",
        UNREADABLE,
    )
    assert all(isinstance(text, str) for text in told)
    assert told[-1] == "s0 of the record is not 64 hexadecimal digits"
    bare = {k: v for k, v in game().to_json().items() if k not in ("log", "moves", "signature")}
    missing = run("(bgd1, record) => bgd1.unchecked(bgd1.readRecords(record)[0])", bare)
    assert missing == list(unchecked(record_of_json(bare))) == ["signature", "log", "moves"]


def test_the_games_of_a_match_are_different_ones(run):
    one = game().to_json()
    found = run(
        """async (bgd1, match) => (await bgd1.verifyMatch(bgd1.readRecords(match))).map(
            ({name, game}) => [name, game])""",
        {"games": [one, one]},
    )
    assert found == [["games", 2], ["games", 2]]


ROLLS = amount(10_000, long=100_000)
MANY = """async (bgd1, {text, rolls}) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const dice = [];
    const roll = (at) => bgd1.rollDice({
        gameId: bytes.subarray(at, at + 16), ctx: bytes.subarray(at + 16, at + 48),
        house: bytes.subarray(at + 48, at + 80), white: bytes.subarray(at + 80, at + 112),
        black: bytes.subarray(at + 112, at + 144), n: 4 * bytes[at] + (bytes[at + 1] & 3),
        kind: 1 + (bytes[at + 2] & 1), flags: bytes[at + 3] & 7, count: 2 + (bytes[at + 4] & 1),
    });
    for (let first = 0; first < rolls; first += 2000) {
        const numbers = Array.from({length: 2000}, (_, number) => 7 * (first + number));
        dice.push(...await Promise.all(numbers.map(roll)));
    }
    return dice.map((each) => each.join('')).join(' ');
}"""


def test_thousands_of_rolls_agree(run):
    """Each roll takes another window of a long byte string as its secrets, number and kind."""
    count = 7 * ROLLS // 32 + 8
    row = b"".join(hmac.digest(b"row", n.to_bytes(4, "big"), "sha256") for n in range(count))
    expected = []
    for at in range(0, 7 * ROLLS, 7):
        dice = roll_dice(
            row[at + 48 : at + 80],
            game_id=row[at : at + 16],
            ctx=row[at + 16 : at + 48],
            white=row[at + 80 : at + 112],
            black=row[at + 112 : at + 144],
            n=4 * row[at] + (row[at + 1] & 3),
            kind=1 + (row[at + 2] & 1),
            flags=row[at + 3] & 7,
            count=2 + (row[at + 4] & 1),
        )
        expected.append("".join(map(str, dice)))
    found = run(MANY, {"text": base64.b64encode(row).decode(), "rolls": ROLLS})
    assert found == " ".join(expected)
    assert len(set(expected)) == 36 + 216
