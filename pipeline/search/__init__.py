"""The retrieval lanes."""
