"""The ground of benches and tests: real houses, clients that play, and people with credits.

It imports the project; nothing of the project imports it, and it imports neither bench nor tests.
"""
