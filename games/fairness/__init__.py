"""PURE: dice that anyone can check, by the protocol BGD1 (docs/dice.md): chains, rolls, records.

Secrets come in as arguments. Nothing here draws chance, knows the time, stores or sends anything.
"""
