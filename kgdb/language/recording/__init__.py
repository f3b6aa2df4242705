"""Replies kept on disk: a cache in front of any language model, and a model that only replays."""
