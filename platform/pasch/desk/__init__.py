"""The administrators' desk: pages that parse, call a service or a selector, and render.

Services of ledger and games move credits, freeze wallets and decide matches; they check the right,
the second factor and the reason themselves and keep the journal. The desk is part of the site
because only the site may use people, books, ratings and matches together.
"""
