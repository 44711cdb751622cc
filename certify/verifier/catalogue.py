"""sha256 of every statement of the catalogue (claim tree and system tree). Written by `make catalogue`."""
from __future__ import annotations

from .load import address
from .sorts import Tree

STATEMENTS: dict[str, str] = {
    "fw25v1/hull-shrinks":
        "03d0d474519c9d298f7fbf217d86d020a63275743940883fc72296c2f932e869",
    "fw25v1/thm-3.1":
        "8de44e31dd39aa8aef2267443b98d1638049856dc52e0a14178bf7448ded66a5",
    "fw25v1/thm-3.1-linear":
        "9cf9c6a3002fd0419d83e0298fcf9184f0eecc4fc58ef0f78d45860d9c5cddfb",
    "fw25v1/thm-3.1-origin":
        "be5ed7c3255588598e55beb64d142ab4510c947a7e9ecd190a8d63408b8d7375",
    "fw25v1/thm-3.1-same-time":
        "b45407492b42e835a40737e19cc6dcb48d23ca4980617aebe1d3237aeb1b88a3",
    "fw26icml/thm-3.1":
        "550cb1822b4d25cf659e9d87573453d863f966d22117967a364bb32e0a746dc1",
    "repair/thm-3.1-R1":
        "b7fa013be3a8c7c616ae8d5475361c07932931d860e5bba6b50d4831b5ff000f",
}


def status_of(claim: Tree, system: Tree) -> str:
    """Whether a statement is the catalogue's."""
    known = STATEMENTS.get(claim[1])
    if known is None:
        return "is a user's claim"
    return "is the catalogue's" if known == address([claim, system]) else "is not the catalogue's"
