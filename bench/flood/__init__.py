"""Whether a crowd without a login can stop those who play: `python -m bench.flood`.

It opens a house of its own with no proxy in front, lets real tables play over sockets, and attacks
it from another process with 50 connections, one kind of attack after the other. Beside each it
prints how long the players' commands took before and during the attack. A quarter of the players
share an address with the attackers, as in a club. Everything stays on loopback and ends by itself.
"""
