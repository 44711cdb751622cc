"""Exact facts about polytopes given by points: membership in a hull, with witnesses."""

from certify.polytopes.membership import in_hull

__all__ = ["in_hull"]
