"""The administrators' desk: what its pages share, and the pages of the books.

Pages parse, call a service or a selector, and render. Services move credits, freeze wallets and
decide matches; they check the right, the second factor and the reason themselves and keep the
journal. An app has its pages in its `desk/` and registers them (`ledger.desk.registry`) when it is
ready; `pasch.desk` has the menu, the first page and the pages of the whole house.
"""
