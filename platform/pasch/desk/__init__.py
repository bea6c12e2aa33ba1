"""The administrators' desk: pages that parse, call a service or a selector, and render.

Whatever moves credits, freezes a wallet or decides a match is a service of ledger or games, which
asks for the right, the second factor and the reason itself and keeps the journal. The desk lives
in the site because only the site may see people, books, ratings and matches together.
"""
