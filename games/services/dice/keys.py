"""The keys of the dice: what hides chains and draws until they are used, and what signs openings.

Both come from one secret of the house (the setting DICE_KEY) by HKDF-SHA256, each with a label of
its own, so that neither reveals anything about the other.
"""

import base64
import secrets
from functools import cache
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

NONCE_BYTES = 12

#: a sealed envelope's password has 128 bits of its own; stretching it adds little and costs time.
ENVELOPE_ITERATIONS = 10_000


def _derived(label: str, secret: str) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=b"pasch " + label.encode()).derive(secret.encode())


_key = cache(_derived)


def secret_hide(game_id: UUID, secret: bytes) -> bytes:
    """The far end of the house's chain of this game, encrypted (AES-256-GCM, nonce in front)."""
    return _hidden("dice secrets", secret, game_id.bytes)


def secret_show(game_id: UUID, hidden: bytes) -> bytes:
    """The hidden secret. Raises `cryptography.exceptions.InvalidTag` with another key."""
    return _shown("dice secrets", hidden, game_id.bytes)


def seed_hide(game_id: UUID, role: bytes, seed: bytes) -> bytes:
    """The house bot's seed in this game, encrypted as `secret_hide` does, with a key of its own."""
    return _hidden("dice bot seeds", seed, game_id.bytes + role)


def seed_show(game_id: UUID, role: bytes, hidden: bytes) -> bytes:
    """The hidden seed. Raises `cryptography.exceptions.InvalidTag` with another key."""
    return _shown("dice bot seeds", hidden, game_id.bytes + role)


def draw_hide(tournament_id: UUID, secret: str) -> bytes:
    """The house's secret (hex) of a draw, encrypted in the same way, with a key of its own."""
    return _hidden("draw secrets", bytes.fromhex(secret), tournament_id.bytes)


def draw_show(tournament_id: UUID, hidden: bytes) -> str:
    """The hidden secret (hex). Raises `cryptography.exceptions.InvalidTag` with another key."""
    return _shown("draw secrets", hidden, tournament_id.bytes).hex()


def _hidden(label: str, value: bytes, about: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + AESGCM(_key(label, settings.DICE_KEY)).encrypt(nonce, value, about)


def _shown(label: str, hidden: bytes, about: bytes) -> bytes:
    cipher = AESGCM(_key(label, settings.DICE_KEY))
    return cipher.decrypt(hidden[:NONCE_BYTES], hidden[NONCE_BYTES:], about)


def opening_sign(open_hash: bytes) -> bytes:
    """The house's Ed25519 signature over an opening hash (64 bytes)."""
    return _signing_key().sign(open_hash)


def match_sign(match_hash: bytes) -> bytes:
    """The house's signature over the hash of a match's file, which no opening's hash can equal."""
    return _signing_key().sign(match_hash)


def public_key() -> bytes:
    """The key that checks `opening_sign` and `match_sign` (32 bytes)."""
    return _signing_key().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def _signing_key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(_key("dice signatures", settings.DICE_KEY))


def envelope_password(game_id: UUID) -> str:
    """The password of a game's sealed envelope: 26 letters and digits, published at its end."""
    digest = _derived(f"dice envelope {game_id}", settings.DICE_KEY)[:16]
    return base64.b32encode(digest).decode().rstrip("=")


def envelope_seal(game_id: UUID, secret: bytes) -> dict[str, object]:
    """The coming secrets of the house for a game, for a player to keep until its end.

    AES-256-GCM under PBKDF2-HMAC-SHA256 of the password; every value in hexadecimal.
    """
    salt = game_id.bytes
    stretched = PBKDF2HMAC(SHA256(), 32, salt=salt, iterations=ENVELOPE_ITERATIONS)
    nonce = secrets.token_bytes(NONCE_BYTES)
    key = stretched.derive(envelope_password(game_id).encode())
    return {
        "salt": salt.hex(),
        "iterations": ENVELOPE_ITERATIONS,
        "nonce": nonce.hex(),
        "sealed": AESGCM(key).encrypt(nonce, secret, None).hex(),
    }
