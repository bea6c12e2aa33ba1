"""How fast live tables are, beside what the database can do on the same machine.

`python -m bench.live` opens a house of its own and measures one thing after the other: pgbench with
the same statements, real tables with both players connected, the memory of idle
connections, and where the time goes.
"""
