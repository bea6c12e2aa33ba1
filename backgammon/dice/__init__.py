"""PURE: dice that anyone can check, by the protocol BGD1 (docs/dice.md): chains, rolls, records.

Secrets are arguments. Nothing here draws random numbers, reads a clock, stores or sends anything.
"""
