"""Command line of the verifier: `python -I -S certify/verifier [--json] CERT...`."""
from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def _package() -> None:
    """Make this folder importable as `verifier`, without putting its parent (or anything else) on the path."""
    here = Path(__file__).resolve().parent
    spec = importlib.util.spec_from_file_location("verifier", here / "__init__.py",
                                                  submodule_search_locations=[str(here)])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["verifier"] = module
    spec.loader.exec_module(module)


if __name__ == "__main__":
    if __package__:
        from .command import main
    else:
        if Path(__file__).is_file():
            _package()
        from verifier.command import main  # type: ignore[no-redef, import-not-found]
    sys.exit(main(sys.argv[1:]))
