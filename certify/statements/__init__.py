"""Statements: the small typed language in which claims and systems are written."""
