"""The pure engine of tournaments: a journal of events, a state by replay, and what can be played.

It knows no clock, no chance and no database: times and seeds come in with the commands.
"""
