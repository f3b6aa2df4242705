"""Trained experts: models that judge how well evidence answers a query (RefKG, equation 4)."""
