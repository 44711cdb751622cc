"""The browser's verifier as one classic script: its modules one after the other, each a closure of its exports.

A page opened from a disk may not import modules, and its security policy allows no script from elsewhere; so the
modules are joined here. Only the plain forms of import and export are understood, and anything else is an error.
"""
from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files

from ..errors import UnableError

ENTRY = "verify.js"
IMPORT = re.compile(r'^import\s+(?:\*\s+as\s+(\w+)|\{([^}]*)\})\s+from\s+["\']\./([\w.-]+)["\'];?[ \t]*$', re.M)
EXPORT = re.compile(r"^export\s+(?:async\s+)?(function\*?|class|const)\s+(\w+)", re.M)
EXPORT_LIST = re.compile(r"^export\s+\{([^}]*)\};?[ \t]*$", re.M)


def verifier_script() -> str:
    """One script that defines `certifyVerifier.verifyBytes`."""
    folder = files("certify.report").joinpath("browser")
    try:
        texts = {entry.name: entry.read_text("utf-8") for entry in folder.iterdir() if entry.name.endswith(".js")}
    except OSError as error:
        raise UnableError(f"the browser's verifier cannot be read: {error}") from None
    return bundled(texts, ENTRY)


def bundled(texts: dict[str, str], entry: str) -> str:
    """Modules in the order of their imports, as one script that puts the entry's exports into `certifyVerifier`."""
    order: list[str] = []
    _visit(entry, texts, order, [])
    parts = ['"use strict";', "const certifyModules = {};"]
    parts += [_closure(name, texts[name]) for name in order]
    parts.append(f"globalThis.certifyVerifier = certifyModules[{entry!r}];")
    script = "\n".join(parts) + "\n"
    if "</script" in script.lower() or "<!--" in script:
        raise UnableError("the browser's verifier contains text that would end its script")
    return script


def _visit(name: str, texts: dict[str, str], order: list[str], path: list[str]) -> None:
    if name in order:
        return
    if name in path:
        raise UnableError(f"the browser's modules import each other in a circle: {' -> '.join([*path, name])}")
    if name not in texts:
        raise UnableError(f"the browser's verifier has no module {name}")
    for match in IMPORT.finditer(texts[name]):
        _visit(match[3], texts, order, [*path, name])
    order.append(name)


def _closure(name: str, text: str) -> str:
    exported = [(match[2], match[2]) for match in EXPORT.finditer(text)]
    for match in EXPORT_LIST.finditer(text):
        exported += [(own, public or own) for own, public in map(_renamed, filter(str.strip, match[1].split(",")))]

    def required(match: re.Match[str]) -> str:
        source = f"certifyModules[{match[3]!r}]"
        if match[1]:
            return f"const {match[1]} = {source};"
        names = [_renamed(part) for part in match[2].split(",") if part.strip()]
        return f"const {{ {', '.join(f'{a}: {b}' if b else a for a, b in names)} }} = {source};"

    body = EXPORT_LIST.sub("", IMPORT.sub(required, text))
    body = re.sub(r"^export\s+(?=(?:async\s+)?(?:function|class|const)\b)", "", body, flags=re.M)
    left = re.search(r"^\s*(?:import|export)\b.*$", body, re.M)
    if left:
        raise UnableError(f"{name}: a form of import or export that the report cannot join: {left[0].strip()[:80]}")
    returned = ", ".join(f"{public}: {own}" for own, public in exported)
    return f"certifyModules[{name!r}] = (() => {{\n{body}\nreturn {{ {returned} }};\n}})();"


def _renamed(part: str) -> tuple[str, str]:
    own, _, new = part.strip().partition(" as ")
    return own.strip(), new.strip()


def fingerprint(script: str) -> str:
    """The sha256 by which a reader can compare the script in a page with the one in the repository."""
    return sha256(script.encode("utf-8")).hexdigest()
