import { queriesOf } from "./letor.js";
import { candidates, featureName, parse, some } from "./table.js";

const at = id => document.getElementById(id);
const mostShown = 1000; // places
const lookEvery = 3000; // milliseconds between looks for a new model

let models = [];   // facts of all
let model = null;  // details of the one that is chosen
let asked = null;  // what was ranked: {ids, rows}, of one query, or {given, columns}
let answer = null; // of rank
let explained = -1;

// ask sends a request and returns its JSON, or throws the text of the problem.
async function ask(path, body) {
  const headers = {};
  if (at("token").value !== "") headers.Authorization = "Bearer " + at("token").value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const result = await response.json();
  if (response.ok) return result;
  if (response.status === 401) at("token-field").hidden = false;
  const place = result.errors ? result.errors[0].pointer + ": " : "";
  const error = new Error(place + result.detail + (result.hint ? "\n" + result.hint : ""));
  error.status = response.status;
  throw error;
}

// attempt runs an action and shows its error.
async function attempt(work) {
  at("error").textContent = "";
  try {
    await work();
  } catch (error) {
    at("status").textContent = "";
    at("error").textContent = error.message;
  }
}

const path = verb => `/v1/models/${encodeURIComponent(model.name)}${verb ? "/" + verb : ""}`;

async function loadModels() {
  models = (await ask("/v1/models")).models;
  const chosen = at("model").value;
  at("model").replaceChildren(...models.map(m => new Option(m.name, m.name, false, m.name === chosen)));
  await loadModel();
}

async function loadModel() {
  model = await ask(`/v1/models/${encodeURIComponent(at("model").value)}`);
  const pairs = model.kind === "pairs";
  at("given-field").hidden = !pairs;
  at("rows-field").hidden = pairs;
  if (pairs) at("nodes").replaceChildren(...model.row_ids.slice(0, mostShown).map(id => new Option(id)));
  const size = pairs ? `${model.row_nodes} row nodes and ${model.column_nodes} column nodes` : `${model.features} features`;
  at("facts").textContent = `${model.name}: ${model.learner}${model.kernel ? ", " + model.kernel : ""}, ${size}, version ${model.version}`;
  at("wanted").textContent = model.feature_names ? `Features: ${some(model.feature_names)}. Other columns are left out; one of them names the candidate.`
    : `${model.features} columns of numbers, in the order of training or called f1, f2, …; another column names the candidate.`;
  at("text").placeholder = "id," + Array.from({ length: Math.min(3, model.features) }, (_, k) => featureName(model, k)).join(",") + ",…\nA,0.5,1,…\nB,0.25,2,…";
}

// oneQuery returns the candidates of the chosen query, where there are several.
function oneQuery(all) {
  const queries = queriesOf(all.queries);
  at("query-field").hidden = queries.length < 2;
  if (queries.length < 2) return all;
  const chosen = queries.includes(at("query").value) ? at("query").value : queries[0];
  at("query").replaceChildren(...queries.map(q => new Option(q, q, false, q === chosen)));
  const rows = all.ids.map((_, i) => i).filter(i => all.queries[i] === chosen);
  return { ids: rows.map(i => all.ids[i]), rows: rows.map(i => all.rows[i]), left: all.left, query: `query ${chosen}, one of ${queries.length},` };
}

async function rank() {
  at("status").textContent = "Ranking …";
  let body;
  if (model.kind === "pairs") {
    asked = { given: at("given").value };
    body = { given: asked.given };
  } else {
    asked = oneQuery(candidates(parse(at("text").value), model));
    body = { rows: asked.rows };
    if (at("zero").checked) body.missing = "zero";
  }
  answer = await ask(path("rank"), body);
  if (answer.scores.length > 0 && Array.isArray(answer.scores[0])) {
    answer.scores = answer.scores.map(row => row[0]);
    answer.order = answer.order[0];
  }
  asked.ids ??= answer.columns;
  explained = -1;
  at("why").hidden = true;
  showRanking();
  const left = asked.left?.length ? ` Left out, since they are no features: ${some(asked.left)}.` : "";
  at("status").textContent = `${answer.order.length} candidates ${asked.query ? `of ${asked.query} ` : ""}ranked by ${model.name}, version ${answer.version}.${left}`;
  at("result").focus();
}

// number writes a score.
const number = v => Math.abs(v) >= 1e6 || v !== 0 && Math.abs(v) < 1e-4 ? v.toExponential(3) : String(Number(v.toPrecision(5)));

function element(name, text, attributes = {}) {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
}

function showRanking() {
  const shown = answer.order.slice(0, mostShown);
  at("caption").textContent = shown.length < answer.order.length ? `The first ${shown.length} of ${answer.order.length}, by falling score` : "By falling score";
  at("places").replaceChildren(...shown.map((i, place) => {
    const row = element("tr");
    const why = element("button", "Why", { type: "button", "aria-pressed": "false", "aria-controls": "why", "aria-label": `Why is ${asked.ids[i]} at place ${place + 1}?`, "data-row": i });
    why.addEventListener("click", () => attempt(() => explain(i, place + 1 < answer.order.length ? answer.order[place + 1] : -1)));
    const last = element("td");
    last.append(why);
    row.append(element("td", place + 1, { class: "number" }), element("th", asked.ids[i], { scope: "row" }), element("td", number(answer.scores[i]), { class: "number" }), last);
    return row;
  }));
  at("result").hidden = false;
}

// explain shows the parts of a candidate's score, or of its difference from another's.
async function explain(i, against) {
  let body;
  if (model.kind === "pairs") {
    body = { pairs: [i, against].filter(k => k >= 0).map(k => [asked.given, asked.ids[k]]) };
  } else {
    body = { rows: model.normalizer === "query-minmax" ? asked.rows : [i, against].filter(k => k >= 0).map(k => asked.rows[k]) };
    if (at("zero").checked) body.missing = "zero";
  }
  const whole = body.rows !== undefined && body.rows === asked.rows;
  if (against >= 0) body.compare = [whole ? [i, against] : [0, 1]];
  const result = await ask(path("explain"), body);
  explained = i;
  for (const button of at("places").querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.row) === i));
  at("against").replaceChildren(new Option("nothing: the score itself", -1), ...answer.order.slice(0, mostShown).filter(k => k !== i).map(k => new Option(asked.ids[k], k, false, k === against)));
  showParts(result.explanations[whole && against < 0 ? i : 0], i, against);
}

function showParts(e, i, against) {
  const two = against >= 0;
  at("why-title").textContent = two ? `Why ${asked.ids[i]} stands ${e.total < 0 ? "below" : "above"} ${asked.ids[against]}` : `The parts of the score of ${asked.ids[i]}`;
  at("sum").textContent = two ? `${number(e.scores[0])} − ${e.scores[1] < 0 ? `(${number(e.scores[1])})` : number(e.scores[1])} = ${number(e.total)}` : `Score ${number(e.total)}`;
  at("parts-caption").textContent = `The parts by ${e.kind} add up to ${number(e.total)}.`;
  const values = two ? [`of ${asked.ids[i]}`, `of ${asked.ids[against]}`] : ["Value"];
  at("parts-head").replaceChildren(element("th", e.kind[0].toUpperCase() + e.kind.slice(1), { scope: "col" }), ...values.map(v => element("th", v, { scope: "col", class: "number" })), element("th", "Adds", { scope: "col", class: "number" }));
  const largest = Math.max(...e.parts.map(p => Math.abs(p.contribution)), Math.abs(e.rest), Number.MIN_VALUE);
  const rows = e.parts.map(p => partRow(p.name ? p.name + (p.column_name ? ` with ${p.column_name}` : "") : `${e.kind} ${p.number}`, values.map((_, k) => p.values?.[k]), p.contribution, largest));
  if (e.left > 0) rows.push(partRow(`${e.left} more`, values.map(() => undefined), e.rest, largest));
  at("parts").replaceChildren(...rows);
  at("why").hidden = false;
  at("why").focus();
}

function partRow(name, values, adds, largest) {
  const row = element("tr");
  row.append(element("th", name, { scope: "row" }), ...values.map(v => element("td", v === undefined ? "" : number(v), { class: "number" })), element("td", (adds > 0 ? "+" : "") + number(adds), { class: "number" }));
  const bar = element("div", undefined, { class: "bar", "aria-hidden": "true" });
  const track = element("div"), part = element("i");
  if (adds < 0) part.className = "less";
  const width = 50 * Math.abs(adds) / largest;
  part.style.width = width + "%";
  part.style.left = (adds < 0 ? 50 - width : 50) + "%";
  track.append(part);
  bar.append(track);
  row.lastChild.append(bar);
  return row;
}

// look checks whether another model has replaced the one shown.
async function look() {
  try {
    const now = (await ask("/v1/models")).models.find(m => m.name === model?.name);
    if (now && now.version !== model.version) {
      await loadModel();
      at("status").textContent = `The model ${now.name} has changed to version ${now.version}.${answer ? " Rank again to use it." : ""}`;
    }
  } catch {
    // The server is away, or wants a token: the next request tells.
  }
}

at("form").addEventListener("submit", event => {
  event.preventDefault();
  attempt(async () => {
    if (model === null) await loadModels();
    await rank();
  });
});
at("model").addEventListener("change", () => attempt(async () => {
  answer = asked = null;
  at("result").hidden = at("why").hidden = true;
  await loadModel();
}));
at("query").addEventListener("change", () => attempt(rank));
at("token").addEventListener("change", () => attempt(loadModels));
at("file").addEventListener("change", () => attempt(async () => { at("text").value = await at("file").files[0].text(); }));
at("against").addEventListener("change", () => attempt(() => explain(explained, Number(at("against").value))));
at("form").addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("form").requestSubmit(); });
attempt(loadModels);
setInterval(look, lookEvery);
