"""Linear and convex quadratic programs over Q: floats find, exact arithmetic decides.

One convention, everywhere: a program is

    minimise 1/2 <Q x, x> + <c, x>   subject to   A x <= b,  E x = f,   x free,

with Q = 0 for a linear program. Its answers, all exact:

    Optimal      x, y >= 0, z with  Q x + c + A' y + E' z = 0  and  y_k (b - A x)_k = 0 for every k
    Infeasible   y >= 0, z with  A' y + E' z = 0  and  <b, y> + <f, z> < 0  (Farkas)
    Unbounded    a feasible x and a ray r with  A r <= 0,  E r = 0,  Q r = 0,  <c, r> < 0

A floating-point solver only proposes where to start; a solver that fails, lies or is missing changes the time that an
answer takes and never the answer.
"""

from certify.programs.program import (
    Infeasible,
    LinearProgram,
    Optimal,
    QuadraticProgram,
    Result,
    Unbounded,
    linear_program,
    quadratic_program,
)
from certify.programs.solving import solve, solve_many

__all__ = [
    "Infeasible",
    "LinearProgram",
    "Optimal",
    "QuadraticProgram",
    "Result",
    "Unbounded",
    "linear_program",
    "quadratic_program",
    "solve",
    "solve_many",
]
