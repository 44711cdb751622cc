"""Exact facts about polytopes given by points: hulls, vertices, edges, cells, each with a witness to check."""

from certify.polytopes.membership import in_hull

__all__ = ["in_hull"]
