// The verification of one certificate, from its bytes to accepted, rejected or not checked here.

import { asciiText, hasKeys, isObject, readCanonical, writeCanonical } from "./canonical.js";
import { BoxTrajectory } from "./boxes.js";
import { Evaluator, StepEvaluator } from "./evaluate.js";
import { NotChecked, Rejection, require } from "./limits.js";
import { Memory } from "./memory.js";
import { FOREVER, writeTime } from "./numbers.js";
import { Plans } from "./plans.js";
import { printStatement } from "./printer.js";
import { Regime } from "./regime.js";
import { measured } from "./samples.js";
import { readInstance } from "./sequences.js";
import { sha256 } from "./sha256.js";
import { compileClaim, compileSystem } from "./sorts.js";
import { Symbols } from "./symbols.js";
import { Lemmas, THEORIES } from "./theories.js";
import { Trajectory, isHardmax, readSelection } from "./trajectory.js";
import { FALSE, TRUE, UNDECIDED } from "./truth.js";

const FIELDS = ["format", "theories", "claim", "instance", "verdict", "ledger", "lemmas", "plans", "provenance"];
const STATUS = { [TRUE]: "true", [FALSE]: "false", [UNDECIDED]: "undecided" };

function checkFields(certificate) {
  require(isObject(certificate), "the certificate is not an object");
  require(certificate.format === "certify/1", "unknown format");
  require(hasKeys(certificate, FIELDS), "the certificate has other fields");
  require(isObject(certificate.provenance), "the provenance is not an object");
  require(hasKeys(certificate.claim, ["id", "tree", "system", "text"]), "the claim has other fields");
  require(hasKeys(certificate.plans, ["lines"], ["selection", "regime"]), "the plans have other fields");
  const { theories } = certificate;
  require(Array.isArray(theories) && theories.every((name) => typeof name === "string"), "the theories are not a list");
  for (const name of theories) if (!THEORIES.has(name)) throw new NotChecked(`the theory ${name} is not known here`);
}

// The term of a claim that asks for a value: its written form, or null if it has none.
function* runValue({ name, formula }, evaluator) {
  const value = yield* evaluator.attempt(() => evaluator.written(formula));
  return { name, result: value === null ? UNDECIDED : TRUE, scope: FOREVER, time: null, value };
}

// One line of the ledger, and what the verdict needs of it.
function* runLine({ name, formula }, evaluator, plans) {
  evaluator.atoms = 0;
  const line = { name, result: UNDECIDED, scope: null, time: null, values: null, first: true };
  if ((formula.op === "forall" || formula.op === "exists") && formula.time !== null) {
    const outcome = yield* plans.run(formula, new Map());
    if (outcome.decided) {
      line.result = outcome.result;
      if (outcome.result === TRUE) line.scope = FOREVER;
      else Object.assign(line, { time: outcome.time, values: outcome.values, first: outcome.first });
    } else if (outcome.result === TRUE) Object.assign(line, { result: TRUE, scope: outcome.scope });
    else if (outcome.result === FALSE && outcome.scope === FOREVER) line.result = FALSE;
  } else {
    const info = { undecided: false, values: null };
    line.result = formula.op === "forall"
      ? yield* evaluator.block(formula, formula.binders, new Map(), info)
      : yield* evaluator.truth(formula, new Map());
    if (line.result === TRUE) line.scope = FOREVER;
    Object.assign(line, { values: info.values, first: !info.undecided });
  }
  line.atoms = evaluator.atoms;
  return line;
}

function ledgerLine({ name, result, scope, time }) {
  const line = { name, status: STATUS[result] };
  if (result === TRUE) line.scope = writeTime(scope);
  if (result === FALSE && time !== null) line.t = writeTime(time);
  return line;
}

// The assertion of a statistic on each random start, without plans.
function* runSamples(formula, evaluator, random) {
  let hits = 0;
  evaluator.withoutPlans = true;
  for (let k = 0; k < random.samples; k++) {
    evaluator.trajectory.restart(random.draw());
    evaluator.memory = new Memory();
    const result = yield* evaluator.truth(formula, new Map());
    require(result !== UNDECIDED, "the assertion is undecided at a random start");
    if (result === TRUE) hits++;
    yield `start ${k + 1} of ${random.samples}`;
  }
  return measured(hits, random.samples);
}

const shownForEver = (line) => line.result === TRUE && line.scope === FOREVER;

// The trajectory of one start, of a box, or of random starts that come later.
function trajectoryOf(tokens, { system, claim, data, symbols, entries, plans }) {
  const planned = plans.selection !== undefined || plans.regime !== undefined;
  require(!planned || tokens.start, "a box or random starts with a selection or a regime");
  if (!tokens.box) return new Trajectory({ ...tokens, data, system, selection: claim.selection, entries, symbols });
  require(isHardmax(system.tree), "a box for another system");
  return new BoxTrajectory({ box: tokens.box, data, symbols });
}

function verdictOf(claim, lines, hasSelection) {
  const assumptions = claim.kind === "statistic" ? lines : lines.slice(0, -1);
  const assertion = lines.at(-1);
  const exhibit = claim.kind === "exhibit";
  const noSelection = () => require(!hasSelection, "this verdict cannot depend on a selection");
  const failed = assumptions.find((line) => line.result === FALSE);
  if (failed) {
    noSelection();
    return { kind: "vacuous", line: failed.name };
  }
  if (claim.kind === "statistic") {
    require(assumptions.every(shownForEver), "an assumption is not shown for ever");
    return null;
  }
  if (claim.kind === "value") {
    require(assumptions.every(shownForEver), "an assumption is not shown for ever");
    require(assertion.result === TRUE, "no value follows");
    noSelection();
    return { kind: "value", value: assertion.value };
  }
  if (assertion.result === FALSE && assumptions.every(shownForEver)) {
    if (exhibit) {
      noSelection();
      return { kind: "not here" };
    }
    const verdict = { kind: "refuted", first: assertion.first };
    if (assertion.time !== null) verdict.t = writeTime(assertion.time);
    const { formula } = claim.lines.at(-1);
    const token = formula.op === "forall" ? formula.binders.find((binder) => binder.sort === "token") : undefined;
    if (token && assertion.values) verdict.i = assertion.values.get(token.name);
    return verdict;
  }
  require(lines.every((line) => line.result === TRUE), "no verdict follows");
  const scopes = lines.map((line) => line.scope).filter((scope) => scope !== FOREVER);
  if (exhibit) {
    require(scopes.length === 0, "an exhibit is not shown for ever");
    return { kind: "exhibited" };
  }
  noSelection();
  if (assertion.atoms === 0 && assertion.scope === FOREVER) return { kind: "vacuous", line: "assertion" };
  return { kind: "holds", T: writeTime(scopes.length ? scopes.reduce((a, b) => (a < b ? a : b)) : FOREVER) };
}

// A generator: it yields a word on what it does now and then, and returns the result.
export function* verification(input) {
  const result = { answer: "rejected", reason: null, verdict: null, theories: [], id: null, claim: null, statement: null };
  try {
    yield* verifyInto(result, input);
    result.answer = "accepted";
  } catch (error) {
    result.verdict = null;
    if (error instanceof NotChecked) result.answer = "not checked here";
    const expected = error instanceof Rejection || error instanceof NotChecked;
    result.reason = expected ? error.message : `an error: ${error?.message ?? error?.reason ?? error}`;
  }
  return result;
}

function* verifyInto(result, input) {
  yield "reading";
  const certificate = readCanonical(asciiText(input));
  checkFields(certificate);
  const { provenance, ...body } = certificate;
  result.id = sha256(writeCanonical(body));
  const system = certificate.claim.system === null ? null : compileSystem(certificate.claim.system);
  const claim = compileClaim(certificate.claim.tree, system);
  require(certificate.claim.id === claim.id, "the claim has another id");
  result.claim = claim.id;
  result.statement = sha256(writeCanonical([certificate.claim.tree, certificate.claim.system]));
  const print = printStatement(certificate.claim.tree, certificate.claim.system);
  require(certificate.claim.text === print, "the text is not the print of the trees");

  yield "instance";
  const symbols = new Symbols();
  const theories = new Set();
  const { data, dimension, tokens } = readInstance(certificate.instance, claim, system, symbols);
  const lemmas = new Lemmas(certificate.lemmas, theories);
  const { plans: written } = certificate;
  const entries = written.selection === undefined ? new Map() : readSelection(written.selection, tokens?.count ?? 0);
  require(entries.size === 0 || claim.selection === "every", "a selection for a claim that fixes it");
  const trajectory = system ? trajectoryOf(tokens, { system, claim, data, symbols, entries, plans: written }) : null;
  const plans = new Plans(written.lines, dimension, theories);
  const counter = { total: 0 };
  const shared = { data, dimension, trajectory, lemmas, symbols, plans, counter };
  const evaluator = new Evaluator(shared);
  plans.evaluator = evaluator;
  if (trajectory && !trajectory.native) {
    const stepper = new StepEvaluator(shared);
    trajectory.stepper = (state, time, token) => stepper.next(system.step, state, time, token);
  }
  if (written.regime !== undefined) {
    const regime = new Regime(written.regime, trajectory);
    yield "regime";
    yield* regime.verify();
    evaluator.regime = regime;
    theories.add("regime/1");
  }

  const lines = [];
  const statistic = claim.kind === "statistic";
  for (const line of statistic ? claim.lines.slice(0, -1) : claim.lines) {
    yield line.name;
    const asks = claim.kind === "value" && line === claim.lines.at(-1);
    lines.push(asks ? yield* runValue(line, evaluator) : yield* runLine(line, evaluator, plans));
  }
  const ledger = lines.map(ledgerLine);
  require(writeCanonical(ledger) === writeCanonical(certificate.ledger), "the ledger is not what the lines give");
  const verdict = verdictOf(claim, lines, entries.size > 0)
    ?? (yield* runSamples(claim.lines.at(-1).formula, evaluator, tokens.random));
  const evidence = verdict.kind === "measured" ? "statistical" : "exact";
  const stated = writeCanonical(certificate.verdict);
  require(writeCanonical({ ...verdict, evidence }) === stated, "the verdict is not the one that follows");
  lemmas.checkAllAsked();
  plans.checkAllUsed();
  require([...entries.values()].every((entry) => entry.used), "an entry of the selection is not used");
  result.theories = [...theories].sort();
  require(writeCanonical(result.theories) === writeCanonical(certificate.theories), "the theories are not the ones used");
  result.verdict = verdict;
}

// At one go, without pauses.
export function verifySync(input) {
  const steps = verification(input);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

// In slices of some 20 milliseconds, with pauses in which a page can breathe. onProgress hears what is being done;
// shouldStop is asked at each pause.
export async function verifyBytes(input, { onProgress = null, shouldStop = null, slice = 20 } = {}) {
  const steps = verification(input);
  let started = Date.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (value !== undefined) onProgress?.(value);
    if (Date.now() - started < slice) continue;
    await pause();
    if (shouldStop?.()) {
      return { answer: "not checked here", reason: "stopped", verdict: null, theories: [], id: null, claim: null, statement: null };
    }
    started = Date.now();
  }
}
