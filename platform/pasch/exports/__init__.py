"""The export of an account: the data stored about a person, as one ZIP file."""
