"""Instances: exact data from JSON, .npz, numpy or keywords, in the one form that certificates carry."""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from .errors import InputError
from .numbers.rationals import matrix, rational, text, vector
from .statements.parse import parse_expression
from .systems import system_names, system_tree
from .verifier import printer
from .verifier.exact import Reject
from .verifier.sorts import Tree
from .verifier.systems import HARDMAX
from .verifier.systems import Instance as CheckedInstance

MAX_FILE = 64 * 1024 * 1024


@dataclass(frozen=True)
class Instance:
    """Exact data of one instance. `fields` is the canonical form: exact numbers as strings, expressions as trees."""

    fields: Mapping[str, Any]
    name: str = ""

    @property
    def system(self) -> str:
        return str(self.fields["system"])

    def with_fields(self, **changes: Any) -> Instance:
        """The same data with some keys read anew."""
        kept = {key: value for key, value in self.as_file().items() if not (key == "P" and "V" in changes)}
        return read_instance({**kept, **changes}, self.name)

    def as_file(self) -> dict[str, Any]:
        """The JSON object of an instance file."""
        return {key: _file_form(value) for key, value in self.fields.items()}

    def _repr_html_(self) -> str:
        from html import escape
        rows = "".join(f"<tr><th>{escape(key)}</th><td><code>{escape(json.dumps(value))}</code></td></tr>"
                       for key, value in self.as_file().items())
        return f"<table>{rows}</table>"


def instance(system: str, **data: Any) -> Instance:
    """An instance from Python values.

    Examples
    --------
    >>> instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)").as_file()["g"]
    '2/(t + 2)'
    """
    return read_instance({"system": system, **data})


def load_instance(source: str | Path, text_of_stdin: str | None = None,
                  changes: Mapping[str, Any] | None = None) -> Instance:
    """An instance from a file (.json or .npz), or from the text of standard input; `changes` replace keys first."""
    if text_of_stdin is not None:
        return read_instance(_changed(_json(text_of_stdin, "standard input"), changes), "standard input")
    path = Path(source)
    try:
        if path.stat().st_size > MAX_FILE:
            raise InputError(f"{path}: larger than {MAX_FILE} bytes")
        if path.suffix == ".npz":
            return read_instance(_changed(_npz(path), changes), path.stem)
        content = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'cannot be read'}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; expected a JSON instance") from None
    return read_instance(_changed(_json(content, str(path)), changes), path.stem)


def _changed(data: Any, changes: Mapping[str, Any] | None) -> Any:
    if isinstance(data, Mapping) and data.get("format") == "certify/1":
        raise InputError("this is a certificate; its data are under its key 'instance'")
    return {**data, **changes} if changes and isinstance(data, Mapping) else data


def _npz(path: Path) -> dict[str, Any]:
    import numpy as np
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {key: value.item() if value.ndim == 0 else value for key, value in archive.items()}
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or 'not a readable .npz archive'}") from None
    except Exception as error:  # numpy and zipfile have many ways to say that a file is damaged
        raise InputError(f"{path}: not a readable .npz archive ({error})") from None


def _json(content: str, where: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) != len(pairs):
            raise InputError(f"{where}: a key occurs twice")
        return dict(pairs)

    try:
        return json.loads(content, parse_float=Decimal, parse_int=_integer, object_pairs_hook=unique)
    except RecursionError:
        raise InputError(f"{where}: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from None


def _integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < 4000 else Decimal(digits)


def read_instance(data: object, name: str = "") -> Instance:
    """Check and normalise the fields of an instance."""
    if not isinstance(data, Mapping):
        raise InputError('an instance is a JSON object such as {"system": "hardmax", "x": [["3"], ["-1"]], ...}')
    system = data.get("system")
    if not isinstance(system, str):
        raise InputError(f"key 'system' is missing; known systems: {', '.join(system_names())}, none")
    if system == "hardmax" and ("P" in data or "V" in data) and "g" not in data:
        system = "hardmax-matrix"
    tree = system_tree(system) if system != "none" else None
    if "P" in data and "V" in data:
        raise InputError("keys 'P' and 'V' exclude each other: P is (I + V)^-1 V")
    fields: dict[str, Any] = {"system": system}
    if tree is not None:
        if "x" not in data:
            raise InputError("key 'x' is missing: a list of tokens, each a list of coordinates")
        fields["x"], dimension = _start(data["x"])
        for symbol, sort, kind in tree[2]:
            fields[symbol] = _datum(data, symbol, sort, kind, dimension)
    known = {*fields, "V"} if system == "hardmax-matrix" else set(fields)
    for key, value in data.items():
        if key not in known:
            fields[str(key)] = _given(value, str(key))
    return Instance(fields, name)


def _start(value: object) -> tuple[Any, int]:
    """Where the tokens begin, and the dimension: points, a box (a coordinate ["lo", "hi"]), or random starts."""
    if isinstance(value, Mapping):
        return _random_start(value)
    if not isinstance(value, list | tuple) or not any(isinstance(entry, list | tuple) for row in value
                                                      if isinstance(row, list | tuple) for entry in row):
        points = matrix(value, "x")
        return _rows(points), len(points[0])
    rows: list[list[Any]] = []
    for i, row in enumerate(value):
        if not isinstance(row, list | tuple) or not row or len(row) != len(value[0]):
            raise InputError(f"x[{i}]: accepted: a row of coordinates, as long as the first")
        rows.append([])
        for k, entry in enumerate(row):
            if not isinstance(entry, list | tuple):
                rows[-1].append(text(rational(entry, f"x[{i}][{k}]")))
                continue
            ends = vector(entry, f"x[{i}][{k}]")
            if len(ends) != 2 or ends[0] > ends[1]:
                raise InputError(f'x[{i}][{k}]: accepted: an interval ["lo", "hi"] with lo <= hi')
            rows[-1].append([text(end) for end in ends] if ends[0] < ends[1] else text(ends[0]))
    return rows, len(rows[0])


def _random_start(value: Mapping[str, Any]) -> tuple[Any, int]:
    accepted = 'accepted: {"gaussian": {"tokens": 5, "dimension": 20, "samples": 100, "seed": "1"}}'
    inner = value.get("gaussian") if set(value) == {"gaussian"} else None
    if not isinstance(inner, Mapping) or set(inner) != {"tokens", "dimension", "samples", "seed"}:
        raise InputError(f"x: not a list of tokens and not random starts; {accepted}")
    sizes = {key: inner[key] for key in ("tokens", "dimension", "samples")}
    if any(type(size) is not int or size < 1 for size in sizes.values()):
        raise InputError(f"x: tokens, dimension and samples are natural numbers; {accepted}")
    return {"gaussian": {**sizes, "seed": str(inner["seed"])}}, sizes["dimension"]


def _datum(data: Mapping[str, Any], symbol: str, sort: str, kind: str, dimension: int) -> Any:
    if symbol == "P" and "P" not in data and "V" in data:
        return _rows(_step_matrix(_square(data["V"], "V", dimension)))
    if symbol not in data:
        accepted = {"B": "a square matrix", "g": "a step size such as 1/2 or 2/(t+2)"}.get(symbol, "a " + sort)
        raise InputError(f"key {symbol!r} is missing: {accepted}")
    value = data[symbol]
    if sort == "scalar":
        return _scalar_in_time(value, symbol)
    if isinstance(value, Mapping):
        if kind == "fixed":
            raise InputError(f"{symbol} may not depend on time; accepted: a square matrix")
        return _matrix_in_time(value, symbol, dimension)
    return _rows(_square(value, symbol, dimension))


def _step_matrix(values: list[list[Any]]) -> list[list[Any]]:
    """P = (I + V)^-1 V."""
    from flint import fmpq_mat
    size = len(values)
    shifted = fmpq_mat([[entry + (1 if i == j else 0) for j, entry in enumerate(row)] for i, row in enumerate(values)])
    try:
        solved = shifted.solve(fmpq_mat(values))
    except ZeroDivisionError:
        raise InputError("V: I + V is not invertible") from None
    return [[solved[i, j] for j in range(size)] for i in range(size)]


def _rows(values: list[list[Any]]) -> list[list[str]]:
    return [[text(entry) for entry in row] for row in values]


def _square(value: object, where: str, dimension: int) -> list[list[Any]]:
    rows = matrix(value, where)
    if len(rows) != dimension or len(rows[0]) != dimension:
        raise InputError(f"{where}: {len(rows)} by {len(rows[0])}, but the tokens have dimension {dimension}; "
                         f"accepted: a {dimension} by {dimension} matrix")
    return rows


def _expression(value: str, where: str) -> Any:
    """A constant as a number, anything with t as a tree."""
    if "t" not in value:
        try:
            return text(rational(value, where))
        except InputError:
            pass
    tree = parse_expression(value, where)
    if not _mentions_time(tree):
        from .verifier.exact import Rat, Undecided
        from .verifier.schedules import expression
        try:
            return expression(tree, Rat(0)).text()
        except Undecided as reason:
            raise InputError(f"{where}: {reason} in {value!r}") from None
    return tree


def _mentions_time(tree: Tree) -> bool:
    return tree == ["var", "t"] or any(isinstance(part, list) and _mentions_time(part) for part in tree)


def _scalar_in_time(value: object, where: str) -> Any:
    if isinstance(value, str):
        return _expression(value, where)
    if isinstance(value, Mapping):
        if set(value) not in ({"list"}, {"cycle"}):
            raise InputError(f'{where}: accepted: an expression in t, a list, {{"list": [...]}} or {{"cycle": [...]}}')
        kind, entries = next(iter(value.items()))
        return {kind: [text(entry) for entry in vector(entries, where)]}
    if isinstance(value, list | tuple) or bool(getattr(value, "ndim", False)):
        return {"list": [text(entry) for entry in vector(value, where)]}
    return text(rational(value, where))


def _matrix_in_time(value: Mapping[str, Any], where: str, dimension: int) -> Any:
    if set(value) == {"scale", "matrix"}:
        scale = value["scale"]
        if not isinstance(scale, str):
            scale = text(rational(scale, f"{where}.scale"))
        tree = parse_expression(scale, f"{where}.scale")
        return {"scale": tree, "matrix": _rows(_square(value["matrix"], f"{where}.matrix", dimension))}
    if set(value) in ({"list"}, {"cycle"}):
        kind, entries = next(iter(value.items()))
        if not isinstance(entries, list | tuple) or not entries:
            raise InputError(f"{where}.{kind}: expected a list of matrices, not empty")
        return {kind: [_rows(_square(entry, f"{where}.{kind}[{k}]", dimension)) for k, entry in enumerate(entries)]}
    raise InputError(f'{where}: accepted: a matrix, {{"scale": "1/(t+1)", "matrix": M}}, {{"list": [M0, M1, ...]}} '
                     'or {"cycle": [M0, M1, ...]}')


def _given(value: object, key: str) -> Any:
    """A datum that a claim declares: a number, a vector or a matrix."""
    if hasattr(value, "tolist") and not isinstance(value, list):
        value = value.tolist() if getattr(value, "ndim", 0) else value
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):
            return _rows(matrix(value, key))
        return [text(entry) for entry in vector(value, key)]
    return text(rational(value, key))


def _file_form(value: Any) -> Any:
    """Trees back to text."""
    if isinstance(value, list) and value and isinstance(value[0], str) and value[0] in ("neg", "add", "sub", "mul",
            "div", "pow", "var", "num"):
        return printer.term(value)
    if isinstance(value, dict) and "scale" in value:
        return {**value, "scale": printer.term(value["scale"])}
    return value


def checked(found: Instance, claim_tree: Tree, system: Tree) -> CheckedInstance:
    """The instance as the verifier reads it for this claim, with the verifier's objections as input errors."""
    wanted = "none" if system is None else system[1]
    if found.system != wanted:
        raise InputError(f"the instance is for system {found.system!r}, the claim speaks of {wanted!r}")
    declared = {given[0] for given in claim_tree[5]}
    own = {"system"} | ({"x", *(entry[0] for entry in system[2])} if system is not None else set())
    for key in found.fields:
        if key not in own | declared:
            from difflib import get_close_matches
            near = get_close_matches(key, own | declared, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise InputError(f"unknown key {key!r}; {hint}accepted: {', '.join(sorted(own | declared))}")
    for key in sorted(declared - set(found.fields)):
        sort = next(given[1] for given in claim_tree[5] if given[0] == key)
        raise InputError(f"key {key!r} is missing: the claim declares it as a {sort}")
    try:
        data = CheckedInstance(dict(found.fields), system, claim_tree[5])
    except Reject as reason:
        raise InputError(f"instance: {reason}") from None
    if data.random is not None and claim_tree[2] != "statistic":
        raise InputError("x: random starts are for claims of kind statistic; `certify sample` draws instances instead")
    if data.random is None and claim_tree[2] == "statistic":
        raise InputError('x: a claim of kind statistic needs random starts, such as '
                         '{"gaussian": {"tokens": 5, "dimension": 20, "samples": 100, "seed": "1"}}')
    if data.box is not None and system != HARDMAX:
        raise InputError("x: a box of starts is only for the system hardmax")
    return data
