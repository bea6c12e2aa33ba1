"""Whether a crowd without a login can stop those who play: `python -m bench.flood`.

It opens a house of its own with no proxy in front, lets real tables play over sockets, and attacks
it from another process with 50 connections, one kind of attack after the other. Beside each it
prints how long the players' commands took before and during the attack, and which part of the
machine's cores the web servers took then, and everything together. The attackers run at a lower
priority: elsewhere they would take none of these cores. A quarter of the players share an address
with them, as in a club. Everything stays on loopback and ends by itself.
"""
