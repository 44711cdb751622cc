"""The same tree as LaTeX: what a mathematician would write, with nothing but amsmath.

Tokens become subscripts and times superscripts, so x[i, t + 1] is x_i^{t+1}. As in the canonical text a part is put in
parentheses if it binds less tightly than its place asks for; a fraction or a root groups by itself.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..verifier.sorts import TOKEN, Tree, sort_of_name

FORMULA, IFF, IMPLIES, OR, AND, NOT, COMPARISON, SUM, PRODUCT, SIGNED, POWER, ATOM = range(12)
RELATIONS = {"le": r"\le", "lt": "<", "ge": r"\ge", "gt": ">", "eq": "=", "ne": r"\ne", "in": r"\in",
             "subset": r"\subseteq"}
CONNECTIVES = {"iff": (IFF, r"\Leftrightarrow"), "implies": (IMPLIES, r"\Rightarrow"), "or": (OR, r"\vee"),
               "and": (AND, r"\wedge")}
CHAINS = ({"le", "lt", "eq"}, {"ge", "gt", "eq"})
FUNCTIONS = {"lambda_max": r"\lambda_{\max}", "diam": r"\operatorname{diam}", "hull": r"\operatorname{conv}",
             "trace": r"\operatorname{tr}", "pick": r"\operatorname{pick}",
             "vertices": r"\operatorname{vert}", "lmo": r"\operatorname{lmo}", "support": r"\operatorname{support}",
             "edge": r"\operatorname{edge}", "nearest": r"\operatorname{nearest}",
             "min_over": r"\operatorname{minimum}", "interior": r"\operatorname{int}",
             "relint": r"\operatorname{relint}", "cell": r"\operatorname{cell}",
             "voronoi": r"\operatorname{voronoi}", "point": r"\operatorname{point}", "box": r"\operatorname{box}"}
FENCES = {"norm": (r"\lVert ", r" \rVert"), "abs": (r"\lvert ", r" \rvert"), "card": (r"\lvert ", r" \rvert"),
          "min": (r"\min\{", r"\}"), "max": (r"\max\{", r"\}"), "sqrt": (r"\sqrt{", "}"),
          "inner": (r"\langle ", r" \rangle")}
DEFINITE = {"psd": r"\succeq", "pd": r"\succ"}
CONSTANTS = {"identity": "I", "token_count": "n", "dimension": "d", "tokens": r"\mathrm{tokens}"}
FOLDS = {"sum": r"\sum", "prod": r"\prod", "mean": r"\operatorname*{mean}", "least": r"\min", "greatest": r"\max",
         "argmax": r"\operatorname*{arg\,max}", "argmin": r"\operatorname*{arg\,min}"}
WITH_LIMITS = ("sum", "prod")  # written with a lower and an upper limit
QUANTIFIERS = {"forall": r"\forall", "exists": r"\exists"}
FORMULAS = {*RELATIONS, *CONNECTIVES, *DEFINITE, *QUANTIFIERS, "not", "tends", "bigO", "geometric"}
GREEK = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
         "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi",
         "Pi", "Sigma", "Phi", "Psi", "Omega"}
TALL = (r"\frac", r"\sum", r"\prod", r"\min_", r"\max_", r"\operatorname*", r"\lim")
SPECIAL = {"\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
           "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
           ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''"}
SPACES = {"scalar": r"\in \mathbf{R}", "vector": r"\in \mathbf{R}^{d}", "matrix": r"\in \mathbf{R}^{d \times d}",
          "cloud": r"\subset \mathbf{R}^{d} \text{ finite}"}


def latex_term(tree: Tree, level: int = 0) -> str:
    r"""LaTeX of a term or formula, in parentheses if it binds less tightly than `level`.

    Examples
    --------
    >>> latex_term(["le", ["norm", ["at", "x", ["var", "i"], ["add", ["var", "t"], ["num", "1"]]]], ["num", "2"]])
    '\\lVert x_i^{t+1} \\rVert \\le 2'
    """
    own, text = _written(tree)
    return _parentheses(text) if own < level else text


def latex_claim(claim_tree: Tree, system_tree: Tree) -> str:
    """A whole claim with its dynamics: text that compiles in any document that loads amsmath."""
    _, name, kind, prose, choice, givens, wheres, assumptions, assertion = claim_tree
    title = r"\noindent\textbf{" + escaped(prose[0] or kind.capitalize()) + r"} (\texttt{" + escaped(name) + "})"
    parts = [title + (r", an exhibit" if kind == "exhibit" else "")]
    for label, text in zip(("Source", "Reading"), prose[1:], strict=True):
        parts += [rf"\emph{{{label}.}} {escaped(text)}"] if text else []
    if system_tree is not None:
        parts.append(rf"\emph{{System}} \texttt{{{escaped(choice[0])}}}, selection {escaped(choice[1])}:")
        parts.append(_display(_step(system_tree)))
    if givens:
        parts += [r"\emph{Given}", _display(r",\quad ".join(map(_given, givens)))]
    if wheres:
        parts += [r"\emph{Where}", _definitions(wheres)]
    if assumptions:
        lines = [rf"  \item[{escaped(label)}] ${latex_term(formula)}$" for label, formula in assumptions]
        parts += [r"\emph{Assume}", "\n".join([r"\begin{description}", *lines, r"\end{description}"])]
    parts += [r"\emph{Value}" if kind == "value" else r"\emph{Assert}", _display(latex_term(assertion))]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    """Prose with the characters that LaTeX reserves written out."""
    return "".join(SPECIAL.get(character, character) for character in text)


# ---- parts of a claim

def _display(formula: str) -> str:
    return "\\[\n  " + formula + "\n\\]"


def _step(system: Tree) -> str:
    """The step with its time: in a system x[i] is the position at t."""
    def timed(tree: Any) -> Any:
        if not isinstance(tree, list):
            return tree
        if tree[:2] == ["at", "x"] and len(tree) == 3:
            return [*tree, ["var", "t"]]
        return [timed(part) for part in tree]

    return "x_i^{t+1} = " + latex_term(timed(system[3]))


def _given(entry: Tree) -> str:
    limit = f" {RELATIONS[entry[2]]} {latex_term(entry[3])}" if len(entry) == 4 else ""
    name = latex_name(entry[0])
    return f"{name} {SPACES[entry[1]]}" + (rf",\ {name}{limit}" if limit else "")


def _definitions(wheres: list[Tree]) -> str:
    formulas: set[str] = set()
    lines = []
    for name, indices, parameters, body in wheres:
        head = latex_term(["use", name, [["var", p] for p in indices], [["var", p] for p in parameters]])
        states = body[0] in FORMULAS or (body[0] == "use" and body[1] in formulas)
        if states:
            formulas.add(name)
        sign = r"\mathrel{:\Leftrightarrow}" if states else "="
        lines.append(f"  {head} &{sign} {latex_term(body)}")
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


# ---- terms and formulas

def _parentheses(text: str) -> str:
    if any(word in text for word in TALL):
        return r"\left(" + text + r"\right)"
    return f"({text})"


def latex_name(name: str, subscripts: str = "", superscripts: str = "") -> str:
    """A name: one letter or a Greek letter as it is, a trailing number below it, anything longer upright."""
    stem = name.rstrip("0123456789")
    number = name[len(stem):]
    stem, joint = (stem[:-1], number) if number and stem.endswith("_") else (stem, number)
    if len(stem) == 1 or stem in GREEK:
        letter = stem if len(stem) == 1 else rf"\{stem}"
        below = ",".join(part for part in (joint, subscripts) if part)
    else:
        letter, below = rf"\mathrm{{{escaped(name)}}}", subscripts
    low = "" if not below else f"_{below}" if len(below) == 1 else f"_{{{below}}}"
    return letter + low + (f"^{{{superscripts}}}" if superscripts else "")


def _indexed(name: str, indices: list[Tree]) -> tuple[int, str]:
    """Tokens below, times above."""
    below = [index for index in indices if _is_token(index)]
    above = [index for index in indices if not _is_token(index)]
    text = latex_name(name, ",".join(map(_small, below)), ",".join(map(_small, above)))
    return (POWER if above else ATOM), text


def _is_token(tree: Tree) -> bool:
    return bool(tree[0] == "var" and sort_of_name(tree[1]) == TOKEN)


def _small(tree: Tree) -> str:
    """A term in an index, without spaces around its signs."""
    return latex_term(tree).replace(" + ", "+").replace(" - ", "-")


def _written(tree: Tree) -> tuple[int, str]:
    """How tightly a tree binds, and its text."""
    operator, args = tree[0], tree[1:]
    if operator in WRITERS:
        return WRITERS[operator](args)
    if operator in RELATIONS:
        return COMPARISON, f"{latex_term(args[0], SUM)} {RELATIONS[operator]} {latex_term(args[1], SUM)}"
    if operator in CONNECTIVES:
        return _connective(operator, args)
    if operator in DEFINITE:
        return COMPARISON, f"{latex_term(args[0], SUM)} {DEFINITE[operator]} 0"
    if operator in QUANTIFIERS:
        names = r",\ ".join(map(_binder, args[0]))
        return FORMULA, rf"{QUANTIFIERS[operator]} {names}:\ {latex_term(args[1])}"
    if operator in FOLDS:
        return PRODUCT, f"{FOLDS[operator]}{_range(operator, args[0])} {latex_term(args[1], PRODUCT)}"
    if operator in FUNCTIONS:
        return ATOM, FUNCTIONS[operator] + _parentheses(", ".join(map(latex_term, args)))
    if operator in FENCES:
        left, right = FENCES[operator]
        return ATOM, left + ", ".join(map(latex_term, args)) + right
    return ATOM, CONSTANTS[operator]


def _connective(operator: str, args: list[Tree]) -> tuple[int, str]:
    chained = _chain(args) if operator == "and" else None
    if chained is not None:
        return AND, chained
    own, sign = CONNECTIVES[operator]
    left, right = (own + 1, own) if operator == "implies" else (own, own + 1)
    if operator == "iff":
        left = own + 1
    return own, rf"{latex_term(args[0], left)} \ {sign}\  {latex_term(args[1], right)}"


def _chain(args: list[Tree]) -> str | None:
    """a <= b and b <= c as one chain."""
    first, second = args
    if not any(first[0] in signs and second[0] in signs for signs in CHAINS) or first[2] != second[1]:
        return None
    return f"{latex_term(first)} {RELATIONS[second[0]]} {latex_term(second[2], SUM)}"


def _sum(sign: str) -> Callable[[list[Tree]], tuple[int, str]]:
    def written(args: list[Tree]) -> tuple[int, str]:
        left = latex_term(args[0], SUM if _last_fold(args[0]) in (None, *WITH_LIMITS) else ATOM)
        return SUM, f"{left} {sign} {latex_term(args[1], PRODUCT)}"
    return written


def _product(args: list[Tree]) -> tuple[int, str]:
    left = latex_term(args[0], PRODUCT if _last_fold(args[0]) is None else ATOM)
    right = latex_term(args[1], PRODUCT if args[1][0] in FOLDS else SIGNED)
    joint = " "
    if right[0].isdigit() or (left[-1].isdigit() and right.startswith(r"\frac")):
        joint = r" \cdot "
    elif right.startswith(("(", r"\left(")) and args[0][0] in ("at", "use", "var"):
        joint = r"\, "  # not an application
    return PRODUCT, left + joint + right


def _last_fold(tree: Tree) -> str | None:
    """The fold whose body ends a tree's text: it would take in a factor that follows."""
    if tree[0] in ("add", "sub", "mul", "neg"):
        return _last_fold(tree[-1])
    return str(tree[0]) if tree[0] in FOLDS else None


def _power(args: list[Tree]) -> tuple[int, str]:
    return POWER, f"{latex_term(args[0], ATOM)}^{{{_small(args[1])}}}"


def _use(args: list[Tree]) -> tuple[int, str]:
    name, indices, arguments = args
    own, text = _indexed(name, indices)
    return (ATOM, text + _parentheses(", ".join(map(latex_term, arguments)))) if arguments else (own, text)


def _set(args: list[Tree]) -> tuple[int, str]:
    return ATOM, rf"\{{ {_binder(args[0])} : {latex_term(args[1])} \}}"


def _tends(args: list[Tree]) -> tuple[int, str]:
    time = latex_name(args[0])
    return COMPARISON, rf"\lim_{{{time} \to \infty}} {latex_term(args[1], PRODUCT)} = {latex_term(args[2], SUM)}"


def _big_o(args: list[Tree]) -> tuple[int, str]:
    inside = _parentheses(latex_term(args[2]))
    return COMPARISON, rf"{latex_term(args[1], SUM)} = O{inside} \text{{ as }} {latex_name(args[0])} \to \infty"


def _geometric(args: list[Tree]) -> tuple[int, str]:
    time = latex_name(args[0])
    return COMPARISON, rf"{latex_term(args[1], SUM)} = O(q^{{{time}}}) \text{{ for some }} 0 \le q < 1"


def _binder(tree: Tree) -> str:
    name = latex_name(tree[0])
    if len(tree) == 1:
        return name
    if tree[1] == "share":
        return rf"{name} \in (0, 1]"
    if tree[1] == "in":
        return rf"{latex_term(tree[2], SUM)} \le {name} \le {latex_term(tree[3], SUM)}"
    sign = r"\in" if tree[1] == "of" else RELATIONS[tree[1]]
    return f"{name} {sign} {latex_term(tree[2], SUM)}"


def _range(operator: str, binder: Tree) -> str:
    """What stands below (and above) the sign of a fold."""
    if operator in WITH_LIMITS and len(binder) > 1 and binder[1] in ("in", "le"):
        low = _small(binder[2]) if binder[1] == "in" else "0"
        return f"_{{{latex_name(binder[0])}={low}}}^{{{_small(binder[-1])}}}"
    return f"_{{{_binder(binder)}}}"


WRITERS: dict[str, Callable[[list[Tree]], tuple[int, str]]] = {
    "num": lambda args: (ATOM, str(args[0])),
    "var": lambda args: (ATOM, latex_name(args[0])),
    "at": lambda args: _indexed(args[0], args[1:]),
    "use": _use,
    "add": _sum("+"), "sub": _sum("-"), "mul": _product, "pow": _power, "set": _set,
    "neg": lambda args: (SUM, "-" + latex_term(args[0], PRODUCT)),
    "div": lambda args: (POWER, rf"\frac{{{latex_term(args[0])}}}{{{latex_term(args[1])}}}"),
    "transpose": lambda args: (POWER, latex_term(args[0], ATOM) + r"^{\top}"),
    "not": lambda args: (NOT, r"\neg " + latex_term(args[0], SUM)),
    "tends": _tends, "bigO": _big_o, "geometric": _geometric,
}
