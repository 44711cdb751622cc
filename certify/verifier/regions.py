"""Words about polytopes: sets other than hulls, and facts about hulls that rest on lemmas.

A region is the interior or the relative interior of a hull, or a cell: a hull cut by half-spaces <n_k, x> >= c_k. A
point is a cell with half-spaces on both sides of every coordinate. The
dominance cell of v under B has n_k = B'(v - x_k), c_k = 0; the Voronoi cell has n_k = (B + B')(v - x_k) and
c_k = <B v, v> - <B x_k, x_k>, which is |x - v|_B <= |x - x_k|_B multiplied out.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .evaluate import Cloud, Env, Later, Root, Truth, conjunction, constants, dot, entrywise, join, negation
from .exact import ONE, ZERO, Rat, Undecided
from .schedules import Scalar, at_least_zero
from .sorts import Tree

if TYPE_CHECKING:
    from .evaluate import Evaluator


class Region:
    """A part of the hull of `cloud`; for cells the half-spaces, one for each point."""

    def __init__(self, kind: str, cloud: Cloud, normals: list[list[Scalar]], offsets: list[Scalar]) -> None:
        self.kind, self.cloud, self.normals, self.offsets = kind, cloud, normals, offsets


def _vector(evaluator: Evaluator, tree: Tree, env: Env, size: int) -> list[Scalar]:
    value = evaluator.term(tree, env)
    if not isinstance(value, list):
        return [ZERO] * size  # a literal 0
    if len(value) != size:
        raise Undecided("a vector and points of different dimensions")
    return value


def _matrix(evaluator: Evaluator, tree: Tree, env: Env, size: int) -> list[list[Scalar]]:
    value = evaluator.term(tree, env)
    if not isinstance(value, list):
        return [[ZERO] * size for _ in range(size)]
    if len(value) != size or len(value[0]) != size:
        raise Undecided("a matrix and points of different dimensions")
    return value


def _plain(cloud: Cloud) -> list[list[Rat]]:
    return [constants(point) for point in cloud.points()]


def _open(kind: str) -> Callable[[Evaluator, Tree, Env], Region]:
    def made(evaluator: Evaluator, tree: Tree, env: Env) -> Region:
        return Region(kind, evaluator.term(tree[1], env), [], [])
    return made


def _minus(left: list[Scalar], right: list[Scalar]) -> list[Scalar]:
    found: list[Scalar] = entrywise(lambda a, b: join(lambda p, q: p - q, a, b), left, right)
    return found


def _transposed(matrix: list[list[Scalar]]) -> list[list[Scalar]]:
    return list(map(list, zip(*matrix, strict=True)))


def _cell(evaluator: Evaluator, tree: Tree, env: Env) -> Region:
    cloud = evaluator.term(tree[3], env)
    points = cloud.points()
    matrix = _transposed(_matrix(evaluator, tree[1], env, len(points[0])))
    vertex = _vector(evaluator, tree[2], env, len(points[0]))
    evaluator.spend(len(points))
    normals = [[dot(row, gap) for row in matrix] for gap in (_minus(vertex, point) for point in points)]
    return Region("cell", cloud, normals, [ZERO] * len(points))


def _voronoi(evaluator: Evaluator, tree: Tree, env: Env) -> Region:
    cloud = evaluator.term(tree[3], env)
    points = cloud.points()
    matrix = _matrix(evaluator, tree[1], env, len(points[0]))
    vertex = _vector(evaluator, tree[2], env, len(points[0]))
    evaluator.spend(len(points))
    both = entrywise(lambda a, b: join(lambda p, q: p + q, a, b), matrix, _transposed(matrix))

    def energy(point: list[Scalar]) -> Scalar:
        return dot([dot(row, point) for row in matrix], point)

    normals = [[dot(row, gap) for row in both] for gap in (_minus(vertex, point) for point in points)]
    own = energy(vertex)
    return Region("cell", cloud, normals, [join(lambda p, q: p - q, own, energy(point)) for point in points])


def _point(evaluator: Evaluator, tree: Tree, env: Env) -> Region:
    """The part of the hull where x = v: half-spaces e_k and -e_k through v."""
    cloud = evaluator.term(tree[2], env)
    size = len(cloud.points()[0])
    vertex = _vector(evaluator, tree[1], env, size)
    axes: list[list[Scalar]] = [[ONE if k == j else ZERO for j in range(size)] for k in range(size)]
    return Region("cell", cloud, axes + [[-entry for entry in axis] for axis in axes],
                  vertex + [-entry for entry in vertex])


def _vertices(evaluator: Evaluator, tree: Tree, env: Env) -> list[int]:
    """Indices of the vertices of the hull; of equal points the first."""
    found: list[int] = evaluator.ask("vertices", [_plain(evaluator.term(tree[1], env))])
    return list(found)


def _lmo(evaluator: Evaluator, tree: Tree, env: Env) -> list[int]:
    """Indices of the points at which <w, .> is least over the hull: a linear function has its minimum at points."""
    points = _plain(evaluator.term(tree[2], env))
    direction = constants(_vector(evaluator, tree[1], env, len(points[0])))
    evaluator.spend(len(points))
    values = [dot(direction, point) for point in points]
    least = evaluator._extreme(values, False)
    return [j for j, value in enumerate(values) if evaluator.equal(value, least) is True]


def _support(evaluator: Evaluator, tree: Tree, env: Env) -> Scalar:
    """The greatest value of <w, .> over the hull."""
    points = evaluator.term(tree[2], env).points()
    direction = _vector(evaluator, tree[1], env, len(points[0]))
    evaluator.spend(len(points))
    return evaluator._extreme([dot(direction, point) for point in points], True)


def _min_over(evaluator: Evaluator, tree: Tree, env: Env) -> Scalar:
    """The least value of 1/2 <M u, u> + <w, u> over the hull, M positive semidefinite."""
    cloud = evaluator.term(tree[3], env)
    points = cloud.points()
    size = len(points[0])
    slope = constants(_vector(evaluator, tree[2], env, size))
    factor, constant = evaluator.constant_times(_matrix(evaluator, tree[1], env, size))
    if factor is not None and (any(entry.n for entry in slope) or not at_least_zero(factor, evaluator.range_now())):
        raise Undecided("a quadratic that depends on time in more than a nonnegative factor")
    if not evaluator.ask("psd", [constant]):
        raise Undecided("min_over of a quadratic that is not convex")
    resting = cloud.resting()
    if not resting:
        raise Undecided("a hull of which no point rests")
    high: Rat = evaluator.ask("least_over_hull", [constant, slope, resting])
    value: Scalar = high
    if len(resting) < len(points):
        value = _shrinking(evaluator, cloud, constant, slope, high)
    return value if factor is None else join(lambda a, b: a * b, factor, value)


def _shrinking(evaluator: Evaluator, cloud: Cloud, matrix: list[list[Rat]], slope: list[Rat], high: Rat) -> Scalar:
    """In a regime the hull contains its resting points and lies in the hull at the first time of the range."""
    if not isinstance(cloud.time, Later) or not evaluator.hull_shrinks or evaluator.trap is not None:
        raise Undecided("a hull that depends on time")
    first = evaluator.range_now().start + cloud.time.offset
    low: Rat = evaluator.ask("least_over_hull", [matrix, slope, evaluator.trajectory.state(first).points()])
    text = " ".join(entry.text() for row in [*matrix, slope] for entry in row)
    return evaluator.bounded(f"min_over {first} {cloud.time.offset} {text}", low, high)


def _nearest(evaluator: Evaluator, tree: Tree, env: Env) -> list[Rat]:
    """The point of the hull nearest to p in the norm of M, M positive definite."""
    points = _plain(evaluator.term(tree[3], env))
    point = constants(_vector(evaluator, tree[1], env, len(points[0])))
    matrix = [constants(row) for row in _matrix(evaluator, tree[2], env, len(points[0]))]
    if not evaluator.ask("pd", [matrix]):
        raise Undecided("nearest in a norm whose matrix is not positive definite")
    found: list[Rat] = evaluator.ask("nearest", [matrix, point, points])
    return found


TERMS: dict[str, Callable[[Any, Tree, Env], Any]] = {
    "interior": _open("interior"), "relint": _open("relative_interior"), "cell": _cell, "voronoi": _voronoi,
    "point": _point,
    "vertices": _vertices, "lmo": _lmo, "support": _support, "min_over": _min_over, "nearest": _nearest}


def edge(evaluator: Evaluator, tree: Tree, env: Env) -> Truth:
    """Whether the segment between two points of a cloud is an edge of its hull."""
    points = _plain(evaluator.term(tree[3], env))
    ends = [constants(_vector(evaluator, part, env, len(points[0]))) for part in tree[1:3]]
    for end in ends:
        if not any(all(a == b for a, b in zip(end, point, strict=True)) for point in points):
            raise Undecided("the end of an edge is not among the points")
    return bool(evaluator.ask("edge", [*ends, points]))


def inside(evaluator: Evaluator, point: list[Scalar], region: Region) -> Truth:
    """Membership of a region: half-spaces by arithmetic, hulls and interiors by lemmas."""
    points = region.cloud.points()
    if len(point) != len(points[0]):
        raise Undecided("a vector and points of different dimensions")
    if region.kind != "cell":
        return bool(evaluator.ask(region.kind, [constants(point), _plain(region.cloud)]))
    verdict: Truth = True
    for normal, offset in zip(region.normals, region.offsets, strict=True):
        verdict = conjunction(verdict, evaluator.compare(dot(normal, point), offset, False))
    return False if verdict is False else conjunction(verdict, evaluator._inside(point, region.cloud))


def contained(evaluator: Evaluator, left: Region, right: Region) -> Truth:
    """Whether a cell lies in a cell of the same hull."""
    if left.kind != "cell" or right.kind != "cell":
        raise Undecided("inclusion of regions that are not cells")
    points, others = _plain(left.cloud), _plain(right.cloud)
    if [[e.text() for e in p] for p in points] != [[e.text() for e in p] for p in others]:
        raise Undecided("inclusion of cells of different hulls")
    return bool(evaluator.ask("cell_subset", [points, [constants(n) for n in left.normals], constants(left.offsets),
                                              [constants(n) for n in right.normals], constants(right.offsets)]))


def compared(evaluator: Evaluator, operator: str, left: Region, right: Region) -> Truth:
    """left subset right, left = right, left != right."""
    first = contained(evaluator, left, right)
    if operator == "subset" or first is False:
        return negation(first) if operator == "ne" else first
    second = conjunction(first, contained(evaluator, right, left))
    return negation(second) if operator == "ne" else second


def exact_form(evaluator: Evaluator, value: Any) -> Any:
    """A value as it stands in a verdict: exact numbers as text, indices as integers, a root by its square."""
    if isinstance(value, list):
        return [entry if type(entry) is int else exact_form(evaluator, entry) for entry in value]
    if isinstance(value, Root):
        number = evaluator.number(value)
        if isinstance(number, Rat):
            return number.text()
        return {"sqrt": constants([value.square])[0].text()}
    return constants([evaluator.number(value)])[0].text()
