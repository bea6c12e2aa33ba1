"""The house's side of the dice (docs/dice.md).

`source` separates the tables from their dice, `fair` makes dice that no party can choose or
predict; `keys` hides and signs, `side` is one side of it, `rolls` and `records` are
what is stored of a game and what anyone can check, `statistics` counts all dice every night.
"""
