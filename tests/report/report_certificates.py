"""Certificates for the tests of the report: a few kinds of verdict, and one whose prose tries to break out."""
from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path
from typing import Any

import certify
from certify.certificate import write
from certify.verifier.load import canonical

ATTACK = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\"> & ]]> -->"
HOSTILE = '''
claim mine/hostile
  title   "{}"
  source  "javascript:alert(1)"
  reading "{}"
  system  hardmax, selection every
  assert  forall t: hull(x[t + 1]) subset hull(x[t])
'''
WIDE = '''
claim mine/wide
  system  hardmax, selection every
  assume  H1: forall t: g[t] = 1/2
  assert  forall t, i: norm(x[i, t])^2 <= 1
'''
VALUE = '''
claim mine/largest
  kind    value
  system  none
  given   M: matrix
  value   trace(M)
'''


@lru_cache(maxsize=1)
def results() -> dict[str, certify.Result]:
    """One result of each kind that a report shows."""
    theorem = certify.load("fw25v1/thm-3.1")
    line = certify.instance("hardmax", x=[[3], [-1]], B=[[-1]], g="2/(t+2)")
    plane = certify.instance("hardmax", x=[["3", "1"], ["-1", "-1"], ["-1", "2"]], B=[[-2, -1], [-1, -3]], g="2/(t+2)")
    corners, unit = [[1, 0, 0], [0, 2, 0], [0, 0, 3]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    space = certify.instance("hardmax", x=corners, B=unit, g="1/2")
    prose = ATTACK.replace("\\", "\\\\").replace('"', '\\"')
    found = {
        "line": certify.check(theorem, line),
        "plane": certify.check(theorem, plane),
        "outside": certify.check(theorem, certify.instance("hardmax", x=[[3], [1]], B=[[-1]], g="2/(t+2)")),
        "limit": certify.check(certify.load("fw25v1/thm-3.1-origin"), line),
        "repair": certify.check(certify.load("repair/thm-3.1-R1"), line),
        "hostile": certify.check(certify.parse(HOSTILE.format(prose, prose)), plane),
        "value": certify.check(certify.parse(VALUE), certify.instance("none", M=[["1/3", 0], [0, 2]])),
        "space": certify.check(certify.parse(WIDE), space),
    }
    assert all(result.certificate is not None for result in found.values())
    return found


def write_all(folder: Path) -> list[Path]:
    """The certificates as files."""
    paths = []
    for name, result in results().items():
        assert result.certificate is not None
        write(result.certificate, folder / f"{name}.json")
        paths.append(folder / f"{name}.json")
    return paths


def corruptions(certificates: list[dict[str, Any]], count: int, seed: int) -> list[bytes]:
    """Certificates with one thing changed somewhere, written canonically again."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        copy = _copied(rng.choice(certificates))
        places = [place for place in _places(copy) if "provenance" not in place]
        _change(copy, rng.choice(places), rng)
        found.append(canonical(copy).encode("ascii"))
    return found


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(entry) for key, entry in value.items()}
    return [_copied(entry) for entry in value] if isinstance(value, list) else value


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    return ([path] if path else []) + [place for key, entry in inner for place in _places(entry, (*path, key))]


def _change(root: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    home = root
    for key in path[:-1]:
        home = home[key]
    key, value = path[-1], home[path[-1]]
    if rng.random() < 0.2:
        del home[key]
    elif isinstance(value, bool):
        home[key] = not value
    elif isinstance(value, int):
        home[key] = value + rng.choice((-1, 1, 7))
    elif isinstance(value, str):
        home[key] = rng.choice([value + "1", "-" + value, value[:-1], "0", "1", "1/2", "forever", "le", "t", "x"])
    elif isinstance(value, list) and value and rng.random() < 0.7:
        choice = rng.randrange(3)
        if choice == 0:
            value.append(_copied(value[-1]))
        elif choice == 1:
            value.pop()
        else:
            value.reverse()
    else:
        home[key] = rng.choice([None, 0, [], {}, "0", True])
