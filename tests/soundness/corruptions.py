"""Corrupted certificates, as a forger would make them: one field is changed, then everything that hides it is repaired.

The sources are the accepted conformance files. A corruption names its field, what was repaired, and its bytes:

- `raw`: only the change, written canonically;
- `printed`: the text is printed again from the changed trees;
- `readdressed`: moreover every lemma is moved to the address of what is now asked, with its old answer and witness, and
  ledger, verdict and theories are those that would follow if the lemmas were believed;
- `proved`: the same with lemmas that are found and true, so that only the plans can be wrong.

So no hash, text or stated ledger rejects by itself. Everything is determined by the seed.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from certify.theories import Finder
from certify.verifier import kernel, load, printer

Json = dict[str, Any]
ACCEPTED = Path(__file__).parents[1] / "conformance" / "accept"
SLOW = ("duality-gap", "thm-4.2-holds", "hull-shrinks-cycle")  # fewer corruptions: the second opinion takes seconds
FOREVER = "forever"
INVERSE = ["div", ["num", "1"], ["add", ["var", "t"], ["num", "1"]]]
HALVES = ["pow", ["div", ["num", "1"], ["num", "2"]], ["var", "t"]]


class Corruption(NamedTuple):
    source: str
    field: str
    repair: str
    data: bytes


class Skip(Exception):
    """This corruption has no place in this certificate."""


def sources() -> dict[str, Json]:
    return {path.stem: json.loads(path.read_bytes()) for path in sorted(ACCEPTED.glob("*.json"))}


# ---- repairs


class Liar:
    """Offers the certificate's own lemmas, by operator and in order, for whatever is asked now, and believes them."""

    def __init__(self, stored: list[tuple[str, Json]], rng: random.Random) -> None:
        self.left, self.rng = list(stored), rng
        self.found: dict[str, Json] = {}

    def ask(self, operator: str, args: list[Any]) -> Any:
        key = load.address([operator, kernel.exact_text(args)])
        if key not in self.found:
            place = next((k for k, (name, _) in enumerate(self.left) if name == operator), None)
            if place is None:
                raise Skip
            self.found[key] = self.left.pop(place)[1]
        lemma = self.found[key]
        try:
            return kernel.LEMMA_THEORIES[lemma["theory"]].check(operator, args, lemma["answer"], lemma["witness"])
        except Exception:
            if isinstance(lemma["answer"], bool):
                return lemma["answer"]
            raise Skip from None

    def lemmas(self) -> dict[str, Json]:
        return self.found


def questions(certificate: Json) -> list[tuple[str, Json]]:
    """The lemmas of a genuine certificate with their operators, in the order in which they are asked for."""
    order: dict[str, tuple[str, Json]] = {}

    class Listener(kernel.Lemmas):
        def ask(self, operator: str, args: list[Any]) -> Any:
            key = load.address([operator, kernel.exact_text(args)])
            order.setdefault(key, (operator, certificate["lemmas"][key]))
            return super().ask(operator, args)

    claim = certificate["claim"]
    lemmas = Listener(certificate["lemmas"])
    kernel.Court(claim["tree"], claim["system"], certificate["instance"], certificate["plans"], lemmas).judge()
    return list(order.values())


def refit(certificate: Json, lemmas: Any) -> None:
    """Lemmas, ledger, verdict and theories as they follow if the lemmas are believed."""
    claim = certificate["claim"]
    court = kernel.Court(claim["tree"], claim["system"], certificate["instance"], certificate["plans"], lemmas)
    ledger, verdict = court.judge()
    certificate["lemmas"] = lemmas.lemmas()
    used = {lemma["theory"] for lemma in certificate["lemmas"].values() if isinstance(lemma["theory"], str)}
    certificate["theories"] = sorted(used | court.theories)
    certificate["ledger"], certificate["verdict"] = ledger, {**verdict, "evidence": "exact"}
    certificate["plans"]["lines"] = {k: v for k, v in certificate["plans"]["lines"].items() if k in court.used_plans}


def repaired(certificate: Json, repair: str, stored: list[tuple[str, Json]], rng: random.Random) -> bytes:
    certificate = copy.deepcopy(certificate)
    if repair != "raw":
        claim = certificate["claim"]
        try:
            claim["text"], claim["id"] = printer.whole(claim["tree"], claim["system"]), claim["tree"][1]
        except Exception:
            raise Skip from None
    if repair in ("readdressed", "proved"):
        with suppress(Exception):  # what raises here is rejected anyway, with the stated ledger and lemmas
            refit(certificate, Liar(stored, rng) if repair == "readdressed" else Finder())
    return load.canonical(certificate).encode()


# ---- places and values

Edit = Callable[[Json, random.Random, dict[str, Json]], None]


def places(tree: Any, wanted: Callable[[Any], bool], path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if wanted(tree):
        yield path
    if isinstance(tree, dict | list):
        for key in sorted(tree) if isinstance(tree, dict) else range(len(tree)):
            yield from places(tree[key], wanted, (*path, key))


def one_place(tree: Any, wanted: Callable[[Any], bool], rng: random.Random) -> tuple[Any, Any]:
    """The container and the key of a random place."""
    found = [path for path in places(tree, wanted) if path]
    if not found:
        raise Skip
    *way, key = rng.choice(found)
    for step in way:
        tree = tree[step]
    return tree, key


def is_number(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(value) and value[-1].isdigit() and str(Fraction(value)) == value
    except (ValueError, ZeroDivisionError):
        return False


def other_number(text: str, rng: random.Random) -> str:
    old = Fraction(text)
    step = rng.choice([Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(1, 10**9), -old, old])
    new = rng.choice([-old, old + step, old * Fraction(9, 10), old / 2, 1 / old if old else Fraction(1), Fraction(0)])
    return str(new)


def strange(value: Any, rng: random.Random) -> Any:
    """Something that is not canonical, or of the wrong type, in place of a value."""
    text = str(value)
    return rng.choice([True, False, None, 1, 0, -1, [], {}, "", "0", "-0", "+1", "1.0", "2/4", "1/0", "0/1", "NaN",
                       "1e3", f"{text}/1", f" {text}", f"0{text}", "9" * 300, "-" + "9" * 300, 2**31 - 1, "\u0661",
                       [value], {"list": [value]}, {"cycle": [value, value]}])  # fmt: skip


def only(certificate: Json, key: str) -> Any:
    if not certificate[key]:
        raise Skip
    return certificate[key]


def moved(time: Any, rng: random.Random) -> Any:
    """A time close to a time, or a round one."""
    old = int(time) if str(time).isdigit() else 20
    new = max(0, rng.choice([old - 1, old + 1, old - 2, old + 2, old // 2, old * 2, 0, 1, 100, 2**31, 2**40 + 1]))
    return new if new < 2**31 else str(new)


# ---- corruptions, one function a field


def numbers(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    place, key = one_place(only(certificate, "instance"), is_number, rng)
    place[key] = other_number(place[key], rng)


def signs(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    place, key = one_place(certificate["instance"], lambda v: is_number(v) and v != "0", rng)
    place[key] = place[key][1:] if place[key].startswith("-") else "-" + place[key]


def strange_numbers(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    place, key = one_place(certificate[rng.choice(["instance", "lemmas", "plans"])], is_number, rng)
    place[key] = strange(place[key], rng)


def token_list(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    points = certificate["instance"].get("x")
    if not isinstance(points, list):
        raise Skip
    k = rng.randrange(len(points))
    what = rng.choice(["drop", "double", "swap", "zero", "opposite", "copy"])
    if what == "drop" and len(points) > 1:
        del points[k]
    elif what == "double":
        points.insert(k, list(points[k]))
    elif what == "swap":
        points.insert(0, points.pop(k))
    elif what == "zero":
        points[k] = ["0"] * len(points[k])
    elif what == "opposite":
        points[k] = [[str(-Fraction(e)) for e in reversed(a)] if isinstance(a, list) else str(-Fraction(a))
                     for a in points[k]]
    else:
        points[k] = list(points[rng.randrange(len(points))])


def matrices(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    data = certificate["instance"]
    key = rng.choice([k for k in ("B", "P", "M") if k in data] or [""])
    if not key:
        raise Skip
    matrix = data[key] if isinstance(data[key], list) else next(iter(data[key].values()))
    if not isinstance(matrix, list) or not isinstance(matrix[0], list) or not isinstance(matrix[0][0], str):
        size = range(len(data["x"][0]))
        matrix = [["1" if i == j else "0" for j in size] for i in size]
    turned = [[str(-Fraction(a)) for a in row] for row in matrix]
    bent = [[str(Fraction(a) + (i < j)) for j, a in enumerate(row)] for i, row in enumerate(matrix)]
    zero = [["0"] * len(row) for row in matrix]
    scale = rng.choice([INVERSE, ["var", "t"], ["sub", ["num", "3"], ["var", "t"]], HALVES])
    data[key] = rng.choice([turned, bent, zero, {"list": [matrix, turned]}, {"cycle": [matrix, turned]},
                            {"cycle": [matrix, matrix]}, {"list": [turned, matrix]},
                            {"matrix": matrix, "scale": scale}])  # fmt: skip


def step_sizes(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    if "g" not in certificate["instance"]:
        raise Skip
    t, one = ["var", "t"], ["num", "1"]
    certificate["instance"]["g"] = rng.choice([
        "0", "1", "1/2", "2", "-1/2", {"list": ["1", "0"]}, {"list": ["0", "1/2"]}, {"cycle": ["0", "1"]},
        {"cycle": ["1/2", "1/3"]}, ["div", one, ["add", t, one]], ["div", one, ["add", t, ["num", "2"]]],
        ["div", ["num", "2"], ["add", t, ["num", "2"]]], ["div", one, ["pow", ["add", t, ["num", "2"]], ["num", "2"]]],
        ["pow", ["div", one, ["num", "2"]], t], ["div", t, ["add", t, one]], ["div", one, ["sub", t, ["num", "5"]]],
        {"list": [["div", one, ["num", "2"]]]}, ["num", "0.5"], ["div", ["num", "3"], ["add", t, ["num", "3"]]],
    ])  # fmt: skip


def verdict_kind(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    names = [line["name"] for line in certificate["ledger"]]
    kind = rng.choice(["holds", "refuted", "vacuous", "exhibited", "not here", "value", "undecided"])
    more: Json = {"holds": {"T": rng.choice([FOREVER, 7, 0])}, "vacuous": {"line": rng.choice(names)},
                  "refuted": {"first": rng.random() < 0.5}}.get(kind, {})  # fmt: skip
    certificate["verdict"] = {"evidence": "exact", "kind": kind, **more}
    for line in certificate["ledger"]:
        if rng.random() < 0.5:
            line.pop("t", None)
            line.update(status="true", scope=FOREVER)


def verdict_fields(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    verdict, last = certificate["verdict"], certificate["ledger"][-1]
    key = rng.choice(sorted(set(verdict) - {"kind"}))
    if key in ("t", "T"):
        verdict[key] = moved(verdict[key], rng)
        if key == "t" and rng.random() < 0.8:
            last["t"] = verdict["t"]
        elif key == "T":
            for line in certificate["ledger"]:
                line["scope"] = verdict["T"]
    elif key == "i":
        verdict["i"] = rng.choice([0, 1, 2, True, "0", None])
    elif key == "first":
        verdict["first"] = not verdict["first"]
    else:
        verdict[key] = rng.choice(["H1", "assertion", "exact", "enclosure", FOREVER, 0, True])


def ledger_fields(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    line = rng.choice(certificate["ledger"])
    key = rng.choice(sorted(line))
    if key in ("scope", "t"):
        line[key] = moved(line[key], rng)
    else:
        line[key] = rng.choice(["true", "false", "undecided", "H1", "assertion", True])


def assumptions(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    tree, ledger = certificate["claim"]["tree"], certificate["ledger"]
    if not tree[7]:
        raise Skip
    k = rng.randrange(len(tree[7]))
    what = rng.choice(["drop", "swap", "double", "weaken", "deny"])
    if what == "drop":
        name = tree[7].pop(k)[0]
        del ledger[k]
        for key in [key for key in certificate["plans"]["lines"] if key.split("/")[0] == name]:
            del certificate["plans"]["lines"][key]
    elif what == "swap":
        tree[7].insert(0, tree[7].pop(k))
        ledger.insert(0, ledger.pop(k))
    elif what == "double":
        tree[7].append(["Hx", copy.deepcopy(tree[7][k][1])])
        ledger.insert(len(ledger) - 1, {**ledger[k], "name": "Hx"})
        if tree[7][k][0] in certificate["plans"]["lines"]:
            certificate["plans"]["lines"]["Hx"] = certificate["plans"]["lines"][tree[7][k][0]]
    elif what == "weaken":
        tree[7][k][1] = ["or", tree[7][k][1], ["eq", ["num", "0"], ["num", "0"]]]
    else:
        tree[7][k][1] = ["not", tree[7][k][1]]


SWAPS = {"le": "lt", "lt": "ge", "ge": "gt", "gt": "le", "eq": "ne", "ne": "eq", "add": "sub", "sub": "add",
         "and": "or", "or": "and", "implies": "iff", "iff": "implies", "forall": "exists", "exists": "forall",
         "psd": "pd", "pd": "psd", "argmax": "argmin", "sum": "mean", "least": "greatest", "greatest": "least",
         "min": "max", "max": "min", "tends": "tends", "mul": "div", "div": "mul"}  # fmt: skip


def statements(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    """The assertion, an assumption or a definition says something else."""
    tree = certificate["claim"]["tree"]
    part = rng.choice([6, 7, 8, 8, 8])
    what = rng.choice(["operator", "literal", "literal", "shift", "negate", "binder"])
    if what == "operator":
        place, key = one_place(tree[part], lambda v: isinstance(v, str) and v in SWAPS, rng)
        place[key] = SWAPS[place[key]]
    elif what == "literal":
        place, key = one_place(tree[part], lambda v: isinstance(v, list) and v[:1] == ["num"], rng)
        place[key] = ["num", rng.choice(["0", "1", "2", "3", "0.5", "40", str(int(float(place[key][1])) + 1)])]
    elif what == "shift":
        place, key = one_place(tree[part], lambda v: isinstance(v, list) and v[:1] == ["var"] and v[1][0] in "rst", rng)
        place[key] = [rng.choice(["add", "sub"]), place[key], ["num", rng.choice(["1", "2"])]]
    elif what == "negate":
        tree[8] = ["not", tree[8]]
    else:
        place, key = one_place(tree[part], lambda v: isinstance(v, list) and len(v) == 1 and v[0] in ("t", "s"), rng)
        place[key] = [place[key][0], rng.choice(["ge", "le"]), ["num", rng.choice(["0", "1", "3"])]]


def policy(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    certificate["claim"]["tree"][4][1] = rng.choice(["every", "average-points", "average-indices"])


def claim_kind(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    certificate["claim"]["tree"][2] = rng.choice(["theorem", "exhibit", "value"])


def dynamics(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    """The system has another step, under the old name."""
    system = certificate["claim"]["system"]
    if system is None:
        raise Skip
    what = rng.choice(["operator", "literal", "kind"])
    if what == "kind":
        system[2][-1][2] = rng.choice(["timed", "fixed", "step size"])
        return
    wanted = SWAPS if what == "operator" else {"1"}
    place, key = one_place(system[3], lambda v: isinstance(v, str) and v in wanted, rng)
    place[key] = SWAPS[place[key]] if what == "operator" else rng.choice(["0", "2"])


def lemma_answers(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    lemma = rng.choice(list(only(certificate, "lemmas").values()))
    old = lemma["answer"]
    if isinstance(old, bool):
        lemma["answer"] = rng.choice([not old, int(old), str(old).lower()])
    else:
        holder = {"answer": old}
        place, key = one_place(holder, lambda v: isinstance(v, str | int), rng)
        place[key] = other_number(place[key], rng) if isinstance(place[key], str) else place[key] + 1
        lemma["answer"] = holder["answer"]


def lemma_witnesses(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    lemma = rng.choice(list(only(certificate, "lemmas").values()))
    place, key = one_place({"w": lemma["witness"]}, lambda v: is_number(v) or type(v) is int, rng)
    place[key] = other_number(place[key], rng) if isinstance(place[key], str) else rng.choice([0, 1, 2, -1])


def lemma_set(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    lemmas = certificate["lemmas"]
    others = [entry for other in pool.values() for entry in other["lemmas"].items()]
    what = rng.choice(["foreign", "drop", "swap", "address", "instead"])
    if what == "foreign":
        key, lemma = rng.choice(others)
        lemmas[key] = copy.deepcopy(lemma)
        return
    key = rng.choice(sorted(only(certificate, "lemmas")))
    if what == "drop":
        del lemmas[key]
    elif what == "address":
        lemmas["0" * 64] = lemmas.pop(key)
    elif what == "instead":
        lemmas[key] = copy.deepcopy(rng.choice(others)[1])
    else:
        other = rng.choice(sorted(lemmas))
        lemmas[key], lemmas[other] = lemmas[other], lemmas[key]


def theory_names(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    names = certificate["theories"]
    what = rng.choice(["version", "drop", "add", "order", "lemma"])
    if what == "version" and names:
        names[rng.randrange(len(names))] = rng.choice(["psd/2", "hull/3", "regime/2", "sos/1", ""])
    elif what == "drop" and names:
        names.pop()
    elif what == "order" and len(names) > 1:
        names.reverse()
    elif what == "lemma" and certificate["lemmas"]:
        rng.choice(list(certificate["lemmas"].values()))["theory"] = rng.choice(["psd/1", "hull/1", "psd/2", None, 1])
    else:
        names.append(rng.choice(["psd/1", "hull/1", "trap/1"]))


def plan_of(certificate: Json, rng: random.Random) -> list[Json]:
    lines = certificate["plans"]["lines"]
    if not lines:
        raise Skip
    plan: list[Json] = lines[rng.choice(sorted(lines))]
    return plan


def plan_times(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    step = rng.choice(plan_of(certificate, rng))
    key = rng.choice(["from", "to", "period", *(["T"] if "T" in step else [])])
    if key == "period":
        step["period"] = rng.choice([1, 2, 3, 4, 6, 0, True])
    elif key == "to" and rng.random() < 0.4:
        step["to"] = FOREVER
    else:
        step[key] = moved(step[key], rng)
    if step["by"] == "each" and str(step["to"]).isdigit() and int(step["to"]) - int(step["from"]) > 2000:
        step["to"] = int(step["from"]) + 300


def plan_steps(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    plan = plan_of(certificate, rng)
    k = rng.randrange(len(plan))
    what = rng.choice(["drop", "merge", "swap", "split", "double", "word", "key"])
    if what == "drop":
        del plan[k]
    elif what == "merge" and k + 1 < len(plan):
        plan[k]["to"] = plan.pop(k + 1)["to"]
        plan[k].update(by="range", period=1)
    elif what == "split":
        step = copy.deepcopy(plan[k])
        middle = int(step["from"]) + rng.randrange(3)
        plan[k]["to"] = middle if middle < 2**31 else str(middle)
        after = middle + 1 + rng.choice([0, 0, 1])
        step["from"] = after if after < 2**31 else str(after)
        plan.insert(k + 1, step)
    elif what == "double":
        plan.insert(k, copy.deepcopy(plan[k]))
    elif what == "word":
        plan[k]["by"] = rng.choice(["each", "range", "trap"])
        if plan[k]["by"] == "each":
            plan[k].pop("period", None)
            plan[k]["to"] = int(plan[k]["from"]) + rng.randrange(60)
        else:
            plan[k].setdefault("period", 1)
        if plan[k]["by"] == "trap":
            plan[k]["T"] = int(plan[k]["from"]) % 50
    elif what == "key":
        lines = certificate["plans"]["lines"]
        key = rng.choice(sorted(lines))
        lines[rng.choice(["assertion", "assertion/2", "H1", "H2", f"{key}/1"])] = lines.pop(key)
    else:
        plan.reverse()


def trap_fields(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    steps = [step for plan in certificate["plans"]["lines"].values() for step in plan if step["by"] == "trap"]
    if not steps:
        raise Skip
    step, size = rng.choice(steps), len(certificate["instance"]["x"][0])
    what = rng.choice(["T", "tangent", "rate"])
    if what == "T":
        step["T"] = rng.choice([0, 1, 2, 3, 5, 8, -1, True])
    elif what == "tangent":
        step["tangent"] = [rng.choice(["0", "1", "-1", "1/2", "3"]) for _ in range(size)]
    else:
        step["rate"] = rng.choice([["num", "1"], ["num", "100"], INVERSE, ["num", "0"], ["neg", ["num", "1"]]])


def regime_fields(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    regime = certificate["plans"].get("regime")
    if regime is None:
        raise Skip
    what = rng.choice(["T", "targets", "c", "tail", "none", "literal"])
    count = len(regime["targets"])
    if what == "T":
        regime["T"] = rng.choice([0, 1, 2, 3, regime["T"] + 1, regime["T"] + 5, max(0, regime["T"] - 1), True])
    elif what == "targets":
        regime["targets"][rng.randrange(count)] = sorted(rng.sample(range(count), rng.randint(1, min(2, count))))
    elif what == "none":
        del certificate["plans"]["regime"]
    elif what == "literal":
        place, key = one_place(regime, lambda v: isinstance(v, list) and v[:1] == ["num"], rng)
        place[key] = ["num", rng.choice(["0", "1", "2", "3", "6"])]
    elif what == "c" and "c" in regime and rng.random() < 0.6:
        del regime["c"]
    else:
        regime[what] = rng.choice([["num", "1"], ["num", "0"], INVERSE, HALVES])


def selection(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    entries = certificate["plans"].setdefault("selection", [])
    what = rng.choice(["add", "drop", "weights", "place"])
    if what == "add" or not entries:
        count = len(certificate["instance"].get("x", [0]))
        entries.append([rng.randrange(4), rng.randrange(count), [[rng.randrange(count), "1"]]])
        entries.sort(key=lambda entry: entry[:2])
    elif what == "drop":
        entries.pop()
    elif what == "weights":
        entries[0][2] = rng.choice([[[0, "1"]], [[1, "1"]], [[2, "1"]], [[0, "1/2"], [2, "1/2"]], [[0, "1/3"]]])
    else:
        entries[-1][rng.randrange(2)] += 1
    if not certificate["plans"]["selection"]:
        del certificate["plans"]["selection"]


def booleans(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    place, key = one_place(certificate, lambda v: type(v) is int or type(v) is bool, rng)
    place[key] = bool(place[key]) if type(place[key]) is int else int(place[key])


def anywhere(certificate: Json, rng: random.Random, pool: dict[str, Json]) -> None:
    """Any leaf but provenance, replaced by something strange or by a leaf from elsewhere."""
    leaves = [path for path in places(certificate, lambda v: not isinstance(v, dict | list)) if path[0] != "provenance"]
    *way, key = rng.choice(leaves)
    place: Any = certificate
    for step in way:
        place = place[step]
    other: Any = certificate
    for step in rng.choice(leaves):
        other = other[step]
    place[key] = other if rng.random() < 0.4 else strange(place[key], rng)


EDITS: dict[str, Edit] = {
    "numbers": numbers, "signs": signs, "strange numbers": strange_numbers, "tokens": token_list, "matrices": matrices,
    "step sizes": step_sizes, "verdict kind": verdict_kind, "verdict fields": verdict_fields, "ledger": ledger_fields,
    "assumptions": assumptions, "statement": statements, "policy": policy, "claim kind": claim_kind,
    "dynamics": dynamics, "lemma answers": lemma_answers, "lemma witnesses": lemma_witnesses, "lemma set": lemma_set,
    "theories": theory_names, "plan times": plan_times, "plan steps": plan_steps, "trap": trap_fields,
    "regime": regime_fields, "selection": selection, "booleans": booleans, "anywhere": anywhere,
}  # fmt: skip


def bad_bytes(data: bytes, rng: random.Random) -> bytes:
    """Files that are not canonical JSON."""
    text = data.decode()
    digits = [k for k, mark in enumerate(text) if mark.isdigit() and text[k - 1] in ":,["]
    place = rng.choice(digits) if digits else 0
    cut = lambda new: text[:place] + new + text[place + 1 :]  # noqa: E731
    return rng.choice([
        lambda: cut("NaN"), lambda: cut("1e999"), lambda: cut("Infinity"), lambda: cut(text[place] + ".0"),
        lambda: cut("-0"), lambda: cut("0" + text[place]), lambda: cut("9" * 400), lambda: cut("2147483648"),
        lambda: text.replace('"claim":', '"claim":null,"claim":', 1), lambda: text + " ", lambda: "\ufeff" + text,
        lambda: text.replace(":", ": ", 1), lambda: text.replace("e", "\\u0065", 1), lambda: text[: len(text) // 2],
        lambda: text.replace('"provenance":{', '"provenance":{"a":' + "[" * 70 + "]" * 70 + ",", 1),
        lambda: "[" * 3000 + "]" * 3000, lambda: text.replace('"verdict":{', '"verdict":{"kind":"holds",', 1),
        lambda: "[" + text + "]", lambda: text + text, lambda: text.replace("system", "syst\u00e9m", 1),
    ])().encode()  # fmt: skip


REPAIRS = ("raw", "printed", "readdressed", "readdressed", "proved", "proved")


def corruptions(count: int, seed: int) -> Iterator[Corruption]:
    """`count` corruptions, the fields and the sources taken in turn."""
    rng = random.Random(seed)
    pool = sources()
    stored = {name: questions(certificate) for name, certificate in pool.items()}
    fields = [*EDITS, "bytes"]
    turns = dict.fromkeys(fields, 0)
    orders = {field: rng.sample(sorted(pool), len(pool)) for field in fields}
    made = 0
    while made < count:
        field = fields[made % len(fields)]
        name = orders[field][turns[field] % len(pool)]
        turns[field] += 1
        if name in SLOW and turns[field] % 3:
            continue
        certificate = copy.deepcopy(pool[name])
        try:
            if field == "bytes":
                corruption = Corruption(name, field, "raw", bad_bytes(load.canonical(certificate).encode(), rng))
            else:
                EDITS[field](certificate, rng, pool)
                repair = rng.choice(REPAIRS)
                corruption = Corruption(name, field, repair, repaired(certificate, repair, stored[name], rng))
        except Skip:
            continue
        if corruption.data == load.canonical(pool[name]).encode():
            continue
        made += 1
        yield corruption
