"""Valkey: its version, memory and persistence."""

from typing import Any, Final

from pasch.doctor.registry import Diagnosis, inside, ok, warning, worst, wrong
from pasch.observability import parts

OLDEST: Final = {"Valkey": 8, "Redis": 7}
FULL_SHARE: Final = 0.9


@inside()
def valkey() -> Diagnosis:
    """Valkey answers, in a version that Pasch supports."""
    return worst(_version(about) for about in parts.valkeys_about("server"))


def _version(about: dict[str, Any]) -> Diagnosis:
    kind = "Valkey" if "valkey_version" in about else "Redis"
    version = str(about.get("valkey_version") or about["redis_version"])
    if int(version.split(".")[0]) < OLDEST[kind]:
        return wrong(f"{kind} {version} is too old", f"use {OLDEST[kind]} or newer")
    return ok(f"{kind} {version} answers")


@inside("valkey")
def valkey_memory() -> Diagnosis:
    """A full Valkey drops no tasks and no limits."""
    return worst(_memory(about) for about in parts.valkeys_about("memory"))


def _memory(about: dict[str, Any]) -> Diagnosis:
    limit, used = int(about["maxmemory"]), int(about["used_memory"])
    policy = str(about["maxmemory_policy"])
    if not limit:
        return ok(f"{used / 1024**2:.0f} MiB in use, without a limit")
    if policy.startswith("allkeys"):
        return wrong(
            f"maxmemory_policy is {policy}: a full Valkey throws away tasks and limits of logins",
            "set maxmemory-policy noeviction or volatile-ttl",
        )
    text = f"{used / 1024**2:.0f} of {limit / 1024**2:.0f} MiB in use ({policy})"
    if used > FULL_SHARE * limit:
        return warning(text, "raise maxmemory; a full Valkey refuses logins and messages")
    return ok(text)


@inside("valkey")
def valkey_persistence() -> Diagnosis:
    """Nothing in Valkey must last; but a failed snapshot stops all writing."""
    return worst(_persistence(about) for about in parts.valkeys_about("persistence"))


def _persistence(about: dict[str, Any]) -> Diagnosis:
    if about.get("rdb_last_bgsave_status", "ok") != "ok":
        return wrong(
            "the last snapshot failed, and Valkey may refuse to write",
            "free its disk, or switch snapshots off: save ''",
        )
    if int(about.get("loading", 0)):
        return warning("Valkey still loads its data", "wait")
    return ok("Valkey writes; nothing in it must last")
