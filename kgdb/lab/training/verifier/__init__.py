"""Trains a verifier: from examined claims to a folder that ``--verifier`` takes."""
