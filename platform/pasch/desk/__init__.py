"""The frame of the administrators' desk, and its pages about people and about the house.

The pages of an app are in its `desk/` (`ledger.desk.registry`). Here is what needs more than one
app: the menu, the first page, a player with books, ratings and matches, roles, and settings of the
house, whose changes stand in the journal of the books.
"""
