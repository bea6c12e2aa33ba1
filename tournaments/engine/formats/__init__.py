"""The formats of tournaments, a file each. `registry` lists them."""
