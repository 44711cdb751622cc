"""Writes the conformance files: what every verifier must accept or reject, and index.json with the reasons.

    python tests/conformance/generate.py

Accepted files come from the producer (catalogue claims) or are put together below from a claim, an instance and plans;
their verdicts are stated here and compared. Each rejected file breaks one rule and is otherwise in order: texts,
addresses of lemmas, ledger and verdict are made to fit the broken certificate wherever the rule allows it.
"""

from __future__ import annotations

import copy
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import certify
from certify.cli import main
from certify.theories import Finder
from certify.verifier import kernel, load, printer

HERE = Path(__file__).parent
Json = dict[str, Any]
FOREVER = "forever"
accepted: dict[str, Json] = {}
reasons: dict[str, dict[str, str]] = {}


def each(start: int | str, end: int | str) -> Json:
    return {"by": "each", "from": start, "to": end}


def span(start: int | str, end: int | str = FOREVER, period: int = 1) -> Json:
    return {"by": "range", "from": start, "period": period, "to": end}


def trap(start: int, at: int, **more: Any) -> Json:
    return {"T": at, "by": "trap", "from": start, "period": 1, "to": FOREVER, **more}


def quotient(top: str, *bottom: str) -> list[Any]:
    """top/(t + k) for one k, or top/((t + k)(t + l))."""
    parts = [["add", ["var", "t"], ["num", k]] for k in bottom]
    return ["div", ["num", top], parts[0] if len(parts) == 1 else ["mul", parts[0], parts[1]]]


# ---- accepted files


def accept(name: str, certificate: Json, reason: str) -> None:
    data = load.canonical(certificate).encode()
    kernel.verify(load.parse(data))
    accepted[name] = certificate
    (HERE / "accept" / f"{name}.json").write_bytes(data)
    reasons[f"accept/{name}.json"] = {"answer": "accept", "reason": reason}


def catalogue(name: str, claim: str, instance: str, kind: str, reason: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        run = CliRunner().invoke(main, ["check", claim, instance, "-o", str(path), "--horizon", "60"])
        if not path.exists():
            sys.exit(f"{claim} on {instance}: {run.output}")
        certificate = json.loads(path.read_text())
    certificate["provenance"] = {}
    assert certificate["verdict"]["kind"] == kind, (name, certificate["verdict"])
    accept(name, certificate, reason)


def claim_text(assertion: str, system: str = "none", given: str = "", where: str = "", assume: str = "",
               kind: str = "theorem") -> str:  # fmt: skip
    lines = ["claim user/example"]
    lines += [f"  kind    {kind}"] if kind != "theorem" else []
    lines += [f"  system  {system}"]
    lines += [f"  {word:<8}{text}" for word, text in (("given", given), ("where", where), ("assume", assume)) if text]
    return "\n".join([*lines, f"  {'value' if kind == 'value' else 'assert':<8}{assertion}", ""])


def build(text: str, instance: Json, plans: Json, lemmas: Json | None = None) -> Json:
    """A certificate with the ledger and the verdict that follow, lemmas found by the producer unless given."""
    claim = certify.parse(text)
    tree, system = json.loads(json.dumps(claim.tree)), json.loads(json.dumps(claim.system))
    return build_tree(tree, system, instance, plans, lemmas)


def build_tree(tree: Any, system: Any, instance: Json, plans: Json, lemmas: Json | None = None) -> Json:
    finder: Any = Finder() if lemmas is None else kernel.Lemmas(lemmas)
    court = kernel.Court(tree, system, instance, plans, finder)
    ledger, verdict = court.judge()
    found = finder.lemmas() if lemmas is None else lemmas
    return {
        "claim": {"id": tree[1], "system": system, "text": printer.whole(tree, system), "tree": tree},
        "format": "certify/1", "instance": instance, "ledger": ledger, "lemmas": found, "plans": plans,
        "provenance": {}, "theories": sorted({lemma["theory"] for lemma in found.values()} | court.theories),
        "verdict": {**verdict, "evidence": "exact"},
    }  # fmt: skip


def own(name: str, text: str, instance: Json, plans: Json, verdict: Json, reason: str, lemmas: Json | None = None,
        ) -> None:  # fmt: skip
    certificate = build(text, instance, plans, lemmas)
    assert certificate["verdict"] == {**verdict, "evidence": "exact"}, (name, certificate["verdict"])
    accept(name, certificate, reason)


HARDMAX = "hardmax, selection every"


def tokens(points: list[list[str]], matrix: Any, steps: Any, **more: Any) -> Json:
    return {"B": matrix, "g": steps, "system": "hardmax", "x": points, **more}


def accepted_files() -> None:
    paper = "fw25v1"
    for name, claim, instance, kind, reason in (
        ("thm-3.1-refuted", "fw25v1/thm-3.1", "three-one", "refuted", "refuted at t = 575 in a regime with a closed c"),
        ("thm-3.1-late", "fw25v1/thm-3.1", "far-violation", "refuted", "the first failure is later than 2^31"),
        ("thm-3.1-holds", "fw25v1/thm-3.1", "collapse", "holds", "all tokens collapse, so the bound holds for ever"),
        ("thm-3.1-selection", "fw25v1/thm-3.1", "tie-at-zero", "refuted", "refuted along a selection at a tie"),
        ("thm-3.1-trap", "fw25v1/thm-3.1", "decaying", "holds", "a trap bounds all later tokens"),
        ("thm-3.1-irrational", "fw25v1/thm-3.1", "irrational-eigenvalue", "refuted", "lambda_max known by bounds"),
        ("thm-3.1-growing", "fw25v1/thm-3.1", "growing", "vacuous", "H2 fails for a growing matrix"),
        ("thm-3.1-asymmetric", "fw25v1/thm-3.1", "asymmetric", "vacuous", "psd is false of an asymmetric matrix"),
        ("same-time-refuted", "fw25v1/thm-3.1-same-time", "four-one", "refuted", "a quantifier over t >= 1"),
        ("origin-refuted", "fw25v1/thm-3.1-origin", "three-one", "refuted", "tends is false in a regime"),
        ("origin-holds", "fw25v1/thm-3.1-origin", "collapse", "holds", "tends is true in a collapsed regime"),
        ("linear-refuted", "fw25v1/thm-3.1-linear", "rank-drop", "refuted", "geometric is false; data that change"),
        ("energy-refuted", "fw26icml/thm-3.1", "fw25v1/three-one", "refuted", "bigO is false in a regime"),
        ("energy-trap", "fw26icml/thm-3.1", "fw25v1/decaying", "holds", "bigO by the rate of a trap"),
        ("R1-holds", "repair/thm-3.1-R1", "fw25v1/three-one", "holds", "a growing range s <= t decided for ever"),
        ("R1-until-tie", "repair/thm-3.1-R1", "fw25v1/tie-at-zero", "holds", "holds as far as the first tie allows"),
        ("R2-min-over", "repair/thm-3.1-R2", "fw25v1/three-one", "holds", "least value over a shrinking hull"),
        ("R2b-vacuous", "repair/thm-3.1-R2b", "fw25v1/origin-outside", "vacuous", "a point outside a hull"),
        ("R3-vacuous", "repair/thm-3.1-R3", "fw25v1/slowly-decaying", "vacuous", "an equation of matrices fails"),
        ("hull-shrinks-cycle", "fw25v1/hull-shrinks", "cycled-step", "holds", "the hull axiom, data in cycles"),
        ("hull-shrinks-vacuous", "fw25v1/hull-shrinks", "full-step", "vacuous", "a full step breaks H1"),
        ("general-V", "fw25v1/hull-shrinks-general-V", "hull-remark", "refuted", "a system interpreted from its text"),
        ("lmo", "fw25v1/lmo", "tie-at-zero", "holds", "support of a hull against an argmax, up to a tie"),
        ("own-cell", "fw25v1/own-cell-edges", "flat-vertex", "holds", "vertices, edges and cells"),
        ("own-cell-strict", "fw25v1/own-cell-edges-strict", "flat-vertex", "holds", "an equivalence over edges"),
        ("single-leader", "fw25v1/single-leader-here", "tie-at-zero", "refuted", "a tie refutes single leaders"),
        ("thm-4.2-holds", "fw25v1/thm-4.2", "circle-3", "holds", "the closed form of Theorem 4.2"),
        ("thm-4.2-vacuous", "fw25v1/thm-4.2", "square-semidefinite", "vacuous", "pd is false of a singular matrix"),
        ("rate-refuted", "fw25v1/thm-4.2-rate", "square-summable", "refuted", "a summable step size never arrives"),
        ("rate-holds", "fw26icml/thm-4.2-rate", f"{paper}/square-bounded", "holds", "geometric with a given bound"),
        ("duality-gap", "fw25v1/duality-gap", "gap-line", "holds", "folds over growing ranges of times"),
        ("voronoi", "fw25v1/voronoi", "flat-vertex", "vacuous", "energies differ, so H2 fails"),
        ("voronoi-cells", "fw25v1/voronoi", "square-only", "holds", "equality of cells by multipliers"),
    ):
        catalogue(name, claim, instance, kind, reason)
    half = "1/2"
    line = [["3"], ["-1"]]
    own("none-given", claim_text("<M*w, w> + mu >= 0", given="w: vector; M: matrix; mu: scalar >= 0",
                                 assume="H1: psd(M)"),
        {"M": [["2", "-1"], ["-1", "2"]], "mu": "1/3", "system": "none", "w": ["-1", "5/7"]}, {"lines": {}},
        {"T": FOREVER, "kind": "holds"}, "a claim without a system, about given data")  # fmt: skip
    own("folds", claim_text("(sum j in {i : norm(x[i, 0]) <= 2}: norm(x[j, 0])^2) <= (max k: <x[k, 0], x[k, 0]>) "
                            "and card(argmin l: <x[l, 0], x[l, 0]>) = 2 and (prod r in 1..3: r) = 6", HARDMAX),
        tokens([["3"], ["1"], ["-1"]], [["1"]], half), {"lines": {}},
        {"T": FOREVER, "kind": "holds"}, "folds and set-builders at a concrete time")  # fmt: skip
    own("exhibited", claim_text("exists t, i, j: i != j and x[i, t] = x[j, t]", HARDMAX, kind="exhibit"),
        tokens([["3"], ["1"]], [["1"]], "1"), {"lines": {"assertion": [each(1, 1)]}},
        {"kind": "exhibited"}, "an exhibit, with a plan that begins where it succeeds")  # fmt: skip
    own("not-here", claim_text("exists t: t*t = 2", kind="exhibit"), {"system": "none"},
        {"lines": {"assertion": [each(0, 1), span(2)]}},
        {"kind": "not here"}, "an exhibit that is absent for ever")  # fmt: skip
    own("value-root", claim_text("diam(hull(P))", given="P: cloud", kind="value"),
        {"P": [["0", "0"], ["1", "2"], ["1", "1"]], "system": "none"}, {"lines": {}},
        {"kind": "value", "value": {"sqrt": "5"}}, "an irrational value by its square")  # fmt: skip
    own("value-nearest", claim_text("nearest(w, I, hull(P))", given="w: vector; P: cloud", kind="value"),
        {"P": [["0", "0"], ["2", "0"], ["0", "2"]], "system": "none", "w": ["3", "2"]}, {"lines": {}},
        {"kind": "value", "value": ["3/2", "1/2"]}, "the nearest point of a hull")  # fmt: skip
    own("average-points", claim_text("forall t, i: x[i, t] = x[i, 0]", "hardmax, selection average-points"),
        tokens([["1"], ["-1"], ["0"], ["1"]], [["1"]], half),
        {"lines": {"assertion": [span(0)]}, "regime": {"T": 0, "targets": [[0, 3], [1], [0, 1, 2, 3], [0, 3]]}},
        {"T": FOREVER, "kind": "holds"}, "a regime whose leaders tie, averaged over points")  # fmt: skip
    own("average-indices", claim_text("forall t, i: norm(x[i, t])^2 <= 1", "hardmax, selection average-indices"),
        tokens([["1"], ["1"], ["-1"], ["0"]], [["1"]], half), {"lines": {"assertion": [each(0, 4), trap(5, 0)]}},
        {"T": FOREVER, "kind": "holds"}, "ties averaged over indices, then a trap from the start")  # fmt: skip
    own("period-two", claim_text("forall t: (-1)^t*(-1)^(t + 1) < 0 and (-1/2)^t <= 1"), {"system": "none"},
        {"lines": {"assertion": [span(0, FOREVER, 2)]}},
        {"T": FOREVER, "kind": "holds"}, "powers of a negative number, two residue classes")  # fmt: skip
    own("nested", claim_text("forall s in 0..2: exists t >= s: t*t >= 10"), {"system": "none"},
        {"lines": {"assertion/2": [each(4, 4)]}},
        {"T": FOREVER, "kind": "holds"}, "one plan for an inner quantifier, used for every s")  # fmt: skip
    own("rate-of-growth", claim_text("bigO(t: 1/(t + 1), 1/(t + 1)^2)"), {"system": "none"},
        {"lines": {"assertion": [span(0)]}},
        {"first": True, "kind": "refuted"}, "bigO compared by degrees, no time in the verdict")  # fmt: skip
    own("tail", claim_text("forall i: tends(t: x[i, t], w)", HARDMAX, given="w: vector"),
        tokens([["3"], ["1"]], [["1"]], ["div", ["num", "1"], ["pow", ["add", ["var", "t"], ["num", "2"]],
                                                             ["num", "2"]]], w=["3"]),
        {"lines": {"assertion/2": [span(1)]},
         "regime": {"T": 1, "tail": quotient("1", "1"), "targets": [[0], [0]]}},
        {"first": True, "i": 1, "kind": "refuted"}, "a summable step size: c stays above a tail bound")  # fmt: skip
    own("trap-rate", claim_text("forall i: tends(t: x[i, t], 0)", HARDMAX), tokens([["2"], ["1"]], [["-1"]], half),
        {"lines": {"assertion/2": [trap(0, 0, rate=["num", "1"], tangent=["1"])]}},
        {"first": True, "i": 0, "kind": "refuted"}, "a trap keeps every token away from the limit")  # fmt: skip
    own("lists", claim_text("forall t, i: norm(x[i, t])^2 <= 9", HARDMAX),
        tokens(line, {"list": [[["-1"]], [["2"]]]}, {"list": ["1", "1/3", "1/2"]}),
        {"lines": {"assertion": [each(0, 1), span(2)]}, "regime": {"T": 2, "targets": [[0], [1]]}},
        {"T": FOREVER, "kind": "holds"}, "lists of data, the last entry of which repeats")  # fmt: skip
    own("late", claim_text("forall t: t != 3000000000"), {"system": "none"},
        {"lines": {"assertion": [span(0, "2999999999"), each("3000000000", "3000000000")]}},
        {"first": True, "kind": "refuted", "t": "3000000000"}, "times of 2^31 or more are strings")  # fmt: skip
    own("empty", claim_text("forall i in {j : norm(x[j, 0]) < 0}: x[i, 0] = 0", HARDMAX),
        tokens(line, [["1"]], half), {"lines": {}},
        {"kind": "vacuous", "line": "assertion"}, "no token to quantify over")  # fmt: skip
    own("gap", claim_text("forall t: t^2 <= 50"), {"system": "none"},
        {"lines": {"assertion": [each(0, 2), each(9, 12)]}},
        {"first": False, "kind": "refuted", "t": 9}, "after a gap a failure need not be first")  # fmt: skip
    own("tie-not-needed", claim_text("forall t, i: norm(x[i, t])^2 >= 1", HARDMAX),
        tokens([["2"], ["0"], ["-2"]], [["1"]], half),
        {"lines": {"assertion": [each(0, 0)]}},
        {"first": True, "i": 1, "kind": "refuted", "t": 0}, "a token at 0; no selection is needed yet")  # fmt: skip
    own("mixed-selection", claim_text("forall t: forall i: norm(x[i, t + 1]) >= 1", HARDMAX),
        tokens([["2"], ["0"], ["-2"]], [["1"]], half),
        {"lines": {"assertion": [each(0, 0)]}, "selection": [[0, 1, [[0, "3/4"], [2, "1/4"]]]]},
        {"first": True, "kind": "refuted", "t": 0}, "a selection with weights on two leaders")  # fmt: skip
    own("definitions", claim_text("forall t, i: close[t](x[i, t]) and E[i, t] >= 0", HARDMAX,
                                  where="J(u) = <u, u>; close[s](u) = J(u) <= 9 + s; E[k, s] = J(x[k, s])"),
        tokens(line, [["1"]], half),
        {"lines": {"assertion": [span(0)]}, "regime": {"T": 0, "targets": [[0], [1]]}},
        {"T": FOREVER, "kind": "holds"}, "definitions of formulas and terms with indices and arguments")  # fmt: skip
    own("growing-range", claim_text("forall t: forall s <= t: 1/(s + 1) <= 1"), {"system": "none"},
        {"lines": {"assertion": [span(0)]}},
        {"T": FOREVER, "kind": "holds"}, "a range of times that grows with t")  # fmt: skip
    own("kleene", claim_text("forall t: 1/0 = 1 or t >= 0"), {"system": "none"}, {"lines": {"assertion": [span(0)]}},
        {"T": FOREVER, "kind": "holds"}, "an undefined atom beside a true one")  # fmt: skip
    own("roots", claim_text("sqrt(2) + sqrt(3) < 3.15 and sqrt(2)*sqrt(2) = 2 and -sqrt(2) < sqrt(1/2) "
                            "and sqrt(9/4) = 1.5 and 2^0 = 1 and (1/2)^10 < 0.001"), {"system": "none"}, {"lines": {}},
        {"T": FOREVER, "kind": "holds"}, "square roots by their squares and by bounds")  # fmt: skip
    own("factor", claim_text("forall t: psd(1/(t + 1)*M) and lambda_max(t*M) = 3*t and not pd(M - 3*I)",
                             given="M: matrix"),
        {"M": [["2", "1"], ["1", "2"]], "system": "none"}, {"lines": {"assertion": [span(0)]}},
        {"T": FOREVER, "kind": "holds"}, "a matrix that depends on time by a factor only")  # fmt: skip
    own("until", claim_text("forall t: t <= 7", assume="H1: forall t: t != 5"), {"system": "none"},
        {"lines": {"H1": [each(0, 4)], "assertion": [each(0, 7)]}},
        {"T": 4, "kind": "holds"}, "holds only as far as every assumption is known")  # fmt: skip
    own("fails-at", claim_text("0 = 1", assume="H1: forall t: t != 5"), {"system": "none"},
        {"lines": {"H1": [each(0, 5)]}},
        {"kind": "vacuous", "line": "H1"}, "an assumption that fails at a time")  # fmt: skip
    own("interiors", claim_text("0 in interior(hull(P)) and not w in interior(hull(P)) and w in relint(hull(Q)) "
                                "and card(lmo(w, P)) = 1", given="P: cloud; Q: cloud; w: vector"),
        {"P": [["-1", "-1"], ["1", "-1"], ["0", "1"]], "Q": [["-1", "-1"], ["1", "-1"]], "system": "none",
         "w": ["0", "-1"]}, {"lines": {}},
        {"T": FOREVER, "kind": "holds"}, "interior, relative interior and a linear oracle")  # fmt: skip


# ---- rejected files

Edit = Callable[[Json], None]


def reject(name: str, data: bytes | Json, reason: str) -> None:
    content = data if isinstance(data, bytes) else load.canonical(data).encode()
    (HERE / "reject" / f"{name}.json").write_bytes(content)
    reasons[f"reject/{name}.json"] = {"answer": "reject", "reason": reason}


def broken(name: str, base: str, edit: Edit, reason: str, reprint: bool = False) -> None:
    certificate = copy.deepcopy(accepted[base])
    edit(certificate)
    if reprint:
        claim = certificate["claim"]
        claim["text"] = printer.whole(claim["tree"], claim["system"])
    reject(name, certificate, reason)


def put(*path: Any, value: Any) -> Edit:
    """An edit that sets one place."""

    def edit(certificate: Json) -> None:
        place: Any = certificate
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return edit


def drop(*path: Any) -> Edit:
    def edit(certificate: Json) -> None:
        place: Any = certificate
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return edit


def with_lemma(word: str, change: Callable[[Json], None], theory: str = "", answer: Any = None) -> Edit:
    """An edit of the first lemma whose witness has a field and whose theory and answer are as wanted."""

    def edit(certificate: Json) -> None:
        found = [lemma for lemma in certificate["lemmas"].values() if word in lemma["witness"]
                 and lemma["theory"].startswith(theory) and answer in (None, lemma["answer"])]  # fmt: skip
        change(found[0])

    return edit


def claim_with(base: str, formula: Any, name: str, reason: str) -> None:
    """A claim whose assertion does not type."""
    broken(name, base, put("claim", "tree", 8, value=formula), reason, reprint=True)


def rejected_bytes() -> None:
    good = load.canonical(accepted["nested"]).encode()
    noted = load.canonical({**accepted["nested"], "provenance": {"note": "caf\u00e9", "n": 1}}).encode()
    reject("newline-at-end", good + b"\n", "the canonical form has no final newline")
    reject("white-space", good.replace(b'{"claim"', b'{ "claim"', 1), "the canonical form has no white space")
    reject("duplicate-key", good.replace(b'"provenance":{}', b'"provenance":{},"provenance":{}'),
           "a key may not occur twice")  # fmt: skip
    reject("keys-not-sorted", good.replace(b'"from":4,"to":4', b'"to":4,"from":4'), "keys are sorted")
    reject("float", noted.replace(b'"n":1', b'"n":1.0'), "no JSON number is a float")
    reject("exponent", noted.replace(b'"n":1', b'"n":1e2'), "no JSON number is a float")
    reject("not-a-number", noted.replace(b'"n":1', b'"n":NaN'), "NaN is not JSON")
    reject("huge-float", noted.replace(b'"n":1', b'"n":1e999'), "1e999 is a float")
    reject("minus-zero", noted.replace(b'"n":1', b'"n":-0'), "-0 is not canonical")
    reject("integer-too-large", noted.replace(b'"n":1', b'"n":2147483648'), "integers stay below 2^31")
    reject("escape-in-capitals", noted.replace(b"\\u00e9", b"\\u00E9"), "escapes are in lower case")
    reject("raw-utf-8", noted.replace(b"\\u00e9", "\u00e9".encode()), "non-ASCII characters are escaped")
    reject("byte-order-mark", b"\xef\xbb\xbf" + good, "the file begins with {")
    reject("truncated", good[:-1], "the file is not JSON")
    deep = good.replace(b'"provenance":{}', b'"provenance":{"n":' + b"[" * 63 + b"]" * 63 + b"}")
    reject("nested-too-deep", deep, "brackets are nested at most 64 deep")
    reject("not-an-object", b"[]", "a certificate is an object")


def rejected_claims() -> None:
    broken("format-unknown", "nested", put("format", value="certify/2"), "the format is certify/1")
    broken("extra-field", "nested", put("comment", value=""), "the fields are exactly those of section 1")
    broken("provenance-missing", "nested", drop("provenance"), "every field is there")
    broken("provenance-list", "nested", put("provenance", value=[]), "provenance is an object")
    broken("theory-missing", "none-given", put("theories", value=[]), "theories lists what was used")
    broken("theory-not-used", "nested", put("theories", value=["psd/1"]), "theories lists only what was used")
    broken("theories-not-sorted", "thm-3.1-refuted", lambda c: c["theories"].reverse(), "theories is sorted")
    broken("theory-of-the-future", "none-given", put("theories", value=["psd/9"]), "psd/9 is not known")
    broken("claim-id", "nested", put("claim", "id", value="user/other"), "claim.id is the id in the tree")
    broken("claim-extra-field", "nested", put("claim", "note", value=""), "a claim has exactly four fields")
    broken("text-changed", "nested", lambda c: c["claim"].update(text=c["claim"]["text"].replace("10", "9")),
           "the text is the print of the tree")  # fmt: skip
    broken("tree-changed", "gap", put("claim", "tree", 8, 2, 2, value=["num", "49"]),
           "the text is the print of the tree")  # fmt: skip
    number, zero = ["num", "1"], ["num", "0"]
    claim_with("none-given", ["le", ["at", "w"], number], "compares-a-vector", "le takes scalars")
    claim_with("none-given", ["mul", number, number], "assertion-is-a-term", "an assertion is a formula")
    claim_with("none-given", ["exp", number], "unknown-operator", "there is no operator exp")
    claim_with("none-given", ["eq", ["num", "01"], number], "literal-leading-zero", "literals have no leading zero")
    claim_with("none-given", ["eq", ["var", "t"], number], "free-name", "a name must be bound")
    claim_with("none-given", ["forall", [["i"]], ["eq", zero, zero]], "token-without-system", "none has no tokens")
    claim_with("none-given", ["eq", ["pow", ["num", "4"], ["num", "0.5"]], ["num", "2"]], "exponent-not-whole",
               "an exponent is an integer or a time")  # fmt: skip
    claim_with("none-given", ["forall", [["t"], ["s"]], ["eq", zero, zero]], "two-unbounded-times",
               "a quantifier has at most one unbounded time")  # fmt: skip
    claim_with("none-given", ["forall", [["s", "le", number]], ["exists", [["s", "le", number]], ["eq", zero, zero]]],
               "name-bound-twice", "a bound name may not be bound again")  # fmt: skip
    claim_with("none-given", ["forall", [["tokens", "le", number]], ["eq", zero, zero]], "reserved-name",
               "a word of the language is no name")  # fmt: skip
    claim_with("none-given", ["forall", [["v"]], ["eq", zero, zero]], "quantified-vector", "vectors are not quantified")
    claim_with("none-given", ["tends", "t", number, ["var", "t"]], "limit-that-moves", "the limit does not depend on t")
    claim_with("none-given", ["le", ["sum", ["s", "ge", number], number], number], "endless-sum",
               "a fold over times needs an upper end")  # fmt: skip
    claim_with("folds", ["eq", ["pick", ["tokens"]], zero], "pick-in-a-claim", "pick stands in a system's step only")
    claim_with("folds", ["eq", ["at", "x", ["num", "0"], ["num", "0"]], zero], "token-by-number",
               "a token is a bound name, not a number")  # fmt: skip
    formula: Any = ["eq", zero, zero]
    for _ in range(59):
        formula = ["not", formula]
    claim_with("none-given", formula, "tree-too-deep", "trees are at most 60 deep")
    broken("line-called-assertion", "none-given", put("claim", "tree", 7, 0, 0, value="assertion"),
           "no assumption is called assertion", reprint=True)  # fmt: skip
    broken("system-missing", "folds", put("claim", "system", value=None), "the tree says hardmax")
    broken("selection-word", "folds", put("claim", "tree", 4, 1, value="some"), "the selection is one of three", True)
    broken("kind-word", "nested", put("claim", "tree", 2, value="lemma"), "the kind is one of three", reprint=True)


def rejected_instances() -> None:
    base = "lists"
    broken("instance-extra-key", base, put("instance", "note", value="1"), "the keys are exactly those named")
    broken("instance-missing-key", base, drop("instance", "g"), "the keys are exactly those named")
    broken("instance-other-system", base, put("instance", "system", value="none"), "the instance names the system")
    for name, number, why in (
        ("not-lowest-terms", "6/2", "6/2 is not in lowest terms"), ("denominator-one", "3/1", "3/1 is written 3"),
        ("plus-sign", "+3", "no plus sign"), ("leading-zero", "03", "no leading zero"),
        ("minus-nought", "-0", "no minus zero"), ("decimal-number", "3.0", "exact numbers are p or p/q"),
        ("negative-denominator", "3/-1", "the denominator is positive"), ("space", " 3", "no white space"),
        ("arabic-digit", "\u0663", "digits are 0 to 9"), ("json-number", 3, "exact numbers are strings"),
        ("boolean", True, "a boolean is no number"), ("nothing", None, "null is no number"),
    ):  # fmt: skip
        broken(f"number-{name}", base, put("instance", "x", 0, 0, value=number), why)
    broken("ragged", base, put("instance", "x", value=[["3"], ["-1", "0"]]), "tokens have one dimension")
    broken("no-tokens", base, put("instance", "x", value=[]), "there is at least one token")
    broken("matrix-size", base, put("instance", "B", "list", 0, value=[["-1", "0"], ["0", "-1"]]), "B is d by d")
    broken("empty-list", base, put("instance", "g", "list", value=[]), "a list has an entry")
    broken("two-forms", base, put("instance", "g", "cycle", value=["1"]), "a sequence has one form")
    broken("step-too-large", base, put("instance", "g", "list", 1, value="4/3"), "step sizes lie in [0,1]")
    broken("step-negative", base, put("instance", "g", value=["sub", ["num", "0"], quotient("1", "1")]),
           "step sizes lie in [0,1]")  # fmt: skip
    pole = ["div", ["num", "1"], ["sub", ["var", "t"], ["num", "3"]]]
    broken("step-undefined", base, put("instance", "g", value=pole),
           "a sequence is defined for all t")  # fmt: skip
    broken("step-in-s", base, put("instance", "g", value=["div", ["num", "1"], ["var", "s"]]), "expressions are in t")
    broken("step-literal", base, put("instance", "g", value=["div", ["num", "1"], ["num", "02"]]),
           "literals of expressions have no leading zero either")  # fmt: skip
    broken("given-out-of-range", "none-given", put("instance", "mu", value="-1/3"), "a given stays in its range")


def rejected_selections() -> None:
    base, path = "mixed-selection", ("plans", "selection")
    broken("selection-not-used", base, lambda c: c["plans"]["selection"].append([1, 1, [[0, "1"]]]),
           "every entry of a selection is used")  # fmt: skip
    broken("selection-no-tie", base, lambda c: c["plans"]["selection"].insert(0, [0, 0, [[0, "1"]]]),
           "an entry where there is no tie is not used")  # fmt: skip
    broken("selection-not-a-leader", "thm-3.1-selection",
           lambda c: c["plans"]["selection"][0][2].__setitem__(0, [7, "1"]), "weights are on leaders")  # fmt: skip
    broken("selection-sum", base, put(*path, 0, 2, 0, 1, value="1/2"), "weights have sum 1")
    broken("selection-zero-weight", base, put(*path, 0, 2, value=[[0, "3/4"], [1, "0"], [2, "1/4"]]),
           "weights are positive")  # fmt: skip
    broken("selection-order", base, put(*path, 0, 2, value=[[2, "1/4"], [0, "3/4"]]), "leaders are in order")
    broken("selection-boolean", base, put(*path, 0, 0, value=False), "a boolean is no time")
    broken("selection-missing", base, drop(*path), "after an open tie the states are undetermined")
    broken("selection-averaged", "average-indices", put(*path, value=[[0, 3, [[0, "1"]]]]),
           "averaged claims have no selection")  # fmt: skip


def rejected_plans() -> None:
    line, steps = ("plans", "lines"), ("plans", "lines", "assertion")
    broken("plan-not-used", "nested", put(*line, "assertion", value=[span(0)]), "a plan that is not used rejects")
    broken("plan-missing", "period-two", drop(*steps), "without a plan the line is undecided")
    broken("plan-empty", "period-two", put(*steps, value=[]), "a plan has a step")
    broken("plan-gap", "growing-range", put(*steps, value=[span(1)]), "a plan leaves out no time")
    broken("plan-hole", "late", put(*steps, value=[span(0, "2999999998"), each("3000000000", "3000000000")]),
           "a failure after a gap is not first")  # fmt: skip
    broken("plan-overlap", "until", put(*steps, value=[each(0, 5), each(5, 7)]), "steps do not overlap")
    broken("plan-backwards", "until", put(*steps, value=[each(0, 7), each(9, 8)]), "a step ends after it begins")
    broken("plan-goes-on", "gap", put(*steps, value=[each(0, 2), each(9, 12), each(13, 14)]),
           "a step that fails is the last")  # fmt: skip
    broken("plan-undecided", "gap", put(*steps, value=[span(0, 12)]), "a step decides all its times or none")
    broken("plan-extra-key", "until", put(*steps, 0, "period", value=1), "a step has exactly its fields")
    broken("plan-unknown-step", "until", put(*steps, 0, "by", value="luck"), "a step is each, range or trap")
    broken("each-for-ever", "until", put(*steps, 0, "to", value=FOREVER), "single times end")
    broken("period-zero", "period-two", put(*steps, 0, "period", value=0), "a period is at least 1")
    broken("period-odd", "period-two", put(*steps, 0, "period", value=1), "powers of -1 need an even period")
    broken("period-boolean", "growing-range", put(*steps, 0, "period", value=True), "a boolean is no number")
    broken("period-of-cycle", "hull-shrinks-cycle", put(*line, "H1", 0, "period", value=3),
           "the period is a multiple of the cycle's length")  # fmt: skip
    broken("small-time-as-text", "until", put(*steps, 0, "to", value="7"), "times below 2^31 are JSON integers")
    broken("time-with-zero", "late", put(*steps, 1, value=each("03000000000", "03000000000")),
           "no leading zero in times")  # fmt: skip
    broken("negative-time", "until", put(*steps, 0, "from", value=-1), "times are natural numbers")
    broken("range-too-early", "lists", put(*steps, value=[span(0)]), "tokens have no closed form before the regime")
    broken("rate-outside-limits", "average-indices", put(*steps, 1, "rate", value=["num", "1"]), "a rate is for limits")
    broken("limit-in-two-steps", "rate-of-growth", put(*steps, value=[span(0, 5), span(6)]), "a limit has one step")
    broken("limit-that-ends", "rate-of-growth", put(*steps, 0, "to", value=10**6), "a limit's step goes on for ever")
    broken("limit-one-by-one", "rate-of-growth", put(*steps, value=[each(0, 9)]), "a limit's step is a range or a trap")
    text = claim_text("forall t: (t - 5)/(t - 5) = 1")
    shell = build(text, {"system": "none"}, {"lines": {}})
    shell["ledger"] = [{"name": "assertion", "scope": FOREVER, "status": "true"}]
    shell["verdict"] = {"T": FOREVER, "evidence": "exact", "kind": "holds"}
    shell["plans"]["lines"]["assertion"] = [span(0)]
    reject("divisor-vanishes", shell, "a divisor that vanishes at one time")


def rejected_regimes() -> None:
    place = ("plans", "regime")
    broken("regime-target", "thm-3.1-refuted", lambda c: c["plans"]["regime"].update(
        targets=[[1 - k[0]] for k in c["plans"]["regime"]["targets"]]), "targets lead all other tokens")  # fmt: skip
    broken("regime-too-early", "lists", put(*place, "T", value=0), "from T on the matrices are positive multiples")
    broken("regime-no-rest", "lists", put(*place, "targets", value=[[1], [0]]), "leaders rest")
    broken("regime-two-targets", "lists", put(*place, "targets", value=[[0, 1], [1]]), "one target for selection every")
    broken("regime-target-order", "average-points", put(*place, "targets", 0, value=[3, 0]), "targets increase")
    broken("regime-missing-leader", "average-points", put(*place, "targets", 2, value=[0, 1]),
           "every token that ties belongs to the leaders")  # fmt: skip
    broken("regime-token-missing", "lists", put(*place, "targets", value=[[0]]), "one list of targets for each token")
    broken("regime-unknown-field", "lists", put(*place, "note", value=""), "a regime has exactly its fields")
    broken("regime-time-as-text", "lists", put(*place, "T", value="2"), "T is a JSON integer")
    broken("closed-form-start", "tail", put(*place, "c", value=["num", "2"]), "c is 1 at T")
    broken("closed-form-wrong", "tail", put(*place, "c", value=["num", "1"]), "c follows the step sizes")
    broken("closed-form-pole", "definitions", put(*place, "c", value=[
        "div", ["mul", ["pow", ["div", ["num", "1"], ["num", "2"]], ["var", "t"]], ["sub", ["var", "t"], ["num", "4"]]],
        ["sub", ["var", "t"], ["num", "4"]]]), "c has no pole")  # fmt: skip
    broken("tail-too-small", "tail", put(*place, "tail", value=["mul", ["num", "0.5"], quotient("1", "1")]),
           "h(t) - h(t+1) bounds the step size")  # fmt: skip
    broken("tail-too-large", "tail", put(*place, "tail", value=quotient("2", "1")), "1 - h(T) is positive")
    broken("tail-missing", "tail", drop(*place, "tail"), "a positive limit of c needs the tail")
    broken("averaged-full-step", "average-points", put("instance", "g", value="1"), "averaged leaders need g < 1")
    broken("matrix-turns", "definitions", put("instance", "B", value={"cycle": [[["1"]], [["-1"]]]}),
           "the matrices are positive multiples of one")  # fmt: skip
    broken("scale-changes-sign", "definitions", put("instance", "B", value={
        "matrix": [["1"]], "scale": ["sub", ["num", "5"], ["var", "t"]]}), "the scale has one sign")  # fmt: skip
    broken("trap-too-late", "average-indices", put("plans", "lines", "assertion", 1, "T", value=6),
           "symbolic times are from T on")  # fmt: skip
    broken("trap-negative", "average-indices", put("plans", "lines", "assertion", 1, "T", value=-1), "T is a time")
    broken("trap-no-tangent", "trap-rate", drop("plans", "lines", "assertion/2", 0, "tangent"),
           "a convex bound needs a tangent")  # fmt: skip
    broken("trap-weak-tangent", "trap-rate", put("plans", "lines", "assertion/2", 0, "tangent", value=["3"]),
           "the tangent's bound must suffice at every vertex")  # fmt: skip


    def without_lemmas(edit: Edit) -> Edit:
        return lambda c: (edit(c), c["lemmas"].clear(), c.update(theories=["trap/1"]))[0]

    rate = ("plans", "lines", "assertion/2", 0, "rate")
    broken("trap-no-rate", "trap-rate", without_lemmas(drop(*rate)), "a limit in a trap needs a rate")
    broken("trap-small-rate", "trap-rate", without_lemmas(put(*rate, value=quotient("1", "1"))),
           "a rate that tends to 0 keeps nothing away")  # fmt: skip
    broken("trap-other-system", "general-V", put("plans", "lines", "assertion", value=[trap(0, 0)]),
           "the trap is for hardmax")  # fmt: skip


def rejected_lemmas() -> None:
    broken("lemma-missing", "none-given", lambda c: c["lemmas"].clear(), "a lemma that is asked for is there")
    broken("lemma-not-used", "nested", lambda c: c["lemmas"].update(accepted["none-given"]["lemmas"]),
           "a lemma that is there is asked for")  # fmt: skip
    broken("lemma-of-other-data", "none-given", put("instance", "M", 0, 0, value="3"), "a lemma is about the same data")
    broken("lemma-extra-field", "none-given", with_lemma("factor", lambda m: m.update(note="")), "exactly three fields")
    broken("lemma-other-theory", "none-given", with_lemma("factor", lambda m: m.update(theory="hull/1")),
           "psd is answered by psd/1")  # fmt: skip
    broken("lemma-flipped", "none-given", with_lemma("factor", lambda m: m.update(answer=False)),
           "a factor does not show that psd is false")  # fmt: skip
    broken("lemma-answer-one", "none-given", with_lemma("factor", lambda m: m.update(answer=1)), "1 is not true")
    broken("psd-negative-weight", "none-given", with_lemma("factor", lambda m: m["witness"].update(
        factor=[["1", "1"], ["0", "0"]], weights=["3", "-1"])), "weights are not negative")  # fmt: skip
    broken("psd-not-dominant", "none-given", with_lemma("factor", lambda m: m["witness"].update(
        factor=[["1"], ["1"]], weights=["1"])), "the rest is diagonally dominant")  # fmt: skip
    broken("psd-wide-factor", "none-given", with_lemma("factor", lambda m: m["witness"].update(
        factor=[["1", "0"], ["-1"]], weights=["1"])), "no row is longer than the weights")  # fmt: skip
    broken("psd-weights-text", "none-given", with_lemma("factor", lambda m: m["witness"].update(
        factor=["0", "0"], weights="1")), "a factor is a list of rows, and weights are a list")  # fmt: skip
    broken("psd-zero-vector", "thm-3.1-growing", with_lemma("vector", lambda m: m["witness"].update(
        vector=["0"] * len(m["witness"]["vector"])), "psd", False), "the vector shows a negative value")  # fmt: skip
    broken("psd-symmetric-pair", "thm-3.1-asymmetric", with_lemma("asymmetric", lambda m: m["witness"].update(
        asymmetric=[0, 0])), "the pair shows different entries")  # fmt: skip
    broken("eigenvalue-too-low", "thm-3.1-refuted", with_lemma("upper", lambda m: m.update(answer=["0", "1/2"])),
           "hi I - M is positive semidefinite")  # fmt: skip
    broken("eigenvalue-too-high", "thm-3.1-refuted", with_lemma("upper", lambda m: m.update(answer=["2", "2"])),
           "the vector shows the lower bound")  # fmt: skip
    broken("eigenvalue-zero-vector", "thm-3.1-refuted",
           with_lemma("upper", lambda m: m["witness"].update(vector=["0"])), "the vector is not 0")  # fmt: skip
    broken("hull-weights-sum", "thm-3.1-refuted", with_lemma("weights", lambda m: m["witness"].update(
        weights=[[0, "1/4"], [1, "1/2"]]), "hull"), "weights have sum 1")  # fmt: skip
    broken("hull-weights-point", "thm-3.1-refuted", with_lemma("weights", lambda m: m["witness"].update(
        weights=[[0, "1/2"], [1, "1/2"]]), "hull"), "weights give the point")  # fmt: skip
    broken("hull-weights-order", "thm-3.1-refuted", with_lemma("weights", lambda m: m["witness"]["weights"].reverse(),
           "hull"), "indices increase")  # fmt: skip
    broken("hull-normal", "R2b-vacuous", with_lemma("normal", lambda m: m["witness"].update(
        normal=["0"] * len(m["witness"]["normal"]))), "the normal separates strictly")  # fmt: skip
    broken("vertices-too-few", "own-cell", with_lemma("reasons", lambda m: m["answer"].pop()),
           "every point with a direction is a vertex")  # fmt: skip
    broken("vertices-direction", "own-cell", with_lemma("reasons", lambda m: m["witness"]["reasons"].reverse()),
           "a vertex is alone at the top of its direction")  # fmt: skip
    broken("interior-weights", "interiors", with_lemma("weights", lambda m: m["witness"].update(
        weights=[[0, "1/3"], [1, "1/3"], [2, "1/3"]]), "hull"), "the weights give the point")  # fmt: skip
    broken("interior-zero-normal", "interiors", with_lemma("normal", lambda m: m["witness"].update(
        normal=["0", "0"]), "hull", False), "the normal is not 0")  # fmt: skip
    broken("cell-multiplier", "voronoi-cells", with_lemma("multipliers", lambda m: m["witness"]["multipliers"][0]
           .__setitem__(0, "-1")), "multipliers are not negative")  # fmt: skip
    broken("least-not-least", "R2-min-over", with_lemma("convex", lambda m: m.update(
        answer="1/2", witness={**m["witness"], "weights": [[0, "1"]]}), "program", "0"),
        "the gradient shows no lower point")  # fmt: skip
    broken("nearest-not-given", "value-nearest", with_lemma("convex", lambda m: m.update(answer=["1", "1"])),
           "the answer is the point that the weights give")  # fmt: skip


def rejected_verdicts() -> None:
    verdict, ledger = ("verdict",), ("ledger", -1)

    def later(certificate: Json) -> None:
        certificate["verdict"]["t"] += 1
        certificate["ledger"][-1]["t"] += 1

    def until_eight(certificate: Json) -> None:
        certificate["verdict"]["T"] = 8
        certificate["ledger"][0]["scope"] = certificate["ledger"][1]["scope"] = 8

    broken("verdict-later", "thm-3.1-refuted", later, "the plan fails at 575")
    broken("verdict-other-time", "thm-3.1-refuted", put(*verdict, "t", value=574), "ledger and verdict fail together")
    broken("verdict-other-token", "thm-3.1-refuted", put(*verdict, "i", value=1), "token 0 fails first")
    broken("verdict-not-first", "thm-3.1-refuted", put(*verdict, "first", value=False), "first is what the plan shows")
    broken("verdict-first", "gap", put(*verdict, "first", value=True), "after a gap a failure is not first")
    broken("verdict-evidence", "gap", drop(*verdict, "evidence"), "the evidence is exact")
    broken("verdict-statistical", "gap", put(*verdict, "evidence", value="statistical"), "the evidence is exact")
    broken("verdict-too-far", "until", until_eight, "the plans end before")
    broken("verdict-for-ever", "until", put(*verdict, "T", value=FOREVER), "T is the least scope")
    broken("verdict-other-line", "thm-3.1-growing", put(*verdict, "line", value="H1"), "H2 is the first false line")
    holds = {"T": FOREVER, "evidence": "exact", "kind": "holds"}
    broken("verdict-holds", "thm-3.1-growing", put("verdict", value=holds), "an assumption is false")  # fmt: skip
    unknown = build(claim_text("forall t: t >= 0"), {"system": "none"}, {"lines": {}})
    reject("verdict-undecided", unknown, "undecided is no verdict")
    broken("ledger-short", "until", lambda c: c["ledger"].pop(0), "the ledger has one line for each assumption")
    broken("ledger-status", "until", put("ledger", 0, "status", value=True), "a status is a word")
    broken("ledger-scope", "until", put("ledger", 0, "scope", value=5), "the scope is the last time of the plan")
    broken("ledger-extra", "gap", put(*ledger, "i", value=0), "a line has exactly its fields")
    broken("ledger-order", "duality-gap", lambda c: c["ledger"].reverse(), "assumptions come in order")
    broken("refuted-too-soon", "gap", lambda c: (c["claim"]["tree"][7].append(["H1", ["forall", [["t"]], [
        "ge", ["var", "t"], ["num", "0"]]]]), c["plans"]["lines"].update(H1=[each(0, 9)]), c["ledger"].insert(
        0, {"name": "H1", "scope": 9, "status": "true"})), "refuting needs assumptions for ever", True)  # fmt: skip
    text = claim_text("forall t: forall s in 2..t: 1 = 0")
    plain = build(text, {"system": "none"}, {"lines": {"assertion": [each(0, 1)]}})
    plain["verdict"] = {"evidence": "exact", "kind": "vacuous", "line": "assertion"}
    reject("vacuous-for-a-while", plain, "an assertion is vacuous only if it says nothing at any time")
    text = claim_text("forall t: t <= 5", kind="exhibit")
    shown = build(text, {"system": "none"}, {"lines": {"assertion": [each(0, 5)]}})
    shown["verdict"] = {"evidence": "exact", "kind": "exhibited"}
    reject("exhibited-for-a-while", shown, "an exhibit needs all scopes for ever")
    text = claim_text("forall t: forall i: norm(x[i, t + 1]) <= 2", HARDMAX)
    chosen = build(text, accepted["mixed-selection"]["instance"],
                   {"lines": {"assertion": [each(0, 0)]}, "selection": [[0, 1, [[0, "1"]]]]})  # fmt: skip
    chosen["verdict"] = {"T": 0, "evidence": "exact", "kind": "holds"}
    reject("holds-along-a-selection", chosen, "one selection shows nothing about every selection")
    broken("value-of-bounds", "value-root", put(*verdict, "value", value="2236/1000"), "a root is given by its square")


def true_for_ever(text: str, instance: Json, plans: Json, lemmas: Json, theories: list[str]) -> Json:
    """A certificate that says `holds for ever`, put together without asking whether it does."""
    claim = certify.parse(text)
    tree, system = json.loads(json.dumps(claim.tree)), json.loads(json.dumps(claim.system))
    return {
        "claim": {"id": tree[1], "system": system, "text": printer.whole(tree, system), "tree": tree},
        "format": "certify/1", "instance": instance, "lemmas": lemmas, "plans": plans, "provenance": {},
        "ledger": [{"name": "assertion", "scope": FOREVER, "status": "true"}], "theories": theories,
        "verdict": {"T": FOREVER, "evidence": "exact", "kind": "holds"},
    }  # fmt: skip


def rejected_falsehoods() -> None:
    """Statements that are false or undefined, with plans that a careless verifier follows."""
    line = tokens([["3"], ["-1"]], [["1"]], "1/2")
    wide = {load.address(["lambda_max", [[["0"]]]]): {"answer": ["0", "1"], "theory": "psd/1", "witness": {
        "upper": {"factor": [[]], "weights": []}, "vector": ["1"]}}}  # fmt: skip
    reject("limit-over-fading-divisor", true_for_ever(
        claim_text("tends(t: (1/2)^t/(lambda_max(M) + (1/2)^t), 0)", given="M: matrix"),
        {"M": [["0"]], "system": "none"}, {"lines": {"assertion": [span(0)]}}, wide, ["psd/1"]),
        "the eigenvalue is 0 and the quotient 1; a divisor whose limit may be 0 decides nothing")  # fmt: skip
    reject("hull-before-the-start", true_for_ever(
        claim_text("forall t: hull(x[t]) subset hull(x[t - 1])", HARDMAX), line,
        {"lines": {"assertion": [span(0)]}}, {}, []), "at t = 0 there is no hull(x[-1])")  # fmt: skip
    reject("index-before-the-start", true_for_ever(
        claim_text("forall t: D[t - 1] = t", where="D[s] = s + 1"), {"system": "none"},
        {"lines": {"assertion": [span(0)]}}, {}, []), "at t = 0 the index of D is a negative time")  # fmt: skip
    reject("token-that-is-not-there", true_for_ever(
        claim_text("forall t: forall i in lmo(w, P): norm(x[i, t])^2 <= 9", HARDMAX, given="P: cloud; w: vector"),
        {**line, "P": [["0"], ["1"], ["5"]], "w": ["-1"]}, {"lines": {"assertion": [trap(0, 0)]}},
        {load.address(["psd", [[["1"]]]]): {"answer": True, "theory": "psd/1", "witness": {
            "factor": [[]], "weights": []}}}, ["psd/1", "trap/1"]), "there is no third token")  # fmt: skip
    named = copy.deepcopy(accepted["average-points"])
    named["claim"]["tree"][4][0] = named["claim"]["system"][1] = named["instance"]["system"] = "none"
    named["claim"]["text"] = printer.whole(named["claim"]["tree"], named["claim"]["system"])
    named["plans"] = {"lines": {"assertion": [each(0, 3)]}}
    named["verdict"]["T"] = named["ledger"][0]["scope"] = 3
    named["theories"], named["lemmas"] = [], {}
    reject("system-called-none", named, "none is no name of a system: its print would hide the selection")


# ---- boxes of starts, shares, random starts, points


def newer_accepted() -> None:
    half, holds = "1/2", {"T": FOREVER, "kind": "holds"}
    pair = tokens([[["1", "2"]], ["3"]], [["1"]], half)
    wide = tokens([[["0", "1"]], ["3"]], [["1"]], half)
    none: Json = {"lines": {}}
    own("box-step", claim_text("forall i: <x[i, 1], w> >= 2 and <x[i, 2], w> <= 3", HARDMAX, given="w: vector"),
        {**pair, "w": ["1"]}, none, holds, "two steps from every start of a box")  # fmt: skip
    own("box-no-step", claim_text("forall i: x[i, 1] = x[i, 0]", HARDMAX), {**wide, "g": "0"}, none, holds,
        "a step of size 0 needs no leader")  # fmt: skip
    own("box-same-point", claim_text("forall i: norm(x[i, 1]) >= 1", "hardmax, selection average-indices"),
        tokens([["3"], [["1", "2"]], ["3"]], [["1"]], half), none, holds,
        "two leaders at one point are one leader")  # fmt: skip
    own("box-hull", claim_text("hull(x[5]) subset hull(x[2])", HARDMAX), wide, none, holds,
        "the axiom of the hull needs no leader")  # fmt: skip
    own("box-false-everywhere", claim_text("forall i: <x[i, 0], w> > 2.5", HARDMAX, given="w: vector"),
        {**pair, "w": ["1"]}, none, {"first": True, "i": 0, "kind": "refuted"},
        "false at every start of the box")  # fmt: skip
    own("box-word", claim_text("box(x[0])", HARDMAX), tokens([[["1", "2"]], [["3", "4"]]], [["1"]], half), none, holds,
        "every coordinate is an interval")  # fmt: skip
    own("box-word-flat", claim_text("box(x[0])", HARDMAX), pair, none, {"first": True, "kind": "refuted"},
        "a coordinate that is a number")  # fmt: skip
    own("box-value", claim_text("argmax i: norm(x[i, 0])^2", HARDMAX, kind="value"), pair, none,
        {"kind": "value", "value": [1]}, "a value that is the same at every start")  # fmt: skip
    own("box-square", claim_text("forall i: <x[i, 0], x[i, 0]> - 2*<x[i, 0], w> + 1.01 > 0", HARDMAX,
                                 given="w: vector"),
        {**tokens([[["3/2", "2"]]], [["1"]], half), "w": ["1"]}, none, holds, "a square over an interval")  # fmt: skip
    own("share", claim_text("forall c in (0, 1]: c^2 <= c and 1/c >= 1 and c > 0"), {"system": "none"}, none, holds,
        "numbers of (0, 1], 0 excluded")  # fmt: skip
    own("share-and-time", claim_text("forall t, c in (0, 1]: c/(t + 1) <= 1/(t + 1)"), {"system": "none"},
        {"lines": {"assertion": [span(0)]}}, holds, "a number of (0, 1] inside a range")  # fmt: skip
    own("share-exists", claim_text("exists c in (0, 1]: c > 1"), {"system": "none"}, none,
        {"first": True, "kind": "refuted"}, "exists is false if the body is false of all")  # fmt: skip
    own("share-token", claim_text("forall i, c in (0, 1]: <x[i, 0], w> >= c", HARDMAX, given="w: vector"),
        {**tokens([["1"], ["0"]], [["1"]], half), "w": ["1"]}, none, {"first": True, "i": 1, "kind": "refuted"},
        "a number of (0, 1] counts as one value in the order")  # fmt: skip
    random = {"gaussian": {"dimension": 1, "samples": 8, "seed": "a seed", "tokens": 2}}
    text = claim_text("exists i: <x[i, 0], w> > 1", HARDMAX, given="w: vector", assume="H1: w != 0", kind="statistic")
    certificate = build(text, {**tokens([], [["1"]], half), "w": ["1"], "x": random}, none)
    certificate["verdict"]["evidence"] = kernel.evidence_of(certificate["verdict"])
    accept("statistic", certificate, "a share of random starts with its interval")
    own("statistic-vacuous", text, {**tokens([], [["1"]], half), "w": ["0"], "x": random}, none,
        {"kind": "vacuous", "line": "H1"}, "an assumption about the fixed data fails; the evidence is exact")
    own("point", claim_text("w in point(w, hull(P)) and cell(I, w, hull(P)) = point(w, hull(P))",
                            given="P: cloud; w: vector"),
        {"P": [["-1"], ["1"], ["0"]], "system": "none", "w": ["1"]}, none,
        {"first": True, "kind": "refuted"}, "a cell that is more than a point")  # fmt: skip


def newer_rejected() -> None:
    broken("box-empty-interval", "box-step", put("instance", "x", 0, 0, value=["2", "2"]), "an interval has a length")
    broken("box-three-ends", "box-step", put("instance", "x", 0, 0, value=["1", "2", "3"]), "an interval has two ends")
    broken("box-may-tie", "box-step", put("instance", "x", 0, 0, value=["0", "2"]), "at 0 every token leads")
    broken("box-reaches-end", "box-false-everywhere", put("instance", "x", 0, 0, value=["1", "3"]),
           "false at some starts only")  # fmt: skip
    broken("box-with-regime", "box-no-step", put("plans", "regime", value={"T": 0, "targets": [[1], [1]]}),
           "a box has no regime")  # fmt: skip
    broken("box-with-selection", "box-no-step", put("plans", "selection", value=[[0, 0, [[1, "1"]]]]),
           "a box has no selection")  # fmt: skip
    broken("box-later", "box-word", put("claim", "tree", 8, 1, 2, value=["num", "1"]),
           "box is about the tokens at 0", reprint=True)  # fmt: skip
    reject("box-divisor", true_for_ever(
        claim_text("forall i: <x[i, 0], w>/<x[i, 0], w> = 1", HARDMAX, given="w: vector"),
        {**tokens([[["-1", "1"]]], [["1"]], "1/2"), "w": ["1"]}, {"lines": {}}, {}, []),
        "the divisor vanishes at a start of the box")  # fmt: skip
    for name, formula, why in (
        ("share-divisor", "forall c in (0, 1]: (1 - c)/(1 - c) = 1", "at c = 1 the divisor is 0"),
        ("share-end", "forall c in (0, 1]: c < 1", "1 is a number of (0, 1]"),
        ("share-exists-some", "exists c in (0, 1]: c >= 1", "decided only if the body has one truth for all c"),
    ):
        reject(name, true_for_ever(claim_text(formula), {"system": "none"}, {"lines": {}}, {}, []), why)
    broken("share-of-a-time", "share", put("claim", "tree", 8, 1, 0, 0, value="s"), "a name of a time", reprint=True)
    broken("statistic-other-count", "statistic", put("verdict", "true", value=8), "the starts are drawn again")
    broken("statistic-other-seed", "statistic", put("instance", "x", "gaussian", "seed", value="\u00e9"),
           "a seed is printable ASCII")  # fmt: skip
    broken("statistic-narrow", "statistic", put("verdict", "high", value="1/2"), "the interval is rounded outward")
    broken("statistic-exact", "statistic", put("verdict", "evidence", value="exact"), "the evidence is statistical")
    broken("statistic-fixed-start", "statistic", put("instance", "x", value=[["1"], ["2"]]),
           "a statistic is about random starts")  # fmt: skip
    broken("statistic-as-theorem", "statistic", put("claim", "tree", 2, value="theorem"),
           "random starts are for statistics only", reprint=True)  # fmt: skip
    broken("statistic-assumes-tokens", "statistic",
           put("claim", "tree", 7, 0, 1, value=["ge", ["diam", ["hull", ["at", "x", ["num", "0"]]]], ["num", "0"]]),
           "assumptions of a statistic do not mention x", reprint=True)  # fmt: skip


def write_all() -> None:
    for folder in ("accept", "reject"):
        (HERE / folder).mkdir(exist_ok=True)
    accepted_files()
    rejected_bytes()
    rejected_claims()
    rejected_instances()
    rejected_selections()
    rejected_plans()
    rejected_regimes()
    rejected_lemmas()
    rejected_verdicts()
    rejected_falsehoods()
    newer_accepted()
    newer_rejected()
    for path in sorted(HERE.glob("*/*.json")):  # nothing is deleted here: a file may be another author's
        if path.relative_to(HERE).as_posix() not in reasons:
            print(f"{path.relative_to(HERE)} is not written by this script")
    text = json.dumps(reasons, indent=1, sort_keys=True, ensure_ascii=True)
    (HERE / "index.json").write_text(text + "\n")
    wrong = []
    for file, entry in reasons.items():
        try:
            kernel.verify(load.parse((HERE / file).read_bytes()))
            answer, why = "accept", ""
        except Exception as error:
            answer, why = "reject", f"{type(error).__name__}: {error}"
        if "--verbose" in sys.argv:
            print(f"{file}: {entry['reason']} | {why[:110]}")
        if answer != entry["answer"]:
            wrong.append(f"{file}: expected {entry['answer']}: {entry['reason']}")
    print(f"{len(reasons)} files", *wrong, sep="\n")


if __name__ == "__main__":
    write_all()
