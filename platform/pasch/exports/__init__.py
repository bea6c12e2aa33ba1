"""The export of an account: everything that is stored about a person, as one ZIP file."""
