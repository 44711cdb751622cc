"""Corrupting certificates as a forger would: fields changed, then lemma addresses made right again."""
from __future__ import annotations

import copy
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from certify.verifier import printer
from certify.verifier.exact import Reject, Undecided
from certify.verifier.kernel import LEMMA_THEORIES, Court, lemma_address
from certify.verifier.load import canonical

Certificate = dict[str, Any]
SWAPS = {"le": "lt", "lt": "le", "ge": "gt", "gt": "ge", "eq": "ne", "ne": "eq", "add": "sub", "sub": "add",
         "and": "or", "or": "and", "forall": "exists", "exists": "forall", "psd": "pd", "pd": "psd"}


class Believing:
    """Answers what the kernel asks with the certificate's own lemmas, in the order they were asked for, unverified."""

    def __init__(self, stored: list[tuple[str, Any]]) -> None:
        self.left = list(stored)
        self.placed: dict[str, Any] = {}
        self.theories: set[str] = set()

    def ask(self, operator: str, args: list[Any]) -> Any:
        key = lemma_address(operator, args)
        if key not in self.placed:
            found = next((k for k, (name, _) in enumerate(self.left) if name == operator), None)
            if found is None:
                raise Undecided("nothing to offer")
            self.placed[key] = self.left.pop(found)[1]
        lemma = self.placed[key]
        try:
            return LEMMA_THEORIES[lemma["theory"]].check(operator, args, lemma["answer"], lemma["witness"])
        except Reject:
            return lemma["answer"] if isinstance(lemma["answer"], bool) else True


def asked(certificate: Certificate) -> list[tuple[str, Any]]:
    """The lemmas of a genuine certificate with their operators, in the order of asking."""
    order: list[tuple[str, Any]] = []

    class Noting:
        def ask(self, operator: str, args: list[Any]) -> Any:
            lemma = certificate["lemmas"][lemma_address(operator, args)]
            if (operator, lemma) not in order:
                order.append((operator, lemma))
            return LEMMA_THEORIES[lemma["theory"]].check(operator, args, lemma["answer"], lemma["witness"])

    claim = certificate["claim"]
    Court(claim["tree"], claim["system"], certificate["instance"], certificate["plans"], Noting()).judge()
    return order


def readdressed(forged: Certificate, lemmas: list[tuple[str, Any]]) -> Certificate:
    """The lemmas moved to the addresses that the changed data give."""
    believing = Believing(lemmas)
    claim = forged["claim"]
    try:
        Court(claim["tree"], claim["system"], forged["instance"], forged["plans"], believing).judge()
    except Exception:  # a forger gives up on what does not even run
        return forged
    return {**forged, "lemmas": believing.placed}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to everything that is not a list or an object."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for k, entry in enumerate(value) for leaf in leaves(entry, (*path, k))]
    return [path]


def place(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    place(value, path[:-1])[path[-1]] = new


def other_value(old: Any, rng: random.Random) -> Any:
    """A different value of the same look, or of a look that should not be there."""
    if isinstance(old, bool):
        return rng.choice([not old, int(old), str(old)])
    if isinstance(old, int):
        return rng.choice([old + 1, old - 1, -old, 0, 2 * old + 1, 2**31 - 1, bool(old % 2), str(old)])
    if isinstance(old, str):
        try:
            number = Fraction(old)
        except (ValueError, ZeroDivisionError):
            return rng.choice([old + "x", old[1:], "forever", "true", "false", "0", 0])
        new = rng.choice([number + 1, -number, number * 2, number / 3, number - Fraction(1, 1000), Fraction(0)])
        odd = [f"{2 * new.numerator}/{2 * new.denominator}", "-0", f"+{new}", int(new) % 99]
        return rng.choice([str(new)] * 6 + odd)
    return rng.choice([0, "forever", []])


def in_field(field: str) -> Callable[[Certificate, random.Random], None]:
    def change(forged: Certificate, rng: random.Random) -> None:
        paths = leaves(forged[field], (field,))
        if paths:
            path = rng.choice(paths)
            put(forged, path, other_value(place(forged, path), rng))
    return change


def verdict_kind(forged: Certificate, rng: random.Random) -> None:
    verdict = forged["verdict"]
    kind = rng.choice(["holds", "refuted", "vacuous", "exhibited", "not here", "value", "undecided"])
    extra = {"holds": {"T": rng.choice(["forever", 5, 10**6])}, "refuted": {"t": rng.choice([0, 3, 575]), "i": 0,
             "first": True}, "vacuous": {"line": rng.choice(["H1", "H4", "assertion"])}}.get(kind, {})
    forged["verdict"] = {"kind": kind, "evidence": verdict["evidence"], **extra}
    last = forged["ledger"][-1]
    if kind == "holds" and rng.random() < 0.5:
        forged["ledger"][-1] = {"name": last["name"], "status": "true", "scope": extra["T"]}
    if kind == "refuted" and rng.random() < 0.5:
        forged["ledger"][-1] = {"name": last["name"], "status": "false", "t": extra["t"]}


def scopes(forged: Certificate, rng: random.Random) -> None:
    line = rng.choice(forged["ledger"])
    line["scope"] = rng.choice(["forever", 0, 3, 10**5, "4294967296"])
    if "T" in forged["verdict"]:
        forged["verdict"]["T"] = line["scope"]


def time_moved(forged: Certificate, rng: random.Random) -> None:
    """Another violating time, stated everywhere."""
    if "t" not in forged["verdict"]:
        forged["verdict"]["t"] = 4
        return
    new = max(0, int(forged["verdict"]["t"]) + rng.choice([-2, -1, 1, 2, 50]))
    forged["verdict"]["t"] = forged["ledger"][-1]["t"] = new
    for steps in forged["plans"]["lines"].values():
        if steps[-1]["from"] == steps[-1]["to"]:
            steps[-1]["from"] = steps[-1]["to"] = new
    forged["verdict"]["first"] = rng.choice([True, False])


def assumptions(forged: Certificate, rng: random.Random) -> None:
    """An assumption dropped, repeated or moved, with its line of the ledger and the text to match."""
    lines = forged["claim"]["tree"][7]
    if not lines:
        return
    k = rng.randrange(len(lines))
    act = rng.choice(["drop", "swap", "negate"])
    if act == "drop":
        name = lines.pop(k)[0]
        forged["ledger"] = [line for line in forged["ledger"] if line["name"] != name]
        forged["plans"]["lines"] = {key: v for key, v in forged["plans"]["lines"].items() if key.split("/")[0] != name}
    elif act == "swap":
        lines.append(lines.pop(k))
        if rng.random() < 0.5:
            forged["ledger"].insert(len(lines) - 1, forged["ledger"].pop(k))
    else:
        lines[k][1] = ["not", lines[k][1]]
    retext(forged)


def retext(forged: Certificate) -> None:
    claim = forged["claim"]
    try:
        claim["text"] = printer.whole(claim["tree"], claim["system"])
    except Exception:
        claim["text"] += " "


def tree_changed(forged: Certificate, rng: random.Random) -> None:
    """An operator or a literal of the statement changed; the text is printed anew (or, at times, left)."""
    tree = forged["claim"]["tree"]
    paths = [p for p in leaves(tree) if p and p[0] in (6, 7, 8) and p[-1] == 0 and place(tree, p) in SWAPS]
    numbers = [p for p in leaves(tree) if p and p[0] in (6, 7, 8) and p[-1] == 1 and place(tree, p[:-1])[0] == "num"]
    if paths and (not numbers or rng.random() < 0.5):
        path = rng.choice(paths)
        put(tree, path, SWAPS[place(tree, path)])
    elif numbers:
        path = rng.choice(numbers)
        put(tree, path, str(rng.randint(0, 4)))
    if rng.random() < 0.9:
        retext(forged)


def lemmas(forged: Certificate, rng: random.Random) -> None:
    """A lemma flipped, dropped, doubled, or given the witness of another."""
    keys = sorted(forged["lemmas"])
    if not keys:
        return
    key, other = rng.choice(keys), rng.choice(keys)
    act = rng.choice(["flip", "drop", "swap", "theory", "empty"])
    if act == "flip":
        forged["lemmas"][key]["answer"] = not forged["lemmas"][key]["answer"]
    elif act == "drop":
        del forged["lemmas"][key]
    elif act == "swap":
        forged["lemmas"][key]["witness"] = forged["lemmas"][other]["witness"]
    elif act == "theory":
        forged["lemmas"][key]["theory"] = rng.choice(["psd/2", "hull/9", "psd/1", "hull/1", "none/1"])
    else:
        forged["lemmas"][key]["witness"] = {}


def plans(forged: Certificate, rng: random.Random) -> None:
    """Steps moved, merged, dropped, widened; regimes and traps shifted."""
    act = rng.choice(["drop", "widen", "merge", "kind", "regime", "selection"])
    lines = forged["plans"]["lines"]
    if act == "regime" and "regime" in forged["plans"]:
        regime = forged["plans"]["regime"]
        change = rng.choice(["T", "targets", "c"])
        if change == "T":
            regime["T"] = max(0, regime["T"] + rng.choice([-1, 1, 3]))
        elif change == "targets":
            regime["targets"][0] = [rng.randrange(len(regime["targets"]))]
        else:
            regime.pop("c", None)
        return
    if act == "selection":
        forged["plans"]["selection"] = [[rng.randrange(3), 0, [[0, "1"]]]]
        return
    if not lines:
        return
    steps = lines[rng.choice(sorted(lines))]
    k = rng.randrange(len(steps))
    if act == "drop":
        steps.pop(k)
    elif act == "widen":
        steps[k][rng.choice(["from", "to"])] = rng.choice([0, 1, 7, 10**6, "forever", "4294967296", 2**31 - 1])
    elif act == "merge" and len(steps) > 1:
        steps[:] = [{**steps[0], "to": steps[-1]["to"]}]
    else:
        steps[k]["by"] = rng.choice(["each", "range", "trap"])


STRUCTURED: dict[str, Callable[[Certificate, random.Random], None]] = {
    **{f"field {name}": in_field(name) for name in ("instance", "lemmas", "plans", "verdict", "ledger", "theories")},
    "verdict kind": verdict_kind, "scope": scopes, "time": time_moved, "assumptions": assumptions, "tree": tree_changed,
    "lemma": lemmas, "plan": plans}


def raw(data: bytes, rng: random.Random) -> bytes:
    """Bytes that are no canonical JSON, or only just."""
    text = data.decode()
    return rng.choice([
        lambda: text.replace('{"claim"', '{"claim":1,"claim"', 1),
        lambda: text.replace(":0", ":NaN", 1), lambda: text.replace(":0", ":1e999", 1),
        lambda: text.replace(":0", ":0.0", 1), lambda: text.replace(":0", ":false", 1),
        lambda: text.replace(":1", ":" + "9" * 5000, 1), lambda: text + "\n", lambda: " " + text,
        lambda: text.replace('"provenance":{', '"provenance":{"a":' + "[" * 70 + "]" * 70 + ",", 1),
        lambda: "[" * 100_000, lambda: text[:-1], lambda: text.replace("forever", "for\\u0065ver", 1),
        lambda: text.replace('"1"', '"1/1"', 1), lambda: text.replace('"1"', '"01"', 1),
        lambda: text.replace('"0"', '"-0"', 1)])().encode()


def forge(source: Certificate, order: list[tuple[str, Any]], rng: random.Random) -> tuple[str, bytes]:
    """One corruption: its field, and the bytes."""
    if rng.random() < 0.08:
        return "bytes", raw(canonical(source).encode(), rng)
    forged = copy.deepcopy(source)
    field = rng.choice(sorted(STRUCTURED))
    STRUCTURED[field](forged, rng)
    if field in ("field instance", "tree", "assumptions", "plan", "time"):
        forged = readdressed(forged, order)
    return field, canonical(forged).encode()
