"""certify: theorems about attention dynamics, checked exactly, with certificates that anyone can re-check."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .checking import Result, check
    from .claims import Claim, load, parse
    from .errors import CertifyError, InputError, UnableError
    from .instances import Instance, instance
    from .search.engine import refute
    from .search.outcome import Search
    from .search.sampling import sample
    from .snapping import snap
    from .verification import verify

_HOMES = {
    "check": "checking", "Result": "checking",
    "load": "claims", "parse": "claims", "Claim": "claims",
    "instance": "instances", "Instance": "instances",
    "verify": "verification",
    "snap": "snapping",
    "refute": "search.engine", "sample": "search.sampling", "Search": "search.outcome",
    "CertifyError": "errors", "InputError": "errors", "UnableError": "errors",
}
__all__ = ["CertifyError", "Claim", "InputError", "Instance", "Result", "Search", "UnableError", "check", "instance",
           "load", "parse", "refute", "sample", "snap", "verify"]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used: `import certify` stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'certify' has no attribute {name!r}")
    from importlib import import_module
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
