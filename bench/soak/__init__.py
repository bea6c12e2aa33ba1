"""The house under fire: real processes, simulated players, a nemesis, and an oracle.

`python -m bench.soak` plays hundreds of games over real WebSockets against a whole house of its
own, while processes are killed, sockets cut and clocks moved, and proves afterwards from the rows
and from what every player saw that nothing was lost, paid twice, drawn twice or left undone.
docs/proof.md says what is promised and how to read the report.
"""
