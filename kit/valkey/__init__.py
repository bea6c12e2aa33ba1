"""Valkey: the forms of its address, and the clients that find the server of each key."""
