"""The errors of the library: one tree, so that a caller can catch everything with one name.

Undecided is a verdict, not an error: nothing here means "cannot decide".
"""


class CertifyError(Exception):
    """Any error that the library raises on purpose."""


class InputError(CertifyError):
    """The input is wrong; the message is one line: what is wrong, where, what is accepted."""


class UnableError(CertifyError):
    """The input is fine, but it is too large or something it needs is missing."""
