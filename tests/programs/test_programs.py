"""Linear and quadratic programs: exact answers, whatever the solver does."""
from __future__ import annotations

import random
from itertools import combinations

import pytest
from flint import fmpq, fmpq_mat

from certify.errors import InputError
from certify.programs import (
    Infeasible,
    LinearProgram,
    Optimal,
    QuadraticProgram,
    Unbounded,
    linear_program,
    quadratic_program,
    solve,
    solve_many,
)
from certify.programs.floating import Guess
from certify.programs.program import stands
from certify.programs.simplex import Basic, Columns, Falling, Outside, minimise


def drawn(rng: random.Random, quadratic: bool = False, size: int = 4) -> LinearProgram:
    """A small program with many ties: infeasible, unbounded and degenerate ones are common."""
    n, rows, equations = rng.randint(1, size), rng.randint(0, 2 * size), rng.randint(0, 2)

    def number() -> fmpq:
        return fmpq(rng.randint(-3, 3), rng.choice((1, 1, 2, 3)))

    def table(count: int) -> list[list[fmpq]]:
        return [[number() for _ in range(n)] for _ in range(count)]

    c, A, E = [number() for _ in range(n)], table(rows), table(equations)
    b, f = [number() for _ in range(rows)], [number() for _ in range(equations)]
    if not quadratic:
        return linear_program(c, A, b, E, f)
    factor = table(rng.randint(0, n))
    Q = [[sum((row[i] * row[j] for row in factor), fmpq(0)) for j in range(n)] for i in range(n)]
    return quadratic_program(Q, c, A, b, E, f)


def holds(program: LinearProgram, result: Optimal | Infeasible | Unbounded) -> bool:
    """The conditions, written out again without the library's own check."""
    def dot(left: object, right: object) -> fmpq:
        return sum((a * b for a, b in zip(left, right, strict=True)), fmpq(0))  # type: ignore[call-overload]

    def feasible(x: object) -> bool:
        return all(dot(row, x) <= b for row, b in zip(program.inequalities, program.bounds, strict=True)) and all(
            dot(row, x) == f for row, f in zip(program.equations, program.values, strict=True))

    n = range(program.dimension)
    Q = program.curvature if isinstance(program, QuadraticProgram) else [[fmpq(0) for _ in n] for _ in n]
    if isinstance(result, Unbounded):
        return (feasible(result.point) and all(dot(row, result.ray) <= 0 for row in program.inequalities)
                and all(dot(row, result.ray) == 0 for row in program.equations)
                and all(dot(row, result.ray) == 0 for row in Q) and dot(program.costs, result.ray) < 0)
    y, z = result.multipliers, result.equation_multipliers
    total = [sum((s * row[k] for s, row in zip(y, program.inequalities, strict=True)), fmpq(0))
             + sum((s * row[k] for s, row in zip(z, program.equations, strict=True)), fmpq(0)) for k in n]
    if any(s < 0 for s in y):
        return False
    if isinstance(result, Infeasible):
        return not any(total) and dot(program.bounds, y) + dot(program.values, z) < 0
    x = result.point
    slack = [b - dot(row, x) for row, b in zip(program.inequalities, program.bounds, strict=True)]
    return (feasible(x) and all(total[k] + program.costs[k] + dot(Q[k], x) == 0 for k in n)
            and all(s * t == 0 for s, t in zip(y, slack, strict=True)) and list(result.slacks) == slack
            and result.value == dot([dot(row, x) for row in Q], x) / 2 + dot(program.costs, x))


@pytest.mark.parametrize("quadratic", [False, True])
def test_random_programs_prove_their_answers(quadratic: bool) -> None:
    rng = random.Random(f"programs {quadratic}")
    seen = set()
    for _ in range(400):
        program = drawn(rng, quadratic)
        result = solve(program)
        assert holds(program, result)
        seen.add(type(result))
    assert seen == {Optimal, Infeasible, Unbounded}


def test_linear_optima_agree_with_enumeration_of_corners() -> None:
    rng = random.Random(5)
    for _ in range(60):
        n = rng.randint(1, 3)
        box = [[fmpq(s * (i == j)) for j in range(n)] for i in range(n) for s in (1, -1)]
        A = box + [[fmpq(rng.randint(-3, 3)) for _ in range(n)] for _ in range(3)]
        b = [fmpq(2)] * len(box) + [fmpq(rng.randint(-2, 4)) for _ in range(3)]
        c = [fmpq(rng.randint(-3, 3)) for _ in range(n)]
        corners = []
        for chosen in combinations(range(len(A)), n):
            try:
                x = fmpq_mat([A[k] for k in chosen]).solve(fmpq_mat(n, 1, [b[k] for k in chosen])).entries()
            except ZeroDivisionError:
                continue
            if all(sum(p * q for p, q in zip(row, x, strict=True)) <= side for row, side in zip(A, b, strict=True)):
                corners.append(sum(p * q for p, q in zip(c, x, strict=True)))
        result = solve(linear_program(c, A, b))
        if corners:
            assert isinstance(result, Optimal) and result.value == min(corners)
        else:
            assert isinstance(result, Infeasible)


def test_linear_programs_agree_with_ppl() -> None:
    ppl = pytest.importorskip("ppl")
    rng = random.Random(6)
    for _ in range(120):
        program = drawn(rng)
        x = [ppl.Variable(k) for k in range(program.dimension)]
        problem = ppl.MIP_Problem(program.dimension, ppl.Constraint_System(), 0 * x[0])

        def linear(row: object, side: fmpq) -> tuple[object, int]:
            scale = 36
            return sum((int(scale * a) * v for a, v in zip(row, x, strict=True)), 0 * x[0]), int(scale * side)  # type: ignore[call-overload]

        for row, side in zip(program.inequalities, program.bounds, strict=True):
            left, right = linear(row, side)
            problem.add_constraint(left <= right)
        for row, side in zip(program.equations, program.values, strict=True):
            left, right = linear(row, side)
            problem.add_constraint(left == right)
        problem.set_objective_function(linear(program.costs, fmpq(0))[0])
        problem.set_optimization_mode("minimization")
        result = solve(program)
        if not problem.is_satisfiable():
            assert isinstance(result, Infeasible)
            continue
        try:
            value = problem.optimal_value()
        except ValueError:
            assert isinstance(result, Unbounded)
            continue
        assert isinstance(result, Optimal) and result.value == fmpq(int(value.numerator), int(value.denominator)) / 36


def lying(answer: float) -> object:
    return lambda p: Guess([answer] * p.dimension, [answer] * len(p.inequalities), [answer] * len(p.equations))


def failing(program: LinearProgram) -> Guess:
    raise RuntimeError("licence expired")


SOLVERS = {"failing": failing, "silent": lambda p: None, "missing": "NO_SUCH_SOLVER", "zeros": lying(0.0),
           "large": lying(1e17), "nan": lying(float("nan")), "infinite": lying(float("inf")), "negative": lying(-1.0),
           "short": lambda p: Guess([], [], []), "rubbish": lambda p: "optimal", "third": lying(1 / 3)}


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("quadratic", [False, True])
def test_a_bad_solver_never_changes_the_answer(name: str, quadratic: bool) -> None:
    rng = random.Random(f"bad {quadratic}")
    for _ in range(25):
        program = drawn(rng, quadratic)
        honest, found = solve(program), solve(program, SOLVERS[name])  # type: ignore[arg-type]
        assert type(found) is type(honest) and holds(program, found)
        if isinstance(found, Optimal) and isinstance(honest, Optimal):
            assert found.value == honest.value


def test_cvxpy_missing_altogether(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from certify.programs import floating
    floating._modelled.cache_clear()
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    result = solve(linear_program([1], A=[[-1]], b=[-2]), "HIGHS")
    assert isinstance(result, Optimal) and result.value == 2


@pytest.mark.parametrize("name", ["HIGHS", "CLARABEL"])
@pytest.mark.parametrize("quadratic", [False, True])
def test_installed_solvers_by_name(name: str, quadratic: bool) -> None:
    rng = random.Random(f"named {quadratic}")
    for _ in range(6):
        program = drawn(rng, quadratic)
        honest, found = solve(program), solve(program, name)
        assert type(found) is type(honest) and holds(program, found)


def test_a_problem_is_modelled_once_for_a_shape() -> None:
    from certify.programs import floating
    floating._modelled.cache_clear()
    for k in range(4):
        solve(linear_program([1, k], A=[[-1, 0], [0, -1]], b=[-k, 1]), "HIGHS")
    assert floating._modelled.cache_info().misses == 1


@pytest.mark.parametrize("quadratic", [False, True])
def test_floats_of_53_bits_at_size(quadratic: bool) -> None:
    rng = random.Random(8)
    n, rows = 8, 120
    A = [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(rows)]
    b, c = [rng.uniform(0.5, 1) for _ in range(rows)], [rng.uniform(-1, 1) for _ in range(n)]
    Q = [[float(i == j) for j in range(n)] for i in range(n)]
    program = quadratic_program(Q, [9 * v for v in c], A, b) if quadratic else linear_program(c, A, b)
    result = solve(program)
    assert isinstance(result, Optimal) and holds(program, result)
    assert solve(program, failing).value == result.value  # type: ignore[union-attr]


def test_many_costs_over_shared_constraints() -> None:
    rng = random.Random(9)
    cube = linear_program([0, 0, 0], [[s * (i == j) for j in range(3)] for i in range(3) for s in (1, -1)], [1] * 6)
    costs = [[fmpq(rng.randint(-5, 5)) for _ in range(3)] for _ in range(40)]
    for cost, result in zip(costs, solve_many(cube, costs), strict=True):
        assert isinstance(result, Optimal) and result.value == -sum((abs(v) for v in cost), fmpq(0))
    half = linear_program([0], A=[[-1]], b=[0])
    assert [type(r) for r in solve_many(half, [[fmpq(1)], [fmpq(-1)]])] == [Optimal, Unbounded]


def test_cycling_examples_end() -> None:
    """Beale's example cycles under the plain rule of the steepest column."""
    A = [["1/4", -60, "-1/25", 9], ["1/2", -90, "-1/50", 3], [0, 0, 1, 0]]
    A += [[-(i == j) for j in range(4)] for i in range(4)]
    result = solve(linear_program(["-3/4", 150, "-1/50", 6], A, [0, 0, 1, 0, 0, 0, 0]))
    assert isinstance(result, Optimal) and result.value == fmpq(-1, 20)
    klee_minty = [[2 ** (i - j + 1) if j < i else int(i == j) for j in range(6)] for i in range(6)]
    sides = [5 ** (i + 1) for i in range(6)]
    lower = [[-(i == j) for j in range(6)] for i in range(6)]
    result = solve(linear_program([-(2 ** (5 - j)) for j in range(6)], klee_minty + lower, sides + [0] * 6))
    assert isinstance(result, Optimal) and result.value == -(5**6)


def test_degenerate_and_empty_programs() -> None:
    assert isinstance(solve(linear_program([0, 0])), Optimal)
    assert isinstance(solve(linear_program([1, 0])), Unbounded)
    assert isinstance(solve(linear_program([0], A=[[0]], b=[-1])), Infeasible)
    assert isinstance(solve(linear_program([0], E=[[1], [1]], f=[1, 2])), Infeasible)
    assert isinstance(solve(linear_program([1], E=[[1], [2]], f=[1, 2])), Optimal)
    assert isinstance(solve(quadratic_program([[0]], [1])), Unbounded)
    assert isinstance(solve(quadratic_program([[0]], [0])), Optimal)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="not positive semidefinite"):
        quadratic_program([[-1]], [0])
    with pytest.raises(InputError, match=r"A\[0\]: 1 entries for 2 variables"):
        linear_program([1, 2], A=[[1]], b=[0])
    with pytest.raises(InputError, match="b: not one number for each of the 1 rows"):
        linear_program([1], A=[[1]], b=[])


def test_an_answer_that_is_not_one_does_not_stand() -> None:
    program = linear_program([1], A=[[-1]], b=[0])
    good = solve(program)
    assert isinstance(good, Optimal) and stands(program, good)
    zero = (fmpq(0),)
    for bad in (Optimal((fmpq(1),), (fmpq(1),), (), fmpq(1), (fmpq(1),)), Optimal(zero, zero, (), fmpq(0), zero),
                Optimal(zero, (fmpq(-1),), (), fmpq(0), zero), Infeasible((fmpq(1),), ()), Unbounded(zero, (fmpq(-1),)),
                Unbounded((fmpq(-1),), (fmpq(1),))):
        assert not stands(program, bad)


def test_the_simplex_method_itself() -> None:
    plane = Columns([[fmpq(v).p for v in column] for column in ((1, 0), (0, 1), (-1, -1))], 2)
    assert isinstance(minimise(plane, [fmpq(1).p, fmpq(1).p]), Basic)
    assert isinstance(minimise(plane, [fmpq(-1).p, fmpq(2).p], None, (), 2), Outside)
    found = minimise(plane, [fmpq(1).p, fmpq(1).p], [fmpq(-1).p] * 3)
    assert isinstance(found, Falling) and all(w >= 0 for w in found.ray.values())
