"""Exact facts about polytopes given by points: hulls, vertices, edges, cells, each with a witness that can be checked."""

from certify.polytopes.membership import in_hull

__all__ = ["in_hull"]
