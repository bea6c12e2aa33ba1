"""The pure engine of the chouette: one box against a team, a cube for each of its members.

It knows no clock, no chance and no database: dice and times come in with the commands.
"""
