"""Certificates as files: canonical bytes, written whole or not at all."""
from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..verifier.load import canonical


def require_writable(path: Path) -> None:
    """Refuse an output path before any work is done for it."""
    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{path}: cannot be written; give a file in a folder that exists and is writable")


def write(certificate: dict[str, Any], path: Path) -> None:
    """Write the canonical form: first beside the target, then renamed, so that half a certificate never exists."""
    write_bytes(canonical(certificate).encode("ascii"), path)


def write_bytes(data: bytes, path: Path) -> None:
    """Write a file whole or not at all."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'cannot be written'}") from None
