"""The house's side of the dice (docs/dice.md).

`fair` separates the tables from their dice, and makes dice that no party can choose or predict, of
the `parts` of both sides; `keys` hides and signs, `stored` and `records` are what is stored of a
game and what anyone can check, `statistics` counts all dice every night.
"""
