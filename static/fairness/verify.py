#!/usr/bin/env python3
"""Check the dice of a backgammon game or match without the house and without a network.

    python verify.py record.json               check a record ("-" reads it from standard input)
    python verify.py match.json                or a match as JSON or OGXM, which the house signed
    python verify.py record.json --key HEX     and insist that the house signed it with this key
    python verify.py record.json --envelope envelope.json
                                               and open the sealed envelope that you kept
    python verify.py record.json --log log.txt and look for the games in the house's public log

Exit status: 0 the dice are as they had to be, 1 they are not, 2 there is nothing to check.

One file, Python 3.9 or later, nothing but its standard library. It shares no code with the house,
so that a mistake there does not repeat itself here. The protocol (BGD1) in short, with H for
SHA-256, T(x) for the text x and a zero byte, and all numbers with the highest byte first:

    ctx          H(T(BGD1.terms) terms)
    step         H(T(BGD1.chain) game role x)            roles: S house, W white, B black
    commitment   H(T(BGD1.commit) game ctx role s0 seed)
    open hash    H(T(BGD1.open) game ctx mode s0 w b)    mode: 00 K (seeds), 01 L (chains)
    absent       H(T(BGD1.absent) game role n last)      for a player who did not answer
    log          H(T(BGD1.log) number previous open)     number: 8 bytes
    match        H(T(BGD1.match) match)                  the file without "proof", canonical JSON

An OGXM file has this match in its section PSCH, packed by zlib, and there as "ogxm" the SHA-256 of
length and content of the sections MTCH and GAME: the house signs both as one match.

    block j      HMAC-SHA256(key: the house's element, T(BGD1.roll) game ctx n kind flags eW eB j)

Dice: the bytes of the blocks one after the other; from 252 on a byte is skipped; the byte modulo 6,
plus 1.

What it cannot know: whether the record is of the game that you played, so compare the dice, the
terms and the signing key with what you saw; and whether each play was legal, which the rules say.
"""

# ruff: noqa: B905, T201, UP031 (it tells by printing, and does without what Python 3.9 has not)

import argparse
import hashlib
import hmac
import json
import sys
import zlib

ROLLS_MAX = 1024
NOTHING = bytes(32)
OPENING, NORMAL = 1, 2
MODE_K = 4
ABSENT = {"W": 1, "B": 2}
COLOUR = {"W": "White", "B": "Black"}


class Unreadable(Exception):
    """The file is not a record; the text says what is wrong with it."""


# --- reading -------------------------------------------------------------------------------------


def octets(holder, name, size, optional=False):
    """A field of `size` bytes as hexadecimal digits."""
    text = holder.get(name)
    if text is None and optional:
        return None
    if not isinstance(text, str) or len(text) != 2 * size or text.strip("0123456789abcdef"):
        raise Unreadable("%s is not %d hexadecimal digits" % (name, 2 * size))
    return bytes.fromhex(text)


def whole(value, name):
    """A whole number from 0 on."""
    if type(value) is not int or value < 0:
        raise Unreadable("%s is not a whole number from 0 on" % name)
    return value


def wholes(value, name):
    """A list of such numbers."""
    if not isinstance(value, list):
        raise Unreadable("%s is not a list" % name)
    return [whole(item, name) for item in value]


def objects(value, name):
    """A list of JSON objects."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Unreadable("%s is not a list of objects" % name)
    return value


def read_game(source):
    """The record of one game with its values as bytes and numbers."""
    if not isinstance(source, dict):
        raise Unreadable("a record is a JSON object")
    if source.get("mode") not in ("K", "L"):
        raise Unreadable("mode is neither K nor L")
    if not isinstance(source.get("terms"), str):
        raise Unreadable("terms is not text")
    game = {"mode": source["mode"], "terms": source["terms"], "id": octets(source, "game_id", 16)}
    password = source.get("envelope_password")
    game["password"] = password if isinstance(password, str) else None
    for name in ("s0", "w", "b", "open_hash"):
        game[name] = octets(source, name, 32)
    for name, size in (
        ("ctx", 32), ("seed_W", 32), ("seed_B", 32), ("signature", 64), ("public_key", 32),
    ):  # fmt: skip
        game[name] = octets(source, name, size, optional=True)
    game["rolls"] = [read_roll(roll) for roll in objects(source.get("rolls"), "rolls")]
    log, moves = source.get("log"), source.get("moves")
    game["log"] = None if log is None else read_log(log)
    game["moves"] = None if moves is None else [read_play(p) for p in objects(moves, "moves")]
    return game


def read_roll(source):
    """One roll."""
    roll = {name: whole(source.get(name), name) for name in ("n", "kind", "flags")}
    roll.update({name: octets(source, name, 32) for name in ("s", "eW", "eB")})
    roll["dice"] = wholes(source.get("dice"), "dice")
    return roll


def read_log(source):
    """The entry of the public log."""
    if not isinstance(source, dict):
        raise Unreadable("log is not an object")
    entry = {name: octets(source, name, 32) for name in ("previous", "hash")}
    entry["number"] = whole(source.get("number"), "number of log")
    if entry["number"] >= 2**64:
        raise Unreadable("number of log is too large")
    return entry


def read_play(source):
    """A player's part in a roll."""
    play = {name: whole(source.get(name), name) for name in ("n", "seat")}
    play["dice"] = wholes(source.get("dice"), "dice of a play")
    moves = source.get("moves")
    if not isinstance(moves, list):
        raise Unreadable("moves of a play is not a list")
    play["moves"] = [wholes(move, "a move") for move in moves]
    if any(len(move) != 3 for move in play["moves"]):
        raise Unreadable("a move is [from, to, die]")
    return play


# --- the protocol --------------------------------------------------------------------------------


def hashed(name, *parts):
    """SHA-256 under the name of its purpose (H above)."""
    return hashlib.sha256(("BGD1.%s\0" % name).encode() + b"".join(parts)).digest()


def number4(value):
    """A number in four bytes."""
    return value.to_bytes(4, "big")


def walk(game, role, value, count):
    """The element `count` steps further towards the tip."""
    while count > 0:
        value = hashed("chain", game["id"], role.encode(), value)
        count -= 1
    return value


def throw(game, roll, count):
    """The dice that the three elements of a roll give."""
    message = b"BGD1.roll\0" + game["id"] + game["context"] + number4(roll["n"])
    message += bytes([roll["kind"], roll["flags"]]) + roll["eW"] + roll["eB"]
    dice, block = [], 0
    while len(dice) < count:
        for byte in hmac.new(roll["s"], message + number4(block), hashlib.sha256).digest():
            if byte < 252 and len(dice) < count:
                dice.append(byte % 6 + 1)
        block += 1
    return dice


def in_one_way(value):
    """JSON as RFC 8785 writes it: names in the order of their UTF-16 units, no spaces."""
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(in_one_way(item) for item in value) + "]"
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        pairs = (in_one_way(name) + ":" + in_one_way(value[name]) for name in names)
        return "{" + ",".join(pairs) + "}"
    raise ValueError("no such value in terms")


def terms_of(text):
    """The terms as a dictionary, or None if they are not written in the one way."""
    try:
        text.encode()
        terms = json.loads(text)
        in_one_way(terms).encode()
        fine = isinstance(terms, dict) and in_one_way(terms) == text
    except (ValueError, RecursionError):
        return None
    return terms if fine and terms.get("dice", 2) in (2, 3) else None


# --- signatures: Ed25519, RFC 8032; everything here is public, so nobody may time it in vain ------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def recover(data):
    """The affine point in 32 bytes, or None."""
    y = int.from_bytes(data, "little")
    odd, y = y >> 255, y % 2**255
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x + u) % P == 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (v * x * x - u) % P or (x == 0 and odd):
        return None
    return (P - x if x % 2 != odd else x, y)


def plus(one, two):
    """The sum of two points with a denominator: (X, Y, Z) stands for (X/Z, Y/Z)."""
    (x1, y1, z1), (x2, y2, z2) = one, two
    a = z1 * z2 % P
    b, c, d = a * a % P, x1 * x2 % P, y1 * y2 % P
    e = D * c * d % P
    f, g = b - e, b + e
    x = a * f * ((x1 + y1) * (x2 + y2) - c - d) % P
    return (x, a * g * (d + c) % P, f * g % P)


def multiple(scalar, point):
    """`scalar` times a point."""
    total = (0, 1, 1)
    for bit in bin(scalar)[2:]:
        total = plus(total, total)
        if bit == "1":
            total = plus(total, point)
    return total


def signed(key, signature, message):
    """Whether this Ed25519 signature fits."""
    public, bound = recover(key), recover(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if public is None or bound is None or scalar >= ORDER:
        return False
    base = recover((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    other = multiple(int.from_bytes(digest, "little") % ORDER, (*public, 1))
    x1, y1, z1 = multiple(scalar, (*base, 1))
    x2, y2, z2 = plus((*bound, 1), other)
    return (x1 * z2 - x2 * z1) % P == 0 and (y1 * z2 - y2 * z1) % P == 0


# --- the sealed envelope: AES-256 in counter mode under a stretched password. Whether what comes
# --- out is right is told by the house's chain, so the tag at the end of it is not needed.


def times2(byte):
    """Twice a number of the field of AES (FIPS 197, 4.2.1)."""
    return byte << 1 ^ (0x11B if byte & 0x80 else 0)


def aes_box():
    """The substitution box (FIPS 197, 5.1.1), from powers of 3 and of its inverse."""
    box, power, inverse = [0x63] * 256, 1, 1
    for _ in range(255):
        spread = inverse
        for turn in range(1, 5):
            spread ^= (inverse << turn | inverse >> 8 - turn) & 0xFF
        box[power] = spread ^ 0x63
        power ^= times2(power)
        inverse ^= inverse << 1
        inverse ^= inverse << 2
        inverse ^= inverse << 4
        inverse = (inverse ^ (0x09 if inverse & 0x80 else 0)) & 0xFF
    return box


def aes_keys(key, box):
    """The 15 round keys of a key of 32 bytes (FIPS 197, 5.2)."""
    words, constant = [list(key[at : at + 4]) for at in range(0, 32, 4)], 1
    for number in range(8, 60):
        word = list(words[-1])
        if number % 8 == 0:
            word = [box[byte] for byte in word[1:] + word[:1]]
            word[0] ^= constant
            constant = times2(constant)
        elif number % 8 == 4:
            word = [box[byte] for byte in word]
        words.append([one ^ two for one, two in zip(word, words[-8])])
    return [[byte for word in words[at : at + 4] for byte in word] for at in range(0, 60, 4)]


def aes_block(keys, block, box):
    """One block of 16 bytes, enciphered (FIPS 197, 5.1)."""
    state = [one ^ two for one, two in zip(block, keys[0])]
    for number, key in enumerate(keys[1:], start=1):
        state = [box[state[(5 * at) % 16]] for at in range(16)]
        if number < 14:
            mixed = []
            for at in range(0, 16, 4):
                a, b, c, d = state[at : at + 4]
                every = a ^ b ^ c ^ d
                pairs = ((a, b), (b, c), (c, d), (d, a))
                mixed += [one ^ every ^ times2(one ^ two) for one, two in pairs]
            state = mixed
        state = [one ^ two for one, two in zip(state, key)]
    return bytes(state)


def open_envelope(envelope, password):
    """The secret in an envelope."""
    sealed = octets(envelope, "sealed", 48)[:32]
    nonce, salt = octets(envelope, "nonce", 12), octets(envelope, "salt", 16)
    rounds = min(whole(envelope.get("iterations"), "iterations"), 1000000)
    if rounds < 1:
        raise Unreadable("iterations is 0")
    key = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, rounds)
    box = aes_box()
    keys = aes_keys(key, box)
    stream = b"".join(aes_block(keys, nonce + number4(count), box) for count in (2, 3))
    return bytes(one ^ two for one, two in zip(sealed, stream))


def check_envelope(envelope, games):
    """Whether the house's elements of its game come from the secret in the envelope."""
    if not isinstance(envelope, dict):
        raise Unreadable("an envelope is a JSON object")
    wanted = str(envelope.get("game")).replace("-", "")
    for place, game in enumerate(games, start=1):
        if game["id"].hex() != wanted:
            continue
        if game["password"] is None:
            raise Unreadable("the record has no password yet: the envelope's game is not over")
        value, count = open_envelope(envelope, game["password"]), ROLLS_MAX
        for roll in sorted(game["rolls"], key=lambda roll: -roll["n"]):
            value = walk(game, "S", value, count - roll["n"] - 1)
            count = roll["n"] + 1
            if value != roll["s"]:
                count = -1
                break
        if count < 0 or walk(game, "S", value, count) != game["s0"]:
            yield place, "envelope", "the envelope does not hold the house's secret of this game"
        return
    raise Unreadable("the envelope belongs to a game that is not in this record")


# --- checking: every generator yields (name of the reason, sentence) -----------------------------


def check_opening(game, terms, key):
    """The values that were fixed before the first roll."""
    if terms is None:
        yield "terms", "the terms are not written in the one way that their hash needs"
    if game["ctx"] is not None and game["ctx"] != game["context"]:
        yield "ctx", "the hash of the terms is another one"
    mode = b"\x01" if game["mode"] == "L" else b"\x00"
    fixed = (game["id"], game["context"], mode, game["s0"], game["w"], game["b"])
    if hashed("open", *fixed) != game["open_hash"]:
        yield (
            "open_hash",
            "the opening hash is not of these terms and tips: something was exchanged",
        )
    log = game["log"]
    if log is not None:
        entry = hashed("log", log["number"].to_bytes(8, "big"), log["previous"], game["open_hash"])
        if entry != log["hash"]:
            yield "log", "the entry of the public log does not hold this opening"
    if key is not None and game["public_key"] != key:
        yield "public_key", "the record does not name the key that you asked for"
    if key is not None or game["public_key"] is not None or game["signature"] is not None:
        given = game["public_key"] is not None and game["signature"] is not None
        if not given or not signed(game["public_key"], game["signature"], game["open_hash"]):
            yield "signature", "the house's signature does not fit the opening"


def check_rolls(game, terms):
    """Numbers, kinds, elements and dice of all rolls."""
    seen = {"S": (-1, game["s0"]), "W": (-1, game["w"]), "B": (-1, game["b"])}
    expected, before = 0, None
    for roll in game["rolls"]:
        n, where = roll["n"], "roll %d: " % roll["n"]
        if n >= ROLLS_MAX:
            yield "n_limit", where + "no game has more than %d rolls" % ROLLS_MAX
            return
        if n != expected:
            yield "n_order", where + "it stands where roll %d belongs" % expected
        if n < expected:
            continue  # a number that was used already: nothing of it counts
        last_n, last = seen["S"]
        if walk(game, "S", roll["s"], n - last_n) != last:
            yield "chain_S", where + "the house's element does not lead back to its last one"
        seen["S"] = (n, roll["s"])
        if not right_kind(roll, before, terms):
            yield "kind", where + "a roll of this kind has no place here"
        flags = MODE_K if game["mode"] == "K" else 0
        for role in "WB":
            reason, flag = judge_element(game, roll, role, seen)
            flags += flag
            if reason:
                text = "%s's element is not one of theirs, nor what stands for none"
                yield reason, where + text % COLOUR[role]
        if flags != roll["flags"]:
            yield "flags", where + "its flags are %d, not %d" % (roll["flags"], flags)
        yield from check_dice(game, roll, terms)
        expected, before = n + 1, roll


def right_kind(roll, before, terms):
    """Openings stand at the beginning, until the two dice of one are not equal."""
    if before is None:
        start = terms.get("start_rule")
        if start is None:  # the terms of examples do not say how the game begins
            return roll["kind"] in (OPENING, NORMAL)
        rolls_off = start in ("roll_off_use", "roll_off_reroll")
        return roll["kind"] == (OPENING if rolls_off else NORMAL)
    tie = before["kind"] == OPENING and len(set(before["dice"])) == 1
    return roll["kind"] == (OPENING if tie else NORMAL)


def judge_element(game, roll, role, seen):
    """The fault of a player's element (None: none), and their flag as it has to be."""
    n, element, tip = roll["n"], roll["e" + role], game[role.lower()]
    last_n, last = seen[role]
    told_absent = bool(roll["flags"] & ABSENT[role])
    stands_in = hashed("absent", game["id"], role.encode(), number4(n), last)
    if tip == NOTHING:
        own = False
    elif game["mode"] == "L":
        own = walk(game, role, element, n - last_n) == last
    else:
        promised = hashed("commit", game["id"], game["context"], role.encode(), game["s0"], element)
        own = promised == tip and game["seed_" + role] in (None, element)
    if own or (not told_absent and element != stands_in):
        seen[role] = (n, element)
    if own:
        return None, 0
    if element == stands_in:
        return None, ABSENT[role]
    if told_absent:
        return "absent_" + role, ABSENT[role]
    return ("chain_" if game["mode"] == "L" else "commit_") + role, 0


def check_dice(game, roll, terms):
    """Whether the elements give the dice that the record tells."""
    if roll["kind"] not in (OPENING, NORMAL) or roll["flags"] > 7:
        return  # told already
    real = throw(game, roll, 2 if roll["kind"] == OPENING else terms.get("dice", 2))
    if real != roll["dice"]:
        shown = ["-".join(map(str, dice)) for dice in (real, roll["dice"])]
        yield "dice", "roll %d: the elements give %s, the record says %s" % (roll["n"], *shown)


def check_moves(game, terms):
    """Whether each play uses the dice of its roll."""
    rolls = {roll["n"]: roll for roll in game["rolls"]}
    played, last = set(), -1
    for play in game["moves"] or ():
        n, roll = play["n"], rolls.get(play["n"])
        if roll is None or n < last:
            yield "moves", "a play names roll %d, which has no place there" % n
            continue
        for text in wrong_with_play(play, roll, n in played, terms.get("start_rule")):
            yield "moves", "roll %d: %s" % (n, text)
        played.add(n)
        last = n
    for roll in game["rolls"][:-1]:
        if game["moves"] is not None and roll["kind"] == NORMAL and roll["n"] not in played:
            yield "moves", "roll %d has no play, but the game went on" % roll["n"]


def wrong_with_play(play, roll, follows, start):
    """Sentences about one play."""
    dice = play["dice"]
    if play["seat"] > 1:
        yield "a table has two seats"
    if roll["kind"] == OPENING and start == "roll_off_reroll":
        yield "it only says who begins, it is not played"
    elif roll["kind"] == OPENING:
        white, black = (roll["dice"] + [0, 0])[:2]
        if play["seat"] != int(black > white):
            yield "the other player threw more and had to begin"
    if follows and not (len(dice) == 2 and dice[0] == dice[1]):
        yield "what follows a roll without chance is a double"
    if not follows and sorted(dice) != sorted(roll["dice"]):
        yield "the play has other dice than its roll"
    left = dice * 2 if len(dice) == 2 and dice[0] == dice[1] else list(dice)
    for _, _, die in play["moves"]:
        if die not in left:
            yield "the moves use more than the dice"
            return
        left.remove(die)


def check_game(game, key):
    """Every reason not to believe one game."""
    game["context"] = hashed("terms", game["terms"].encode("utf-8", "surrogatepass"))
    terms = terms_of(game["terms"])
    found = list(check_opening(game, terms, key))
    found += check_rolls(game, terms or {})
    found += check_moves(game, terms or {})
    return found


def check_match(games, key):
    """(number of the game, name, sentence) of every reason not to believe a match."""
    for place, game in enumerate(games):
        for name, text in check_game(game, key):
            yield place + 1, name, text
        earlier = games[:place]
        if any(other["id"] == game["id"] for other in earlier):
            yield place + 1, "games", "this is the record of an earlier game"
        number = game["log"]["number"] if game["log"] else None
        logged = [other["log"]["number"] for other in earlier if other["log"]]
        if number is not None and any(other >= number for other in logged):
            yield place + 1, "games", "the openings stand in the log in another order"


def check_log(lines, games):
    """Whether each line of the log follows from the one before it, and the games stand in it."""
    entries, previous, last = {}, NOTHING, 0
    for line in lines:
        words = line.split()
        if len(words) < 3 or not words[0].isdigit() or int(words[0]) >= 2**64:
            raise Unreadable("a line of the log is: number, opening hash, entry hash")
        number, named = int(words[0]), dict(zip(("opening", "entry"), words[1:3]))
        opening, entry = (octets(named, name, 32) for name in ("opening", "entry"))
        if entries or number == 1:  # the line before the first one of a part is not known
            follows = hashed("log", number.to_bytes(8, "big"), previous, opening) == entry
            if not follows or number != last + 1:
                yield 0, "log", "line %d of the log does not follow from the one before" % number
        entries[number] = (opening, entry)
        previous, last = entry, number
    for place, game in enumerate(games, start=1):
        log = game["log"]
        if log is None or entries.get(log["number"]) != (game["open_hash"], log["hash"]):
            yield place, "log", "this game does not stand in this part of the log"


def check_match_file(match, games, key):
    """Whether the house signed a match's file, and its plays are those of the dice in it."""
    proof = match.get("proof")
    if not isinstance(proof, dict):
        raise Unreadable("the match has no proof: a key and a signature")
    named, signature = octets(proof, "public_key", 32), octets(proof, "signature", 64)
    if key is not None and named != key:
        yield 0, "public_key", "the match does not name the key that you asked for"
    rest = {name: match[name] for name in match if name != "proof"}
    if not signed(named, signature, hashed("match", in_one_way(rest).encode())):
        yield 0, "match", "the house's signature does not fit: something in the match was changed"
    if match.get("dice") is None:
        return
    played = [list(plays_of(game)) for game in objects(match.get("games"), "games of the match")]
    for place in range(max(len(played), len(games))):
        told = games[place]["moves"] if place < len(games) else []
        mine = played[place] if place < len(played) else []
        if told is not None and mine != [
            (play["seat"], sorted(play["dice"]), play["moves"]) for play in told
        ]:
            yield place + 1, "plays", "the plays of the match are not those of its dice"


def plays_of(game):
    """The plays of a game of the match: seat, dice, moves."""
    for action in objects(game.get("actions"), "actions of a game"):
        if action.get("type") == "turn" and action.get("moves") is not None:
            yield action.get("seat"), sorted(wholes(action.get("dice"), "dice")), action["moves"]


# --- telling -------------------------------------------------------------------------------------


def missed(game, role):
    """How many rolls a player did not answer."""
    return sum(bool(roll["flags"] & ABSENT[role]) for roll in game["rolls"])


def describe(place, game):
    """The values that a reader can compare with what they saw."""
    shown = ["-".join(map(str, roll["dice"])) for roll in game["rolls"]]
    yield "Game %d: %d rolls" % (place, len(shown))
    yield "  id          %s" % game["id"].hex()
    yield "  terms       %s" % game["terms"]
    yield "  dice        %s" % " ".join(shown)
    if game["public_key"]:
        yield "  signed by   %s" % game["public_key"].hex()
    if game["log"]:
        yield "  log entry   %d, %s" % (game["log"]["number"], game["log"]["hash"].hex())
    yield "  no answer   white %d times, black %d times" % (missed(game, "W"), missed(game, "B"))
    for name, what in (("signature", "a signature"), ("log", "a log entry"), ("moves", "plays")):
        if game[name] is None:
            yield "  NOT CHECKED, because the record has none: %s" % what


def read_bytes(name):
    """Return the content of a file, "-" for standard input."""
    if name == "-":
        return sys.stdin.buffer.read()
    with open(name, "rb") as file:
        return file.read()


def read_file(name):
    """The text in a file, "-" for standard input."""
    return read_bytes(name).decode("utf-8")


def read_match(name):
    """The JSON value of a file, and of an OGXM file the hash of what it holds besides."""
    data = read_bytes(name)
    if data[:4] != b"OGXM":
        return json.loads(data.decode("utf-8")), None
    at, packed, told = 16, None, hashlib.sha256()
    while data[at : at + 4] != b"END!":
        section, size = data[at : at + 4], data[at + 4 : at + 8]
        inside = data[at + 9 : at + 9 + int.from_bytes(size, "little")]
        if len(section) < 4:
            raise Unreadable("the OGXM file is cut off")
        if section in (b"MTCH", b"GAME"):
            told.update(size + inside)
        packed = inside if section == b"PSCH" else packed
        at += 9 + int.from_bytes(size, "little")
    if packed is None:
        raise Unreadable("the house's part is not in this OGXM file")
    try:
        return json.loads(zlib.decompressobj().decompress(packed, 1 << 26)), told.hexdigest()
    except zlib.error as error:
        raise Unreadable("the OGXM file is damaged: %s" % error) from error


def read_source(source):
    """The match of a file, None if it is a record of dice alone, and the records of its games."""
    match = None
    if isinstance(source, dict) and source.get("format") == "pasch-match":
        match, source = source, source.get("dice")
    if match is not None and source is None:
        return match, []
    games = source["games"] if isinstance(source, dict) and "games" in source else [source]
    if not isinstance(games, list) or not games:
        raise Unreadable("games is not a list with records")
    return match, [read_game(game) for game in games]


def main(arguments):
    """Check what the command line names and say so. Returns the exit status."""
    parser = argparse.ArgumentParser(description="Check the dice of a game or match.")
    parser.add_argument("record", help="the file with the record, - for standard input")
    parser.add_argument("--key", help="the house's public key, 64 hexadecimal digits")
    parser.add_argument("--envelope", help="the file with the sealed envelope")
    parser.add_argument("--log", help="the file with the house's public log, or with a part of it")
    wishes = parser.parse_args(arguments)
    try:
        key = octets({"key": wishes.key}, "key", 32, optional=True)
        source, digest = read_match(wishes.record)
        match, games = read_source(source)
        sealed = [] if match is None else list(check_match_file(match, games, key))
        if digest is not None and (match is None or match.get("ogxm") != digest):
            sealed.append((0, "match", "the OGXM file holds another match than the signed one"))
        opened = []
        if wishes.envelope:
            opened = list(check_envelope(json.loads(read_file(wishes.envelope)), games))
        logged = []
        if wishes.log:
            logged = list(check_log(read_file(wishes.log).splitlines(), games))
    except (Unreadable, OSError, ValueError, RecursionError) as error:
        print("This cannot be checked: %s." % error, file=sys.stderr)
        return 2
    for place, game in enumerate(games, start=1):
        print("\n".join(describe(place, game)))
    found = list(check_match(games, key)) + sealed + opened + logged
    if wishes.log and not logged:
        print("Every game stands in the public log, and each of its lines follows from the last.")
    if match is not None and not sealed:
        print("The house signed this match. Its key: %s" % match["proof"]["public_key"])
    if wishes.envelope and not opened:
        print("The sealed envelope holds the house's secret of its game.")
    return conclude(found, games)


def conclude(found, games):
    """Print what was found, and return the exit status."""
    for place, name, text in found:
        where = "game %d, " % place if place else ""
        print("REFUSED [%s] %s%s" % (name, where, text))
    if found:
        print("These dice are NOT the ones that were fixed before the game.")
        return 1
    if not games:
        print("NOT CHECKED, because the match has none: dice of this protocol")
        return 0
    print("Every roll is the one that was fixed before the game; nobody could choose or know it.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
