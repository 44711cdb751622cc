"""The same tree as presentation MathML: browsers typeset it without a script or a font from elsewhere.

It follows the LaTeX of `statements/latex.py`, tokens below and times above, and its parentheses; every name and every
piece of prose is escaped, for a certificate may come from anyone.
"""
from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from ..statements.latex import AND, ATOM, COMPARISON, FORMULA, GREEK, IFF, IMPLIES, NOT, OR, POWER, PRODUCT, SIGNED, SUM
from ..statements.latex import FORMULAS as STATING
from ..verifier.sorts import TOKEN, Tree, sort_of_name

RELATIONS = {"le": "≤", "lt": "<", "ge": "≥", "gt": ">", "eq": "=", "ne": "≠", "in": "∈", "subset": "⊆"}
CONNECTIVES = {"iff": (IFF, "⇔"), "implies": (IMPLIES, "⇒"), "or": (OR, "∨"), "and": (AND, "∧")}
DEFINITE = {"psd": "⪰", "pd": "≻"}
FUNCTIONS = {"hull": "conv", "trace": "tr", "vertices": "vert", "interior": "int", "min_over": "minimum"}
FENCES = {"norm": ("‖", "‖"), "abs": ("|", "|"), "card": ("|", "|"), "inner": ("⟨", "⟩")}
CONSTANTS = {"identity": "I", "token_count": "n", "dimension": "d", "tokens": "tokens"}
FOLDS = {"sum": "∑", "prod": "∏", "mean": "mean", "least": "min", "greatest": "max", "argmax": "arg max",
         "argmin": "arg min"}
SMALL = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
         "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
         "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω"}
LETTERS = {name: SMALL[name.lower()].upper() if name[0].isupper() else SMALL[name] for name in GREEK}
SPACES = {"scalar": "ℝ", "vector": "ℝ<sup>d</sup>", "matrix": "ℝ<sup>d×d</sup>", "cloud": "ℝ<sup>d</sup>, finite"}
TAG = re.compile("<[^>]*>")
UNBROKEN = 24  # signs of a formula that stay on one line


def math(tree: Tree, display: bool = False) -> str:
    """A formula as a <math> element.

    Examples
    --------
    >>> math(["lt", ["num", "1"], ["var", "s"]])
    '<math><mrow><mn>1</mn><mo>&lt;</mo><mi>s</mi></mrow></math>'
    """
    opening = '<math display="block">' if display else "<math>"
    return f"{opening}{term(tree)}</math>"


def breaking(tree: Tree) -> str:
    """A formula as several <math> elements where it is long: browsers break lines between them, never inside one."""
    return " ".join(f"<math>{piece}</math>" for piece in _pieces(tree, 0))


def _pieces(tree: Tree, level: int) -> list[str]:
    own, whole = _written(tree)
    operator, args = tree[0], tree[1:]
    if len(TAG.sub("", whole)) <= UNBROKEN or operator not in (*CONNECTIVES, *RELATIONS, "forall", "exists"):
        return [term(tree, level)]
    if own < level:
        first, *rest = _pieces(tree, 0)
        found = [_row('<mo stretchy="false" form="prefix">(</mo>', first), *rest]
        return [*found[:-1], _row(found[-1], '<mo stretchy="false" form="postfix">)</mo>')]
    if operator in ("forall", "exists"):
        return [_quantifier(operator, args[0]), *_pieces(args[1], 0)]
    if operator in RELATIONS:
        return [term(args[0], SUM), _row(_sign(RELATIONS[operator]), term(args[1], SUM))]
    left, right = _levels(operator)
    first, *rest = _pieces(args[1], right)
    return [*_pieces(args[0], left), _row(_sign(CONNECTIVES[operator][1]), '<mspace width="0.4em"/>', first), *rest]


def term(tree: Tree, level: int = 0) -> str:
    """MathML of a term or formula, in parentheses if it binds less tightly than `level`."""
    own, text = _written(tree)
    return _fenced("(", text, ")") if own < level else text


def definition(where: Tree, formulas: set[str]) -> str:
    """A definition as one <math>; `formulas` collects the names of those that state something."""
    name, indices, parameters, body = where
    head = term(["use", name, [["var", p] for p in indices], [["var", p] for p in parameters]])
    states = body[0] in STATING or (body[0] == "use" and body[1] in formulas)
    if states:
        formulas.add(name)
    return f"<math>{_row(head, _sign(':⇔' if states else '='), term(body))}</math>"


def step(system: Tree) -> str:
    """The dynamics as one <math>: x_i at t + 1."""
    def timed(tree: Tree) -> Tree:
        if not isinstance(tree, list):
            return tree
        return [*tree, ["var", "t"]] if tree[:2] == ["at", "x"] and len(tree) == 3 else [timed(part) for part in tree]

    after = ["at", "x", ["var", "i"], ["add", ["var", "t"], ["num", "1"]]]
    return f"<math>{_row(term(after), _sign('='), term(timed(system[3])))}</math>"


def given(entry: Tree) -> str:
    """A given as HTML: its name, where it lives, its bound."""
    name = f"<math>{_name(entry[0])}</math>"
    limit = f", <math>{_row(_name(entry[0]), _sign(RELATIONS[entry[2]]), term(entry[3]))}</math>" \
        if len(entry) == 4 else ""
    return f"{name} ∈ {SPACES[entry[1]]}{limit}"


# ---- elements

def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _sign(sign: str) -> str:
    return f"<mo>{escape(sign)}</mo>"


def _word(word: str) -> str:
    return f'<mi mathvariant="normal">{escape(word)}</mi>'


def _text(words: str) -> str:
    return f"<mtext>{escape(words)}</mtext>"


def _fenced(left: str, inside: str, right: str) -> str:
    return _row(f'<mo fence="true" form="prefix">{left}</mo>', inside, f'<mo fence="true" form="postfix">{right}</mo>')


def _listed(parts: list[str]) -> str:
    return _sign(",").join(parts)


def _name(name: str, below: list[str] | None = None, above: list[str] | None = None) -> str:
    """One letter or a Greek letter as it is, a trailing number below it, anything longer upright."""
    stem = name.rstrip("0123456789")
    number = name[len(stem):]
    stem = stem[:-1] if number and stem.endswith("_") else stem
    under = list(below or [])
    if len(stem) == 1 or stem in LETTERS:
        letter = f"<mi>{escape(LETTERS.get(stem, stem))}</mi>"
        under = [f"<mn>{number}</mn>", *under] if number else under
    else:
        letter = _word(name)
    if under and above:
        return f"<msubsup>{letter}{_row(_listed(under))}{_row(_listed(above))}</msubsup>"
    if under:
        return f"<msub>{letter}{_row(_listed(under))}</msub>"
    return f"<msup>{letter}{_row(_listed(above))}</msup>" if above else letter


def _indexed(name: str, indices: list[Tree]) -> tuple[int, str]:
    below = [term(index) for index in indices if _is_token(index)]
    above = [term(index) for index in indices if not _is_token(index)]
    return (POWER if above else ATOM), _name(name, below, above)


def _is_token(tree: Tree) -> bool:
    return bool(tree[0] == "var" and sort_of_name(tree[1]) == TOKEN)


# ---- operators

def _written(tree: Tree) -> tuple[int, str]:
    operator, args = tree[0], tree[1:]
    if operator in WRITERS:
        return WRITERS[operator](args)
    if operator in RELATIONS:
        return COMPARISON, _row(term(args[0], SUM), _sign(RELATIONS[operator]), term(args[1], SUM))
    if operator in CONNECTIVES:
        own, sign = CONNECTIVES[operator]
        left, right = _levels(operator)
        return own, _row(term(args[0], left), '<mspace width="0.5em"/>', _sign(sign), '<mspace width="0.5em"/>',
                         term(args[1], right))
    if operator in DEFINITE:
        return COMPARISON, _row(term(args[0], SUM), _sign(DEFINITE[operator]), "<mn>0</mn>")
    if operator in ("forall", "exists"):
        return FORMULA, _row(_quantifier(operator, args[0]), '<mspace width="0.4em"/>', term(args[1]))
    if operator in FOLDS:
        return PRODUCT, _row(_fold(operator, args[0]), '<mspace width="0.2em"/>', term(args[1], PRODUCT))
    if operator in FENCES:
        opening, closing = FENCES[operator]
        return ATOM, _fenced(opening, _listed([term(a) for a in args]), closing)
    if operator in ("min", "max"):
        return ATOM, _row(_word(operator), _fenced("{", _listed([term(a) for a in args]), "}"))
    if operator in CONSTANTS:
        name = CONSTANTS[operator]
        return ATOM, _word(name) if len(name) > 1 else f"<mi>{name}</mi>"
    # every other word is a function, also one that a later version of the language adds
    inside = _listed([term(a) for a in args])
    return ATOM, _row(_word(FUNCTIONS.get(operator, str(operator))), _fenced("(", inside, ")"))


def _quantifier(operator: str, binders: list[Tree]) -> str:
    names = (_sign(",") + '<mspace width="0.2em"/>').join(map(_binder, binders))
    return _row(_sign("∀" if operator == "forall" else "∃"), names, _sign(":"))


def _levels(connective: str) -> tuple[int, int]:
    """How tightly the sides of a connective must bind."""
    own = CONNECTIVES[connective][0]
    return own + (connective in ("implies", "iff")), own + (connective != "implies")


def _fold(operator: str, binder: Tree) -> str:
    large = operator in ("sum", "prod")
    sign = f'<mo movablelimits="false">{FOLDS[operator]}</mo>' if large else _word(FOLDS[operator])
    if large and len(binder) > 1 and binder[1] in ("in", "le"):
        low = term(binder[2]) if binder[1] == "in" else "<mn>0</mn>"
        return f"<munderover>{sign}{_row(_name(binder[0]), _sign('='), low)}{term(binder[-1])}</munderover>"
    return f"<munder>{sign}{_row(_binder(binder))}</munder>"


def _binder(tree: Tree) -> str:
    name = _name(tree[0])
    if len(tree) == 1:
        return name
    if tree[1] == "share":
        return _row(name, _sign("∈"), _sign("("), "<mn>0</mn>", _sign(","), "<mn>1</mn>", _sign("]"))
    if tree[1] == "in":
        return _row(term(tree[2], SUM), _sign("≤"), name, _sign("≤"), term(tree[3], SUM))
    return _row(name, _sign("∈" if tree[1] == "of" else RELATIONS[tree[1]]), term(tree[2], SUM))


def _sum(sign: str) -> Callable[[list[Tree]], tuple[int, str]]:
    return lambda args: (SUM, _row(term(args[0], ATOM if args[0][0] in FOLDS else SUM), _sign(sign),
                                   term(args[1], PRODUCT)))


def _product(args: list[Tree]) -> tuple[int, str]:
    left = term(args[0], ATOM if args[0][0] in FOLDS else PRODUCT)
    right = term(args[1], PRODUCT if args[1][0] in FOLDS else SIGNED)
    joint = "·" if right.startswith(("<mn>", "<mrow><mn>", "<mfrac>")) else "\u2062"
    space = '<mspace width="0.1em"/>' if joint == "\u2062" and args[0][0] in ("at", "use", "var") else ""
    return PRODUCT, _row(left, space, _sign(joint), right)


def _use(args: list[Tree]) -> tuple[int, str]:
    own, text = _indexed(args[0], args[1])
    return (ATOM, _row(text, _fenced("(", _listed([term(a) for a in args[2]]), ")"))) if args[2] else (own, text)


def _at_infinity(name: str) -> str:
    return _row(_name(name), _sign("→"), "<mi>∞</mi>")


WRITERS: dict[str, Callable[[list[Tree]], tuple[int, str]]] = {
    "num": lambda args: (ATOM, f"<mn>{escape(str(args[0]))}</mn>"),
    "var": lambda args: (ATOM, _name(args[0])),
    "at": lambda args: _indexed(args[0], args[1:]),
    "use": _use,
    "add": _sum("+"), "sub": _sum("−"), "mul": _product,
    "pow": lambda args: (POWER, f"<msup>{_row(term(args[0], ATOM))}{_row(term(args[1]))}</msup>"),
    "neg": lambda args: (SUM, _row(_sign("−"), term(args[0], PRODUCT))),
    "div": lambda args: (POWER, f"<mfrac>{_row(term(args[0]))}{_row(term(args[1]))}</mfrac>"),
    "sqrt": lambda args: (ATOM, f"<msqrt>{term(args[0])}</msqrt>"),
    "transpose": lambda args: (POWER, f"<msup>{_row(term(args[0], ATOM))}<mo>⊤</mo></msup>"),
    "lambda_max": lambda args: (ATOM, _row(f"<msub><mi>λ</mi>{_word('max')}</msub>", _fenced("(", term(args[0]), ")"))),
    "not": lambda args: (NOT, _row(_sign("¬"), term(args[0], SUM))),
    "set": lambda args: (ATOM, _fenced("{", _row(_binder(args[0]), _sign(":"), term(args[1])), "}")),
    "tends": lambda args: (COMPARISON, _row(f"<munder>{_word('lim')}{_at_infinity(args[0])}</munder>",
                                            '<mspace width="0.2em"/>', term(args[1], PRODUCT), _sign("="),
                                            term(args[2], SUM))),
    "bigO": lambda args: (COMPARISON, _row(term(args[1], SUM), _sign("="), "<mi>O</mi>",
                                           _fenced("(", term(args[2]), ")"), _text(" as "), _at_infinity(args[0]))),
    "geometric": lambda args: (COMPARISON, _row(
        term(args[1], SUM), _sign("="), "<mi>O</mi>", _fenced("(", f"<msup><mi>q</mi>{_name(args[0])}</msup>", ")"),
        _text(" for some "), "<mn>0</mn>", _sign("≤"), "<mi>q</mi>", _sign("<"), "<mn>1</mn>")),
}
