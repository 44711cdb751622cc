// The page's own behaviour: checking, dropping, sliding, copying. What comes from a certificate is only ever set as
// text, never as markup, and the verifier runs in a worker, so that no number however long can freeze the page.
"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);

  // Certificates and films are packed (gzip, base64), so that the page stays small.
  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  let carried;
  try {
    carried = await unpacked(byId("data").textContent);
  } catch (error) {
    byId("status").textContent = `This browser cannot unpack the certificates (${error}); nothing is checked here.`;
    byId("check-all").disabled = true;
    return;
  }
  const { cases, catalogue, films } = carried;
  const bytesOf = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
  const SVG = "http://www.w3.org/2000/svg";

  // ---- the verifier, in a worker where that is possible, else here in slices

  const GLUE = `
self.onmessage = async ({ data }) => {
  let told = 0;
  const onProgress = (word) => {
    if (Date.now() - told < 100) return;
    told = Date.now();
    self.postMessage({ key: data.key, progress: String(word) });
  };
  let result;
  try {
    result = await certifyVerifier.verifyBytes(new Uint8Array(data.bytes), { onProgress, slice: 1000 });
  } catch (error) {
    result = { answer: "rejected", reason: "an error: " + error };
  }
  const { answer, reason, verdict, theories, id, claim, statement } = result;
  self.postMessage({ key: data.key, result: { answer, reason, verdict, theories, id, claim, statement } });
};`;

  class Bench {
    #worker = null;
    #waiting = new Map();
    #count = 0;
    #stopped = false;

    #start() {
      const source = new Blob([byId("verifier").textContent, GLUE], { type: "text/javascript" });
      const address = URL.createObjectURL(source);
      const worker = new Worker(address);
      URL.revokeObjectURL(address);
      worker.onmessage = ({ data }) => {
        const entry = this.#waiting.get(data.key);
        if (!entry) return;
        if (data.progress !== undefined) return entry.onProgress?.(data.progress);
        this.#waiting.delete(data.key);
        entry.resolve(data.result);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.#finish({ answer: "not checked here", reason: "the verifier's worker failed: " + event.message });
      };
      return worker;
    }

    async check(bytes, onProgress) {
      this.#stopped = false;
      if (this.#worker === null) {
        try {
          this.#worker = this.#start();
        } catch {
          this.#worker = false;
        }
      }
      if (this.#worker === false) {
        return certifyVerifier.verifyBytes(bytes, { onProgress, shouldStop: () => this.#stopped });
      }
      const key = this.#count++;
      return new Promise((resolve) => {
        this.#waiting.set(key, { resolve, onProgress });
        this.#worker.postMessage({ key, bytes: bytes.buffer }, [bytes.buffer]);
      });
    }

    #finish(result) {
      if (this.#worker) this.#worker.terminate();
      this.#worker = this.#worker === false ? false : null;
      for (const { resolve } of this.#waiting.values()) resolve(result);
      this.#waiting.clear();
    }

    stop() {
      this.#stopped = true;
      this.#finish({ answer: "not checked here", reason: "stopped" });
    }
  }

  const width = Math.max(1, Math.min(4, navigator.hardwareConcurrency || 1));
  const benches = Array.from({ length: width }, () => new Bench());

  // ---- words

  const LONGEST = 160;
  const short = (text) => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} ...`);

  function sentence(verdict) {
    const { kind, T, t, i, first, line } = verdict;
    if (kind === "holds") return T === "forever" ? "holds for ever" : `holds to T = ${T}; nothing is said beyond`;
    if (kind === "refuted") {
      const place = t === undefined ? " on this instance" : ` at t = ${t}`;
      return `refuted${place}${i === undefined ? "" : `, token ${i}`}${t !== undefined && first ? " (the first violation)" : ""}`;
    }
    if (kind === "measured") {
      const percent = (text) => {
        const [top, bottom] = text.split("/").map(Number);
        return `${((100 * top) / (bottom || 1)).toFixed(2)}%`;
      };
      return `measured: true on ${verdict.true} of ${verdict.samples} random starts, between ${percent(verdict.low)} and ` +
        `${percent(verdict.high)} with confidence 95%`;
    }
    if (kind === "value") return short(`the value is ${JSON.stringify(verdict.value)}`);
    if (kind === "vacuous") return `vacuous: ${line === "assertion" ? "the assertion is empty" : `${line} is false`}`;
    return kind;
  }

  function show(place, result, milliseconds) {
    const kind = { accepted: "accepted", rejected: "rejected" }[result.answer] ?? "unchecked";
    place.className = `answer ${kind}`;
    place.dataset.answer = result.answer;
    if (kind === "accepted") place.textContent = `accepted in this browser in ${milliseconds} ms`;
    else if (kind === "rejected") place.textContent = `rejected in this browser: ${short(String(result.reason))}`;
    else place.textContent = `not checked here: ${short(String(result.reason))}`;
    place.dataset.reason = short(String(result.reason ?? ""));
  }

  // ---- checking what the page carries

  const button = byId("check-all");
  const stopButton = byId("stop");
  const progress = byId("progress");
  const status = byId("status");
  let running = 0;
  let halted = false;

  function begin() {
    running += 1;
    halted = false;
    button.disabled = true;
    stopButton.disabled = false;
  }

  function end() {
    running -= 1;
    if (running > 0) return;
    button.disabled = false;
    stopButton.disabled = true;
  }

  async function checkCase(number, bench) {
    const place = byId(`answer-${number}`);
    place.className = "answer";
    place.textContent = "checking ...";
    delete place.dataset.answer;
    const started = performance.now();
    const result = await bench.check(bytesOf(cases[number].bytes), (word) => {
      place.textContent = `checking: ${short(word)}`;
    });
    show(place, result, Math.max(1, Math.round(performance.now() - started)));
    return result.answer;
  }

  button.addEventListener("click", async () => {
    begin();
    const count = { accepted: 0, rejected: 0, "not checked here": 0 };
    const started = performance.now();
    progress.value = 0;
    let next = 0;
    let finished = 0;
    const lane = async (bench) => {
      while (next < cases.length && !halted) {
        const number = next;
        next += 1;
        count[await checkCase(number, bench)] += 1;
        finished += 1;
        progress.value = finished;
        status.textContent = `Checked ${finished} of ${cases.length} ...`;
      }
    };
    await Promise.all(benches.map(lane));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const done = count.accepted + count.rejected;
    status.textContent = `${halted ? "Stopped. " : ""}${count.accepted} of ${cases.length} certificates accepted by this browser, ` +
      `${count.rejected} rejected, ${cases.length - done} not checked, in ${seconds} s.`;
    status.dataset.accepted = count.accepted;
    status.dataset.rejected = count.rejected;
    status.dataset.seconds = seconds;
    status.dataset.done = halted ? "stopped" : "all";
    end();
  });

  stopButton.addEventListener("click", () => {
    halted = true;
    for (const bench of benches) bench.stop();
  });

  // ---- any certificate of the reader's

  const dropZone = byId("drop");
  const list = byId("dropped");
  const LARGEST = 33554432;

  async function checkFiles(files) {
    begin();
    for (const file of files) {
      const item = document.createElement("li");
      const name = document.createElement("strong");
      const answer = document.createElement("output");
      name.textContent = `${short(file.name)} `;
      answer.className = "answer";
      answer.textContent = "waiting ...";
      item.append(name, answer);
      list.append(item);
      if (halted) {
        show(answer, { answer: "not checked here", reason: "stopped" }, 0);
        continue;
      }
      await checkFile(file, item, answer);
    }
    list.dataset.done = String(list.children.length);
    end();
  }

  async function checkFile(file, item, answer) {
    if (file.size > LARGEST) {
      return show(answer, { answer: "rejected", reason: `more than ${LARGEST} bytes` }, 0);
    }
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return show(answer, { answer: "not checked here", reason: "the file cannot be read" }, 0);
    }
    const text = bytes.length < 500000 ? new TextDecoder("latin1").decode(bytes) : "";
    const started = performance.now();
    answer.textContent = "checking ...";
    const result = await benches[0].check(bytes, (word) => { answer.textContent = `checking: ${short(word)}`; });
    show(answer, result, Math.max(1, Math.round(performance.now() - started)));
    if (result.answer === "accepted") describe(item, result, text);
  }

  function describe(item, result, text) {
    const known = Object.hasOwn(catalogue, result.claim) ? catalogue[result.claim] : null;
    const whose = known === null ? "is a user's claim" : known === result.statement ? "is the catalogue's" : "is not the catalogue's";
    const words = document.createElement("p");
    words.textContent = `${result.claim}: ${sentence(result.verdict)}. The statement ${whose} under this id. Rests on: ` +
      `${["the kernel", ...result.theories].join(", ")}. id ${result.id}`;
    item.append(words);
    if (!text) return;
    const statement = document.createElement("pre");
    statement.tabIndex = 0;
    statement.textContent = JSON.parse(text).claim.text;
    item.append(statement);
  }

  byId("files").addEventListener("change", (event) => checkFiles([...event.target.files]));
  for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());
  dropZone.addEventListener("dragover", () => dropZone.classList.add("over"));
  dropZone.addEventListener("dragleave", () => dropZone.classList.remove("over"));
  window.addEventListener("drop", (event) => {
    dropZone.classList.remove("over");
    if (event.dataTransfer?.files.length) checkFiles([...event.dataTransfer.files]);
  });

  // ---- time

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const LABEL = [70, 24]; // pixels that a cell needs to have its name written in it
  const corners = (points) => points.map((p) => p.join(",")).join(" ");

  function mark(x, y, shade) {
    const s = 5;
    const own = `mark c${shade % 7}`;
    if (shade % 4 === 0) return element("circle", { class: own, cx: x, cy: y, r: s });
    const forms = [null, [[-s, -s], [s, -s], [s, s], [-s, s]], [[0, -1.3 * s], [1.2 * s, s], [-1.2 * s, s]],
      [[0, -1.4 * s], [1.4 * s, 0], [0, 1.4 * s], [-1.4 * s, 0]]];
    return element("polygon", { class: own, points: corners(forms[shade % 4].map(([a, b]) => [x + a, y + b])) });
  }

  // The frames of a film carry only what is new; here each is made whole, once for all its sliders.
  function wholeFrames(film) {
    let last = { x: {}, p: {}, l: {}, c: {}, h: [] };
    const frames = film.frames.map((news) => {
      last = { ...last, h: news.h ?? last.h };
      for (const key of ["x", "p", "l", "c"]) {
        last[key] = { ...last[key], ...news[key] };
        for (const [token, value] of Object.entries(last[key])) if (value === null) delete last[key][token];
      }
      return last;
    });
    return frames.map(({ x, p, l, c, h }) => ({
      x: Object.values(x), p: Object.values(p), l: Object.values(l), h,
      c: Object.entries(c).map(([token, polygon]) => [Number(token), polygon]),
    }));
  }

  function draw(svg, film, t) {
    const frame = film.frames[t];
    const title = element("title", {}, `Tokens, hull and dominance cells at t = ${t}`);
    svg.setAttribute("aria-label", title.textContent);
    const parts = [title, element("rect", { class: "frame", width: film.size, height: film.size })];
    for (const [token, polygon] of frame.c) {
      const middle = [0, 1].map((k) => polygon.reduce((sum, p) => sum + p[k], 0) / polygon.length);
      const [wide, high] = [0, 1].map((k) => Math.max(...polygon.map((p) => p[k])) - Math.min(...polygon.map((p) => p[k])));
      parts.push(element("polygon", { class: `cell c${token % 7}`, points: corners(polygon) }));
      if (wide < LABEL[0] || high < LABEL[1]) continue;
      const x = Math.min(Math.max(middle[0], 36), film.size - 36);
      parts.push(element("text", { class: "cell", x, y: middle[1] }, `cell of ${token}`));
    }
    parts.push(element("polygon", { class: "hull", points: corners(frame.h.map((k) => frame.p[k])) }));
    const [ox, oy] = film.origin;
    parts.push(element("path", { class: "origin", d: `M${ox - 5} ${oy}h10M${ox} ${oy - 5}v10` }));
    frame.p.forEach((_, i) => {
      parts.push(element("polyline", { class: `path c${i % 7}`, points: corners(film.frames.slice(0, t + 1).map((f) => f.p[i])) }));
      for (const j of frame.l[i]) {
        if (j !== i) parts.push(element("line", { class: `leads c${i % 7}`, x1: frame.p[i][0], y1: frame.p[i][1], x2: frame.p[j][0], y2: frame.p[j][1] }));
      }
    });
    const names = frame.x.map((point) => point.join());
    const labels = [];
    frame.p.forEach(([x, y], i) => {
      parts.push(mark(x, y, i));
      if (names.indexOf(names[i]) !== i) return;
      const here = names.flatMap((name, k) => (name === names[i] ? [k] : []));
      const label = [x + 8, y - 6];
      while (labels.some((other) => Math.abs(other[0] - label[0]) < 14 && Math.abs(other[1] - label[1]) < 12)) label[1] += 12;
      labels.push(label);
      parts.push(element("text", { x: label[0], y: label[1] }, here.join(", ")));
    });
    svg.replaceChildren(...parts);
  }

  function tabulate(table, frame) {
    const head = document.createElement("tr");
    for (const word of ["token", "exact position", "leaders"]) {
      const cell = document.createElement("th");
      cell.textContent = word;
      head.append(cell);
    }
    const rows = frame.x.map((point, i) => {
      const row = document.createElement("tr");
      for (const text of [String(i), `(${point.join(", ")})`, frame.l[i].join(", ")]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    });
    table.replaceChildren(head, ...rows);
  }

  for (const slider of document.querySelectorAll(".slider")) {
    const number = slider.dataset.case;
    const film = films[cases[number].film];
    if (!film.whole) Object.assign(film, { frames: wholeFrames(film), whole: true });
    const input = byId(`time-${number}`);
    const svg = slider.parentElement.querySelector("svg");
    const move = () => {
      const t = Number(input.value);
      byId(`now-${number}`).textContent = String(t);
      draw(svg, film, t);
      tabulate(byId(`state-${number}`), film.frames[t]);
    };
    input.addEventListener("input", move);
    move();
  }

  // ---- the statements in the ledgers of all certificates but a claim's first: copies of those that stand above

  for (const claim of document.querySelectorAll("section.claim")) {
    const stated = new Map([...claim.querySelectorAll(".statement dt")].map((term) => [term.textContent, term.nextElementSibling]));
    for (const row of claim.querySelectorAll("table.ledger tbody tr")) {
      const [name, cell] = [row.querySelector("th").textContent, row.querySelector("td.formula")];
      const source = name === "assertion" ? stated.get("assert") ?? stated.get("value") : stated.get(`assume ${name}`);
      if (!cell.hasChildNodes() && source) cell.append(...source.cloneNode(true).childNodes);
    }
  }

  // ---- copying, downloading, opening

  function download(name, bytes) {
    const link = document.createElement("a");
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
    link.href = address;
    link.download = name.replace(/[^A-Za-z0-9._-]+/g, "-");
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  }

  document.addEventListener("click", async (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    const { check, copy: copied, download: wanted, what, time, at } = pressed.dataset;
    if (time !== undefined) {
      const input = byId(`time-${time}`);
      input.value = at;
      input.dispatchEvent(new Event("input"));
      return;
    }
    if (check !== undefined) {
      begin();
      await checkCase(Number(check), benches[0]);
      end();
    } else if (copied !== undefined) {
      const before = pressed.textContent;
      pressed.textContent = (await copy(cases[copied].instance)) ? "Copied" : "Could not copy";
      setTimeout(() => { pressed.textContent = before; }, 1500);
    } else if (wanted !== undefined) {
      const entry = cases[wanted];
      if (what === "instance") download(`${entry.name}.json`, entry.instance);
      else download(entry.file, bytesOf(entry.bytes));
    }
  });

  const unfold = (open) => () => {
    for (const fold of document.querySelectorAll("details.case")) fold.open = open;
  };
  byId("open-all").addEventListener("click", unfold(true));
  byId("close-all").addEventListener("click", unfold(false));
  document.documentElement.dataset.ready = "yes";
})();
