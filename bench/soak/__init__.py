"""The house under fire: real processes, simulated players, a nemesis, and an oracle.

`python -m bench.soak` plays hundreds of games over real WebSockets against a whole house of its
own, while processes are killed, sockets cut and clocks moved, and proves afterwards from the rows
and the players' journals that nothing was lost, paid twice, drawn twice or left undone.
docs/proof.md lists the promises and explains the report.
"""
