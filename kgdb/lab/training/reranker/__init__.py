"""The second stage of the choice of chains: a cross-encoder reads question and chain together."""
