"""LaTeX of statements: golden examples, and what must hold of any tree (braces, indices, escapes)."""
from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_parse import claims, formula

import certify
from certify.statements.latex import escaped, latex_claim, latex_name, latex_term
from certify.verifier.sorts import Tree

exactly = settings(deadline=None, derandomize=True, max_examples=150)
BEFORE = ("claim a/b system hardmax given a: scalar; mu: scalar; w: vector; M: matrix; c: cloud "
          "where Bs[t] = -B[t]; J[t](u) = <Bs[t]*u, u>; m[t] = g[t]; P[t] = psd(B[t]); share[i, t] = 1/n assert ")

GOLDEN = [
    ("forall t, i: x[i, t + 1] = 0", r"\forall t,\ i:\ x_i^{t+1} = 0"),
    ("forall t, i, j: <B[t]*x[i, t], x[j, t]> >= 0",
     r"\forall t,\ i,\ j:\ \langle B^{t} x_i^{t}, x_j^{t} \rangle \ge 0"),
    ("lambda_max(Bs[0]) <= 2", r"\lambda_{\max}(\mathrm{Bs}^{0}) \le 2"),
    ("diam(hull(x[0]))^2 < 1", r"\operatorname{diam}(\operatorname{conv}(x^{0}))^{2} < 1"),
    ("forall t: psd(Bs[t] - Bs[t + 1])", r"\forall t:\ \mathrm{Bs}^{t} - \mathrm{Bs}^{t+1} \succeq 0"),
    ("pd(M)", r"M \succ 0"),
    ("0 in hull(c)", r"0 \in \operatorname{conv}(c)"),
    ("forall t: hull(x[t]) subset hull(c)", r"\forall t:\ \operatorname{conv}(x^{t}) \subseteq \operatorname{conv}(c)"),
    ("norm(w) != abs(a)", r"\lVert w \rVert \ne \lvert a \rvert"),
    ("forall t: g[t] = 2/(t + 2)", r"\forall t:\ g^{t} = \frac{2}{t + 2}"),
    ("forall t: g[t]^2 = (1/2)^t", r"\forall t:\ (g^{t})^{2} = \left(\frac{1}{2}\right)^{t}"),
    ("0 <= a < 1", r"0 \le a < 1"),
    ("a >= 0 and a <= 1", r"a \ge 0 \ \wedge\  a \le 1"),
    ("psd(M) implies forall t: J[t](w) = 0", r"M \succeq 0 \ \Rightarrow\  (\forall t:\ J^{t}(w) = 0)"),
    ("not a = 1 or P[0]", r"\neg (a = 1) \ \vee\  P^{0}"),
    ("psd(M) iff P[0]", r"M \succeq 0 \ \Leftrightarrow\  P^{0}"),
    ("forall t: (sum s in 0..t: g[s]) + a = 0", r"\forall t:\ \sum_{s=0}^{t} g^{s} + a = 0"),
    ("(sum i: share[i, 0])*2 = 2", r"\left(\sum_{i} \mathrm{share}_i^{0}\right) \cdot 2 = 2"),
    ("2*sum i: share[i, 0] = 2", r"2 \sum_{i} \mathrm{share}_i^{0} = 2"),
    ("(min i: norm(x[i, 0])) + 1 = min(a, 1)", r"\left(\min_{i} \lVert x_i^{0} \rVert\right) + 1 = \min\{a, 1\}"),
    ("(max s <= 4: g[s]) = a", r"\max_{s \le 4} g^{s} = a"),
    ("(prod s <= 4: g[s]) = a", r"\prod_{s=0}^{4} g^{s} = a"),
    ("(mean i: x[i, 0]) = 0", r"\operatorname*{mean}_{i} x_i^{0} = 0"),
    ("card({i : x[i, 0] = w}) = n", r"\lvert \{ i : x_i^{0} = w \} \rvert = n"),
    ("exists i in tokens: i in (argmax j: <w, x[j, 0]>)",
     r"\exists i \in \mathrm{tokens}:\ i \in \operatorname*{arg\,max}_{j} \langle w, x_j^{0} \rangle"),
    ("forall s in 1..9: g[s - 1] > 0", r"\forall 1 \le s \le 9:\ g^{s-1} > 0"),
    ("transpose(M + I)*w = M*w", r"(M + I)^{\top} w = M w"),
    ("mu*(a + 1) = a*2", r"\mu\, (a + 1) = a \cdot 2"),
    ("-a*a - (a - 1) = sqrt(2)", r"(-a) a - (a - 1) = \sqrt{2}"),
    ("forall i: tends(t: x[i, t], 0)", r"\forall i:\ \lim_{t \to \infty} x_i^{t} = 0"),
    ("bigO(t: g[t], 1/t)", r"g^{t} = O\left(\frac{1}{t}\right) \text{ as } t \to \infty"),
    ("geometric(t: g[t])", r"g^{t} = O(q^{t}) \text{ for some } 0 \le q < 1"),
    ("trace(M) = d", r"\operatorname{tr}(M) = d"),
]


@pytest.mark.parametrize(("text", "latex"), GOLDEN)
def test_golden(text: str, latex: str) -> None:
    assert latex_term(formula(text, BEFORE)) == latex


def test_parentheses_by_level() -> None:
    tree = ["add", ["num", "1"], ["num", "2"]]
    assert latex_term(tree) == "1 + 2"
    assert latex_term(tree, 8) == "(1 + 2)"


@pytest.mark.parametrize(("name", "latex"), [("w", "w"), ("mu", r"\mu"), ("a1", "a_1"), ("t12", "t_{12}"),
                                             ("a_2", "a_2"), ("Bs", r"\mathrm{Bs}"), ("my_name", r"\mathrm{my\_name}"),
                                             ("mu0", r"\mu_0"), ("score2", r"\mathrm{score2}")])
def test_names(name: str, latex: str) -> None:
    assert latex_name(name) == latex


def test_a_whole_claim() -> None:
    claim = certify.load("fw25v1/thm-3.1")
    text = latex_claim(claim.tree, claim.system)
    for part in (r"\textbf{Frank-Wolfe convergence to a cluster at the origin} (\texttt{fw25v1/thm-3.1})",
                 r"x_i^{t+1} = (1 - g^{t}) x_i^{t} + g^{t} \operatorname{pick}",
                 r"  \mathrm{Bs}^{t} &= -B^{t} \\", r"  J^{t}(u) &= \frac{1}{2} \langle \mathrm{Bs}^{t} u, u \rangle",
                 r"  \item[H1] $\forall t:\ \mathrm{Bs}^{t} \succeq 0$",
                 r"  \item[H4] $0 \in \operatorname{conv}(x^{0})$",
                 r"\forall t,\ i:\ J^{t}(x_i^{t+1}) \le \frac{2}{t + 1} \lambda_{\max}(\mathrm{Bs}^{0})"):
        assert part in text
    assert_well_formed(text)


def test_a_claim_without_dynamics_has_no_step_and_keeps_its_givens() -> None:
    text = latex_claim(certify.parse('claim a/b_c title "50% of $1 & more" kind exhibit system none '
                                     'given mu: scalar >= 0.5; w: vector where P = psd(I) assert P').tree, None)
    assert r"\textbf{50\% of \$1 \& more} (\texttt{a/b\_c}), an exhibit" in text
    assert r"\mu \in \mathbf{R},\ \mu \ge 0.5,\quad w \in \mathbf{R}^{d}" in text
    assert r"P &\mathrel{:\Leftrightarrow} I \succeq 0" in text
    assert "x_i" not in text
    assert_well_formed(text)


@exactly
@given(claims())
def test_any_claim_is_well_formed(drawn: tuple[Tree, Tree]) -> None:
    tree, system = drawn
    assert_well_formed(latex_claim(tree, system))
    assert_well_formed(latex_term(tree[8]))


@exactly
@given(st.text())
def test_escaped_text_is_plain_text_to_latex(text: str) -> None:
    latex = escaped(text)
    bare = re.sub(r"\\(text(backslash|asciicircum|asciitilde|less|greater|bar)\{\}|[{}$&#%_])", "", latex)
    assert not set(bare) & set("\\{}$&#%_^~<>|\"")


def assert_well_formed(latex: str) -> None:
    """Braces, \\left and \\right, environments and dollars balance; no base has two superscripts or two subscripts."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", latex, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        assert depth >= 0, latex
    assert depth == 0, latex
    fences = 0
    for fence in re.findall(r"\\(left|right)(?![a-zA-Z])", latex):
        fences += 1 if fence == "left" else -1
        assert fences >= 0, latex
    assert fences == 0, latex
    assert re.findall(r"\\begin\{([a-z*]+)\}", latex) == re.findall(r"\\end\{([a-z*]+)\}", latex)
    assert len(re.findall(r"(?<!\\)\$", latex)) % 2 == 0
    indices_stand_once(latex)


def indices_stand_once(latex: str) -> None:
    """After any base at most one _ and one ^."""
    place, used = 0, ""
    while place < len(latex):
        sign = latex[place]
        if sign in "_^":
            assert sign not in used, latex[max(0, place - 40):place + 10]
            used += sign
            place = end_of_group(latex, place + 1)
            continue
        used = used if sign == " " else ""
        place += 2 if sign == "\\" else 1


def end_of_group(latex: str, place: int) -> int:
    """Where the argument that begins at `place` ends; its own indices are looked at too."""
    if latex[place] != "{":
        return place + 1
    depth, start = 0, place
    while True:
        if latex[place] == "\\":
            place += 2
            continue
        depth += {"{": 1, "}": -1}.get(latex[place], 0)
        place += 1
        if depth == 0:
            indices_stand_once(latex[start + 1:place - 1])
            return place
