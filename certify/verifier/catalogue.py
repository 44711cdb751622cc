"""sha256 of every statement of the catalogue (claim tree and system tree). Written by `make catalogue`."""
from __future__ import annotations

from .load import address
from .sorts import Tree

STATEMENTS: dict[str, str] = {
    "fw25v1/cells-here":
        "a2317e536d47d300b0534fa626d7236b0b87a8998cd8017b36f42277228f8f21",
    "fw25v1/duality-gap":
        "dc4d2018b5b8a3bd5453f6c292eea602bcaec560c2c79aa63b26d38666e6792f",
    "fw25v1/hull-shrinks":
        "03d0d474519c9d298f7fbf217d86d020a63275743940883fc72296c2f932e869",
    "fw25v1/hull-shrinks-general-V":
        "f6381d38574e70a11cf92cfb6bd53fc8bcd54428c7c7c3f7a603aa1faa20219d",
    "fw25v1/lmo":
        "57d9324f55c5f5e523f6ba7fbfc35af20cb5effd1b4d7cf44165dd5bbaa36ac1",
    "fw25v1/lmo-both-signs":
        "4a7291ac633938f4c16487ee7e443d8e57b1b9b69d34cf411f9d73193342543c",
    "fw25v1/own-cell-edges":
        "05794dbced5aa954adf154fe5bf661838e349607d027d73c8fb129bdf4e62961",
    "fw25v1/own-cell-edges-strict":
        "c9de6d80cca870d4c1d2ce4a8040e74f5108e36d3a634f6c4799371cb656da59",
    "fw25v1/own-cell-gaussian":
        "dc38496fc747e6183c5b3c64a18b1853914b00275d553a2243c7e62a668b4dab",
    "fw25v1/single-leader-here":
        "87a3547f46f724ec50477daefeea73e57ef627f6e0825af4f2dc4555ffe2c560",
    "fw25v1/single-leader-proof":
        "f636af00bc90b134740906c583f17aac545e64619b0db0d23d61c937d5e0b269",
    "fw25v1/thm-3.1":
        "8de44e31dd39aa8aef2267443b98d1638049856dc52e0a14178bf7448ded66a5",
    "fw25v1/thm-3.1-linear":
        "9cf9c6a3002fd0419d83e0298fcf9184f0eecc4fc58ef0f78d45860d9c5cddfb",
    "fw25v1/thm-3.1-origin":
        "be5ed7c3255588598e55beb64d142ab4510c947a7e9ecd190a8d63408b8d7375",
    "fw25v1/thm-3.1-same-time":
        "b45407492b42e835a40737e19cc6dcb48d23ca4980617aebe1d3237aeb1b88a3",
    "fw25v1/thm-4.2":
        "50e44a50f04e8cb2d36ab427932baf8724f36b60354a11a0b07632229a6c4213",
    "fw25v1/thm-4.2-limit":
        "b6b54e0bccb136c1fb0422e71b399e0daf9187424768e0ab6f6a8efdd63ea555",
    "fw25v1/thm-4.2-rate":
        "de2e3b11bbd94e0f2860624c8348c52b546a0495405d833e3df46a7283dd5ff0",
    "fw25v1/thm-ode":
        "fda278700e782d7affee34f87ce7576e24438f9b3ce4fa506a32c6a951981663",
    "fw25v1/voronoi":
        "6981d4f096dacf7e621646f09d97667ee07d966bc634e72e3cdb59d76477fb87",
    "fw25v1/voronoi-all-points":
        "bcdca84e82d6b017002a7eb1753a6162b94d20415ebe7275ffa24fe3f2f90143",
    "fw26icml/thm-3.1":
        "550cb1822b4d25cf659e9d87573453d863f966d22117967a364bb32e0a746dc1",
    "fw26icml/thm-4.2-rate":
        "5928fd042b29efcf18ab28f01250bee4f62230e18c6017ea5c49c9d5a984a207",
    "repair/thm-3.1-R1":
        "b7fa013be3a8c7c616ae8d5475361c07932931d860e5bba6b50d4831b5ff000f",
    "repair/thm-3.1-R2":
        "a970e80aba130e753c2cbead1ac3a164cb5cc8221defb3c5d9291539c74c5ed9",
    "repair/thm-3.1-R2b":
        "04ee0e88569ebed19e9424df578568b173362ecdd07f183535797dacb70f5acd",
    "repair/thm-3.1-R3":
        "4bccbd2946e6cbff016254f352373845d3c3c5d4aab02bbf91a5dccc1a8df572",
    "repair/thm-4.2-contraction":
        "82d2bb403caeb9ed7639054c93192c43c92c99c5be9b136aa1f92e93d4ba881b",
}


def status_of(claim: Tree, system: Tree) -> str:
    """Whether a statement is the catalogue's."""
    known = STATEMENTS.get(claim[1])
    if known is None:
        return "is a user's claim"
    return "is the catalogue's" if known == address([claim, system]) else "is not the catalogue's"
