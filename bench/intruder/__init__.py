"""Dishonest people of every kind against a running house, and what they got for it.

`python -m bench.intruder` opens a whole house on this machine. For each role (administrator,
moderator, treasurer, player, bot, outsider) it furnishes matches, payouts, adjustments and vouchers
anew, then tries every action of the desk, of the pages, of Django's administration and of the REST
interface as that person, and a few longer stories. Afterwards the books, the identities of
everybody else and the journal are compared with what they were: see `oracle`.
"""
