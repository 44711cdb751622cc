"""The audit's certificates, made once for all slow tests of the report."""
from __future__ import annotations

from pathlib import Path

import pytest

from certify.audit import audit


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("audit")
    audit(out=found)
    return found
