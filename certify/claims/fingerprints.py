"""Write the sha256 of every statement of the catalogue into the verifier: `python -m certify.claims.fingerprints`."""
from __future__ import annotations

import re
from pathlib import Path

from ..verifier import catalogue as known
from ..verifier.load import address
from . import catalogue


def fingerprints() -> dict[str, str]:
    """sha256 of [claim tree, system tree] for every claim, by id."""
    return {claim.id: address([claim.tree, claim.system]) for claim in sorted(catalogue(), key=lambda c: c.id)}


def main() -> None:
    path = Path(known.__file__)
    table = "".join(f'    "{name}":\n        "{value}",\n' for name, value in fingerprints().items())
    text = path.read_text("utf-8")
    path.write_text(re.sub(r"STATEMENTS: dict\[str, str\] = \{.*?\n?\}\n",
                           lambda _: "STATEMENTS: dict[str, str] = {\n" + table + "}\n", text, flags=re.S), "utf-8")


if __name__ == "__main__":
    main()
