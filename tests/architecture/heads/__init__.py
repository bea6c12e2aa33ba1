"""The example of docs/adding-a-kind-of-table.md: heads, the toss of a coin, as an app."""
