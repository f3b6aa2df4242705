"""Trains a verifier: from examined claims to a folder for RefKG's ``verifier``."""
