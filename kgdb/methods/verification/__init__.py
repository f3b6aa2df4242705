"""Verification of claims: their parts, the evidence on each, and the verdict."""
