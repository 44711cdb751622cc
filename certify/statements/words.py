"""Every word of the language: signatures, one sentence of meaning, and an example that parses.

Signatures come from the verifier's own table, so what `certify words` prints cannot drift from what is checked.
An example is a formula, read in the context of `CONTEXT`, or a whole claim or system.
"""
from __future__ import annotations

from dataclasses import dataclass

from ..verifier import printer
from ..verifier.sorts import FOLDS, SIGNATURES, TOKEN_SETS

CONTEXT = """claim words/example
  system  hardmax, selection every
  given   a: scalar >= 0; w: vector; M: matrix; c: cloud
  where   J[t](u) = 1/2*<B[t]*u, u>;
          small[i, t] = norm(x[i, t]) <= 1
  assert  """
SIMPLE = "claim mine/first system none given a: scalar"
# how an operator of the tree is written, where printer's tables do not say it
WRITTEN = {"neg": "-", "pow": "^", "inner": "< , >", "set": "{ : }"}
SHAPES = {"neg": "-{0}", "pow": "{0}^{1}", "inner": "<{0}, {1}>"}


@dataclass(frozen=True)
class Word:
    """One word: how it is written, the sorts it takes and gives, what it means, an example that parses."""

    name: str
    group: str
    signatures: tuple[str, ...]
    meaning: str
    example: str

    @property
    def example_text(self) -> str:
        """The example as a whole claim or system."""
        return self.example if self.example.startswith(("claim ", "system ")) else CONTEXT + self.example + "\n"


def written(operator: str) -> str:
    """The word by which an operator of the tree is written."""
    if operator in printer.INFIX:
        return printer.INFIX[operator][1]
    tables: tuple[dict[str, str], ...] = (printer.CONSTANTS, printer.PREFIX_FOLDS, WRITTEN)
    return next((table[operator] for table in tables if operator in table), operator)


def signatures(operator: str) -> tuple[str, ...]:
    """The signatures of an operator as text, such as `norm(vector) -> scalar`."""
    word = written(operator)
    if operator in FOLDS:
        return tuple(f"{word} j: {body} -> {result}" for body, result in FOLDS[operator].items())
    if operator in TOKEN_SETS:
        shape = "{j : %s} -> tokens" if operator == "set" else word + " j: %s -> tokens"
        return (shape % TOKEN_SETS[operator],)
    found = []
    for *taken, result in SIGNATURES[operator]:
        if operator in SHAPES:
            text = SHAPES[operator].format(*taken)
        elif operator in printer.INFIX:
            text = f" {word} ".join(taken)
        elif operator == "not":
            text = f"not {taken[0]}"
        else:
            text = f"{word}({', '.join(taken)})" if taken else word
        found.append(f"{text} -> {result}")
    return tuple(found)


def _of(operators: str, group: str, meaning: str, example: str) -> Word:
    """A word whose signatures are those of one or more operators."""
    names = operators.split()
    return Word(written(names[0]), group, tuple(s for name in names for s in signatures(name)), meaning, example)


def _plain(name: str, group: str, forms: str | tuple[str, ...], meaning: str, example: str) -> Word:
    return Word(name, group, (forms,) if isinstance(forms, str) else forms, meaning, example)


_ARITHMETIC = [
    _of("add", "arithmetic", "Sum of two numbers, vectors or matrices, or a time and an integer.",
        "forall t, i: norm(x[i, t + 1] + w) <= a"),
    _of("neg sub", "arithmetic", "Difference, or with one argument the negative.", "forall t: psd(-B[t] - M)"),
    _of("mul", "arithmetic", "Product; never left out; a number stands before a vector or matrix.",
        "forall t: 2*B[t]*w = 0"),
    _of("div", "arithmetic", "Quotient by a number; undefined where the divisor is 0.", "forall t: g[t] = 2/(t + 2)"),
    _of("pow", "arithmetic", "Power with a natural number or a time as exponent.", "forall t: g[t] >= (1/2)^(t + 1)"),
    _of("inner", "arithmetic", "Inner product.", "forall t, i: <B[t]*x[i, t], x[i, t]> >= 0"),
    _of("norm", "arithmetic", "Euclidean norm; its exact square is kept.", "forall t, i: norm(x[i, t]) <= a"),
    _of("sqrt", "arithmetic", "Square root of a number shown to be at least 0; its exact square is kept.",
        "sqrt(2) < 1.5"),
    _of("abs", "arithmetic", "Absolute value of a number whose sign is known.", "abs(a - 1) <= 2"),
    _of("min least", "arithmetic", "The smaller of two numbers, or the least over a range.",
        "forall t: min(a, 1) <= (min i: norm(x[i, t])^2)"),
    _of("max greatest", "arithmetic", "The larger of two numbers, or the greatest over a range.",
        "forall t: (max i: norm(x[i, t])^2) <= max(a, 1)"),
]
_MATRICES = [
    _of("transpose", "matrices", "Transpose of a matrix.", "transpose(M) = M"),
    _of("trace", "matrices", "Sum of the diagonal entries.", "trace(M) >= 0"),
    _of("lambda_max", "matrices", "Largest eigenvalue of a symmetric matrix, exact if it is rational.",
        "lambda_max(M) <= trace(M)"),
    _of("psd", "matrices", "Symmetric and u'Mu >= 0 for all u.", "forall t: psd(B[t])"),
    _of("pd", "matrices", "Symmetric and u'Mu > 0 for all u but 0.", "pd(M + I)"),
    _of("identity", "matrices", "The identity matrix.", "psd(I - M)"),
    _of("dimension", "matrices", "The dimension of the vectors.", "trace(I) = d"),
]
_POINTS = [
    _plain("x", "points", ("x[token, time] -> vector", "x[time] -> cloud"),
           "The tokens: one of them, or all of them at one time as a cloud.", "forall t, i: x[i, t] in hull(x[0])"),
    _of("hull", "points", "Convex hull of finitely many points.", "0 in hull(x[0])"),
    _of("diam", "points", "Largest distance between two points of a hull; its exact square is kept.",
        "forall t: diam(hull(x[t + 1])) <= diam(hull(x[t]))"),
    _of("token_count", "points", "How many tokens there are.", "n >= 2"),
    _of("tokens", "points", "The set of all tokens.", "card(tokens) = n"),
    _of("card", "points", "How many tokens a set has.", "forall t: card({i : small[i, t]}) >= 1"),
    _of("set", "points", "The tokens with a property.", "forall t, i in {j : small[j, 0]}: small[i, t]"),
    _of("vertices", "points", "Indices of the vertices of the hull; of equal points the first.",
        "card(vertices(x[0])) >= 2"),
    _of("edge", "points", "The segment between two points of a cloud is an edge of its hull.",
        "forall i: card({j : edge(x[i, 0], x[j, 0], hull(x[0]))}) >= 1"),
    _of("lmo", "points", "The linear oracle: indices of all points at which <w, .> is least.",
        "forall i in lmo(w, x[0]): <w, x[i, 0]> = -support(-w, hull(x[0]))"),
    _of("support", "points", "The greatest inner product of a vector with a point of a hull.",
        "support(w, hull(x[0])) <= norm(w)*diam(hull(x[0]))"),
    _of("min_over", "points", "Least <M*u, u>/2 + <w, u> over a hull; M must be psd.",
        "forall t, i: J[t](x[i, t + 1]) - min_over(B[t], 0, hull(x[t + 1])) <= a"),
    _of("nearest", "points", "The point of a hull nearest to p in the norm of M.",
        "norm(nearest(0, I, hull(x[0]))) <= a"),
    _of("interior", "points", "The interior of a hull.", "0 in interior(hull(x[0]))"),
    _of("relint", "points", "The relative interior of a hull.", "0 in relint(hull(x[0]))"),
    _of("cell", "points", "The u of a hull with <M*u, v> >= <M*u, y> for all y in it.",
        "forall i: x[i, 0] in cell(B[0], x[i, 0], hull(x[0]))"),
    _of("voronoi", "points", "The u of a hull nearest to v of all points, in the M-norm.",
        "forall i: cell(B[0], x[i, 0], hull(x[0])) = voronoi(B[0], x[i, 0], hull(x[0]))"),
    _of("point", "points", "The part of a hull where u = v: one point, or nothing.",
        "forall i: cell(B[0], x[i, 0], hull(x[0])) = point(x[i, 0], hull(x[0]))"),
    _of("box", "points", "Every coordinate at time 0 is an interval: starts of positive measure.",
        "box(x[0])"),
    _of("argmax", "points", "The tokens at which a number is greatest: all of them.",
        "forall i in (argmax j: <w, x[j, 0]>): <w, x[i, 0]> >= 0"),
    _of("argmin", "points", "The tokens at which a number is least: all of them.",
        "card(argmin j: <w, x[j, 0]>) = 1"),
    _of("pick", "points", "In a system's step only: the point that is selected from a set of leaders.",
        "system mine data B[t]: matrix step x[i] = 1/2*x[i] + 1/2*pick(argmax j: <B[t]*x[i], x[j]>)"),
]
_FOLDS = [
    _of("sum", "folds", "Sum over tokens or a range of times.", "forall t: (sum s in 0..t: g[s]) <= t + 1"),
    _of("prod", "folds", "Product over tokens or a range of times.", "forall t: (prod s in 0..t: 1 - g[s]) >= 0"),
    _of("mean", "folds", "Arithmetic mean over tokens or a range of times; undefined over nothing.",
        "norm(mean i: x[i, 0]) <= a"),
    _plain("..", "folds", "name in time..time", "A range of times, both ends included.",
           "forall t, s in 0..t: g[t] <= g[s]"),
]
_COMPARISONS = [
    _of("eq", "comparisons", "Equality of numbers, vectors, matrices or tokens.", "forall t: g[t] = 2/(t + 2)"),
    _of("ne", "comparisons", "The contrary of =.", "forall i, j: i != j implies x[i, 0] != x[j, 0]"),
    _of("le", "comparisons", "At most; two comparisons may be chained.", "forall t: 0 <= g[t] <= 1"),
    _of("lt", "comparisons", "Less than.", "forall t: g[t] < 1"),
    _of("ge", "comparisons", "At least.", "a >= 0"),
    _of("gt", "comparisons", "Greater than.", "forall t: g[t] > 0"),
    _of("in", "comparisons", "A vector lies in a hull, or a token in a set; also gives the range of a name.",
        "forall t, i in tokens: x[i, t] in hull(c)"),
    _of("subset", "comparisons", "One hull lies in another.", "forall t: hull(x[t + 1]) subset hull(x[t])"),
]
_LOGIC = [
    _of("not", "logic", "Negation.", "not (psd(M) and psd(-M))"),
    _of("and", "logic", "Both.", "psd(M) and trace(M) = 1"),
    _of("or", "logic", "At least one.", "psd(M) or psd(-M)"),
    _of("implies", "logic", "If the left then the right; a quantifier may stand on the right.",
        "psd(M) implies forall t: psd(B[t] + M)"),
    _of("iff", "logic", "Both or neither.", "pd(M) iff lambda_max(-M) < 0"),
    _plain("forall", "logic", "forall names: truth -> truth",
           "For all tokens, times (one without an upper bound) or c in (0, 1].",
           "forall t >= 1, i: norm(x[i, t]) <= a"),
    _plain("exists", "logic", "exists names: truth -> truth", "For at least one token or time.",
           "forall i: exists j: <B[0]*x[i, 0], x[j, 0]> > 0"),
]
_LIMITS = [
    _plain("tends", "limits", ("tends(t: scalar, scalar) -> truth", "tends(t: vector, vector) -> truth"),
           "The first tends to the second as t grows.", "forall i: tends(t: x[i, t], 0)"),
    _plain("bigO", "limits", "bigO(t: scalar, scalar) -> truth",
           "In absolute value the first is at most a constant times the second.",
           "forall i: bigO(t: norm(x[i, t])^2, 1/(t + 1))"),
    _plain("geometric", "limits", "geometric(t: scalar) -> truth",
           "In absolute value at most a constant times q^t for some q < 1.", "forall i: geometric(t: norm(x[i, t])^2)"),
]
_SORTS = [
    _plain("scalar", "sorts", "given a: scalar", "An exact number; a given one may have a range.",
           f"{SIMPLE} >= 0 assert a + 1 > 0"),
    _plain("vector", "sorts", "given w: vector", "A vector of the instance's dimension.",
           "claim mine/first system none given w: vector assert norm(w) <= 1"),
    _plain("matrix", "sorts", "given M: matrix", "A square matrix of the instance's dimension.",
           "claim mine/first system none given M: matrix assert psd(M)"),
    _plain("cloud", "sorts", "given c: cloud", "Finitely many points.",
           "claim mine/first system none given c: cloud assert 0 in hull(c)"),
    _plain("time", "sorts", "t, s1, r", "0, 1, 2, ...: the sort of names that begin with r, s or t.",
           "forall t, s in 0..t: g[t] <= g[s]"),
    _plain("token", "sorts", "i, j2, k, l", "A token: the sort of names that begin with i, j, k or l.",
           "forall i, j: i = j or x[i, 0] != x[j, 0]"),
    _plain("body", "sorts", "hull(cloud)", "A convex hull.", "0 in hull(c)"),
    _plain("region", "sorts", "interior(body)", "A part of a hull: its interior, or a cell.", "0 in relint(hull(c))"),
    _plain("truth", "sorts", "0 <= a", "True, false or undecided.", "forall i: small[i, 0]"),
    _plain("integer", "sorts", "12", "A whole number that is written out; it may stand for a time or a scalar.",
           "forall t >= 2: g[t] <= 2"),
]
_HEADERS = [
    _plain("claim", "file", "claim paper/name", "Begins a claim file and gives the claim its id.",
           f"{SIMPLE} assert a*a >= 0"),
    _plain("title", "file", 'title "text"', "One line on what the claim says.",
           'claim mine/first title "Squares" system none given a: scalar assert a*a >= 0'),
    _plain("source", "file", 'source "text"', "Where the claim is stated.",
           'claim mine/first source "my notes, page 3" system none given a: scalar assert a*a >= 0'),
    _plain("reading", "file", 'reading "text"', "How an unclear point of the source is read.",
           'claim mine/first reading "a is real" system none given a: scalar assert a*a >= 0'),
    _plain("kind", "file", "kind theorem | exhibit | value | statistic",
           "What the claim is; a theorem if nothing is said.",
           "claim mine/first kind exhibit system none given a: scalar assert a > 1"),
    _plain("theorem", "file", "kind theorem", "On every instance that meets the assumptions the assertion is true.",
           "claim mine/first kind theorem system none given a: scalar assert a*a >= 0"),
    _plain("exhibit", "file", "kind exhibit", "Some instance shows this; an instance that does not refutes nothing.",
           "claim mine/first kind exhibit system none given a: scalar assert a > 1"),
    _plain("statistic", "file", "kind statistic", "How often the assertion is true on random starts; decides nothing.",
           "claim mine/first kind statistic system hardmax assert forall i: <x[i, 0], x[i, 0]> > 1"),
    _plain("system", "file", "system name, selection ...", "The dynamics that the claim speaks of.",
           "claim mine/first system hardmax, selection every assert forall t: psd(B[t])"),
    _plain("none", "file", "system none", "No dynamics: a statement about the given data alone.",
           f"{SIMPLE} assert a*a >= 0"),
    _plain("selection", "file", "selection every | average-points | average-indices",
           "What a token does if several leaders tie.",
           "claim mine/first system hardmax, selection average-points assert forall t: psd(B[t])"),
    _plain("every", "file", "selection every", "Every choice among tied leaders counts, mixtures too.",
           "claim mine/first system hardmax, selection every assert forall t: psd(B[t])"),
    _plain("average-points", "file", "selection average-points", "Tied leaders are averaged, each point counted once.",
           "claim mine/first system hardmax, selection average-points assert forall t: psd(B[t])"),
    _plain("average-indices", "file", "selection average-indices",
           "Tied leaders are averaged, each token counted once.",
           "claim mine/first system hardmax, selection average-indices assert forall t: psd(B[t])"),
    _plain("given", "file", "given name: sort; ...", "Data of the claim's own, read from the instance by name.",
           "claim mine/first system none given a: scalar >= 0; w: vector assert norm(w) <= a"),
    _plain("where", "file", "where name[indices](arguments) = body; ...",
           "Definitions, with times or tokens in [ ], vectors in ( ).",
           "claim mine/first system hardmax where J[t](u) = <B[t]*u, u> assert forall t, i: J[t](x[i, t]) >= 0"),
    _plain("assume", "file", "assume label: truth label: truth ...", "The assumptions, each with a label.",
           f"{SIMPLE} assume H1: a > 1 H2: a < 2 assert a*a < 4"),
    _plain("assert", "file", "assert truth", "What is claimed under the assumptions.", f"{SIMPLE} assert a*a >= 0"),
    _plain("value", "file", "value term", "In place of assert: the claim asks for an exact value, with a certificate.",
           "claim mine/first system none given P: cloud value vertices(P)"),
    _plain("data", "file", "data name[t]: sort; ...", "In a system: what an instance provides besides the tokens.",
           "system mine data g[t]: scalar in [0,1] step x[i] = (1 - g[t])*x[i]"),
    _plain("step", "file", "step x[i] = vector", "In a system: the next position of token i.",
           "system mine data A: matrix step x[i] = A*x[i]"),
]

WORDS: dict[str, Word] = {word.name: word for words in (
    _ARITHMETIC, _MATRICES, _POINTS, _FOLDS, _COMPARISONS, _LOGIC, _LIMITS, _SORTS, _HEADERS) for word in words}

__all__ = ["CONTEXT", "WORDS", "Word", "signatures", "written"]
