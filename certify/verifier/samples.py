"""Random starts that every verifier draws alike, and the exact confidence interval of a share.

The stream of bits is sha256 of "seed:0", "seed:1", ...; a coordinate is an integer z with probability proportional to
exp(-z^2 / (2 * 2^32)), drawn exactly from coin flips, and divided by 2^16: a standard Gaussian on a fine grid.
The sampler follows Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020).
"""
from __future__ import annotations

from hashlib import sha256
from math import comb
from typing import Any

from .exact import Rat, Reject

SPREAD = 1 << 16  # the standard deviation, and the denominator
VARIANCE = SPREAD * SPREAD
MAX_SAMPLES, MAX_COORDINATES = 2_000, 2_000_000
GRID = 10_000  # ends of an interval are rounded outward to multiples of 1/GRID
TAIL = 40  # each tail has at most the probability 1/TAIL: 95 percent in all


class Gaussian:
    """Random starts: `samples` times `tokens` points with `dimension` independent coordinates."""

    def __init__(self, field: object) -> None:
        inner = field.get("gaussian") if isinstance(field, dict) and set(field) == {"gaussian"} else None
        if not isinstance(inner, dict) or set(inner) != {"tokens", "dimension", "samples", "seed"}:
            raise Reject("random starts have the keys tokens, dimension, samples and seed")
        sizes = [inner[key] for key in ("tokens", "dimension", "samples")]
        if any(type(size) is not int or size < 1 for size in sizes) or sizes[2] > MAX_SAMPLES or (
                sizes[0] * sizes[1] * sizes[2] > MAX_COORDINATES):
            raise Reject("random starts of a size that a verifier does not accept")
        seed = inner["seed"]
        if type(seed) is not str or not 0 < len(seed) <= 40 or not seed.isascii() or not seed.isprintable():
            raise Reject("a seed is a short printable text")
        self.tokens, self.dimension, self.samples = sizes
        self.coins = Coins(seed)

    def draw(self) -> list[list[Rat]]:
        """The next start."""
        return [[Rat(self.coins.gaussian(), SPREAD) for _ in range(self.dimension)] for _ in range(self.tokens)]


class Coins:
    """Bits from a seed, lowest bits of a block first."""

    def __init__(self, seed: str) -> None:
        self.seed, self.blocks, self.pool, self.left = seed, 0, 0, 0

    def bits(self, count: int) -> int:
        while self.left < count:
            block = sha256(f"{self.seed}:{self.blocks}".encode()).digest()
            self.pool |= int.from_bytes(block, "big") << self.left
            self.blocks += 1
            self.left += 256
        found = self.pool & ((1 << count) - 1)
        self.pool >>= count
        self.left -= count
        return found

    def below(self, limit: int) -> int:
        """A uniform integer in 0..limit-1, by rejection."""
        count = (limit - 1).bit_length()
        while True:
            found = self.bits(count)
            if found < limit:
                return found

    def decays(self, top: int, bottom: int) -> bool:
        """True with probability exp(-top/bottom)."""
        while top > bottom:
            if not self.decays(1, 1):
                return False
            top -= bottom
        k = 1
        while self.below(bottom * k) < top:
            k += 1
        return k % 2 == 1

    def laplace(self, scale: int) -> int:
        """z with probability proportional to exp(-|z| / scale)."""
        while True:
            low = self.below(scale)
            if not self.decays(low, scale):
                continue
            high = 0
            while self.decays(1, 1):
                high += 1
            negative, size = self.below(2), low + scale * high
            if not (negative and size == 0):
                return -size if negative else size

    def gaussian(self) -> int:
        scale = SPREAD + 1
        while True:
            found = self.laplace(scale)
            if self.decays((abs(found) * scale - VARIANCE) ** 2, 2 * VARIANCE * scale * scale):
                return found


def interval(hits: int, samples: int) -> tuple[Rat, Rat]:
    """The Clopper-Pearson interval of a share at 95 percent, rounded outward."""
    low = 0 if hits == 0 else _last(lambda k: _tail(hits, samples, samples, k))
    high = GRID if hits == samples else GRID - _last(lambda k: _tail(0, hits, samples, GRID - k))
    return Rat(low, GRID), Rat(high, GRID)


def _last(unlikely: Any) -> int:
    """The largest k in 0..GRID for which the tail is unlikely; the tail grows with k."""
    low, high = 0, GRID
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if unlikely(middle) else (low, middle - 1)
    return low


def _tail(first: int, last: int, samples: int, k: int) -> bool:
    """Whether a binomial count lies in first..last with probability at most 1/TAIL, the share being k/GRID."""
    mass = sum(comb(samples, m) * k**m * (GRID - k) ** (samples - m) for m in range(first, last + 1))
    return bool(TAIL * mass <= GRID**samples)
