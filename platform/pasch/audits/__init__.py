"""The checks that need the books, the people, the matches and the ratings together."""
