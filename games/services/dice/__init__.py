"""The house's side of the dice (docs/dice.md).

`source` is the seam to the tables, `fair` the dice that nobody can choose or know; `keys` hides
and signs, `house_chain` walks the house's chain, `rolls` and `records` are what is stored of a
game and what anybody can check, `statistics` counts all of them every night.
"""
