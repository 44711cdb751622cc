"""Reading a certificate: canonical JSON and nothing else."""
from __future__ import annotations

import hashlib
import json
import re
from typing import Any, NoReturn

from .exact import Reject

MAX_BYTES, MAX_DEPTH, MAX_INT = 32 * 1024 * 1024, 64, 2**31


def canonical(value: Any) -> str:
    """The one way to write a value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def address(value: Any) -> str:
    """sha256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def identity(certificate: dict[str, Any]) -> str:
    """The id of a certificate: provenance does not count."""
    return address({key: value for key, value in certificate.items() if key != "provenance"})


def _refuse(text: str) -> NoReturn:
    raise Reject(f"not an integer below 2^31: {text[:20]}")


def _integer(text: str) -> int:
    if len(text) > 11 or abs(int(text)) >= MAX_INT:
        _refuse(text)
    return int(text)


def parse(data: bytes) -> Any:
    """The value of canonical JSON bytes; everything else is rejected."""
    if len(data) > MAX_BYTES:
        raise Reject(f"more than {MAX_BYTES} bytes")
    depth = deepest = 0
    for mark in re.findall(rb"[\[\]{}]", re.sub(rb'"(?:[^"\\]|\\.)*"', b"", data)):
        depth += 1 if mark in b"[{" else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise Reject(f"nested more than {MAX_DEPTH} deep")
    try:
        text = data.decode("ascii")
        value = json.loads(text, parse_float=_refuse, parse_constant=_refuse, parse_int=_integer)
    except (ValueError, RecursionError):
        raise Reject("not JSON") from None
    if canonical(value) != text:
        if isinstance(value, dict) and "system" in value and "format" not in value:
            raise Reject("this is an instance, not a certificate; `certify check CLAIM INSTANCE -o CERT` makes one")
        raise Reject("not in canonical form (duplicate keys, white space, order or escapes)")
    return value
