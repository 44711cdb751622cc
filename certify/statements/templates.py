"""Templates: what `certify new SYSTEM` prints, a commented claim file and an instance that it can be checked on."""
from __future__ import annotations

from ..errors import InputError

HEAD = """\
# A claim about {about}. Everything after # is a comment.
#   certify lint FILE                          is it well formed?
#   certify check FILE INSTANCE.json -o CERT   decide it on one instance
#   certify new {system} --instance{pad} prints such an instance
#   certify verify CERT                        check the certificate again, independently
# certify words lists every word; docs/LANGUAGE.md explains them.

claim mine/first                               # the id: folder/name
"""

HARDMAX = """\
  title   "Tokens stay in the ball that holds them at the start"
  source  "my notes, Lemma 1"
  reading "the ball is closed; every selection of the argmax"   # how you read an unclear point of the source

  # The dynamics, and what a token does if several leaders tie: every, average-points or average-indices.
  # hardmax: x[i, t+1] = (1 - g[t])*x[i, t] + g[t]*x[j, t], where token j maximises <B[t]*x[i, t], x[j, t]>.
  system  hardmax, selection every

  # Data of your own: the instance has a key of this name. Sorts: scalar, vector, matrix, cloud.
  given   radius: scalar >= 0

  # Definitions. Indices [ ] are times (r, s, t) or tokens (i, j, k, l); arguments ( ) are vectors.
  where   size(u) = <u, u>

  # Assumptions, each with a label. If one is false on an instance the verdict is vacuous.
  assume  H1: forall t: psd(B[t])
          H2: forall i: size(x[i, 0]) <= radius^2

  # What is claimed under the assumptions. Times are 0, 1, 2, ...
  assert  forall t, i: size(x[i, t]) <= radius^2
"""

HARDMAX_MATRIX = """\
  title   "No score falls below the lowest at the start"
  source  "my notes, Lemma 2"
  reading "the bound is for every token and time; every selection of the argmax"   # how you read the source

  # The dynamics, and what a token does if several leaders tie: every, average-points or average-indices.
  # hardmax-matrix: x[i, t+1] = x[i, t] + P*(x[j, t] - x[i, t]), where token j maximises <B[t]*x[i, t], x[j, t]>.
  # An instance gives P, or V with P = (I + V)^-1 V. There is no closed form for it yet: times up to the horizon.
  system  hardmax-matrix, selection every

  # Data of your own: the instance has a key of this name. Sorts: scalar, vector, matrix, cloud.
  given   w: vector

  # Definitions. Indices [ ] are times (r, s, t) or tokens (i, j, k, l); arguments ( ) are vectors.
  where   score[i, t] = <w, x[i, t]>

  # Assumptions, each with a label. If one is false on an instance the verdict is vacuous.
  assume  H1: psd(P)
          H2: forall t: B[t] = B[0]

  # What is claimed under the assumptions. Times are 0, 1, 2, ...
  assert  forall t, i: score[i, t] >= (min j: score[j, 0])
"""

NONE = """\
  title   "A quadratic form is at most the largest eigenvalue"
  source  "my notes, Lemma 3"
  reading "M is symmetric; w is any vector"     # how you read an unclear point of the source

  # No dynamics, no tokens, no times: a statement about the given data alone.
  system  none

  # The data: the instance has a key of each name. Sorts: scalar, vector, matrix, cloud.
  given   M: matrix;
          w: vector

  # Definitions. Arguments ( ) are vectors.
  where   form(u) = <M*u, u>

  # Assumptions, each with a label. If one is false on an instance the verdict is vacuous.
  assume  H1: psd(M)
          H2: w != 0

  # What is claimed under the assumptions.
  assert  form(w)/<w, w> <= lambda_max(M)
"""

TEMPLATES = {"hardmax": ("the hardmax layer", HARDMAX),
             "hardmax-matrix": ("the hardmax layer with a matrix step", HARDMAX_MATRIX),
             "none": ("given data without dynamics", NONE)}
INSTANCES = {
    "hardmax": """\
{
  "system": "hardmax",
  "x": [["1", "0"], ["-1", "1"], ["0", "-3/2"], ["1/4", "1/3"]],
  "B": [["2", "1"], ["1", "2"]],
  "g": "1/(t+2)",
  "radius": "3/2"
}
""",
    "hardmax-matrix": """\
{
  "system": "hardmax-matrix",
  "x": [["1", "0"], ["-1", "1"], ["0", "-3/2"]],
  "B": [["2", "1"], ["1", "2"]],
  "P": [["1/2", "0"], ["0", "1/4"]],
  "w": ["1", "0"]
}
""",
    "none": """\
{
  "system": "none",
  "M": [["2", "1"], ["1", "3"]],
  "w": ["1", "1/2"]
}
"""}


def template(system_name: str) -> str:
    """A commented claim file about a system that parses as it stands."""
    about, body = TEMPLATES[_known(system_name)]
    return HEAD.format(about=about, system=system_name, pad=" " * (19 - len(system_name))) + body


def instance_template(system_name: str) -> str:
    """An instance file, as JSON, for the claim of `template`."""
    return INSTANCES[_known(system_name)]


def _known(system_name: str) -> str:
    if system_name not in TEMPLATES:
        raise InputError(f"no template for system {system_name!r}; there is one for {', '.join(TEMPLATES)}")
    return system_name
