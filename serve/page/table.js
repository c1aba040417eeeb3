// What is pasted, as a table: LETOR text, CSV, TSV or JSON.
import { isLetor, readLetor } from "./letor.js";

// parse returns {header, rows}: texts, or null for a cell that is missing; or {letor}, a text.
export function parse(text) {
  const trimmed = text.trim();
  if (trimmed === "") throw new Error("there are no candidates");
  if (isLetor(text)) return { letor: text };
  return trimmed[0] === "[" || trimmed[0] === "{" ? fromJSON(trimmed) : fromText(text);
}

function fromJSON(text) {
  let value = JSON.parse(text);
  if (!Array.isArray(value)) value = value.rows;
  if (!Array.isArray(value) || value.length === 0) throw new Error("the JSON is not a list of candidates");
  if (value.every(Array.isArray)) {
    const lists = value.map(row => row.map(cell));
    return headed(lists);
  }
  const header = [];
  const seen = new Set();
  for (const [k, row] of value.entries()) {
    if (row === null || typeof row !== "object" || Array.isArray(row)) throw new Error(`candidate ${k + 1} is not an object`);
    for (const name of Object.keys(row)) {
      if (!seen.has(name)) {
        seen.add(name);
        header.push(name);
      }
    }
  }
  return { header, rows: value.map(row => header.map(name => cell(Object.hasOwn(row, name) ? row[name] : null))) };
}

function cell(value) {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function fromText(text) {
  const line = text.split(/\r?\n/, 1)[0];
  const separator = line.includes("\t") ? "\t" : line.includes(";") && !line.includes(",") ? ";" : ",";
  return headed(records(text, separator));
}

// records splits text into fields; a field in quotes may hold separators, lines and, doubled,
// quotes.
function records(text, separator) {
  const rows = [];
  let row = [], field = "", quoted = false, wasQuoted = false;
  const endField = () => {
    row.push(field.trim() === "" && !wasQuoted ? null : wasQuoted ? field : field.trim());
    field = "";
    wasQuoted = false;
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0] !== null) rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') field += text[++i];
      else quoted = false;
    } else if (c === '"' && field.trim() === "") {
      field = "";
      quoted = wasQuoted = true;
    } else if (c === separator) endField();
    else if (c === "\n") endRow();
    else if (c !== "\r") field += c;
  }
  if (quoted) throw new Error("a quote is not closed");
  endRow();
  return rows;
}

// headed takes the first row for a header, unless it is all numbers.
function headed(rows) {
  if (rows.length === 0) throw new Error("there are no candidates");
  if (rows[0].every(isNumber)) return { header: null, rows };
  const [header, ...rest] = rows;
  if (rest.length === 0) throw new Error("there is a header and no candidate");
  for (const [k, row] of rest.entries()) {
    if (row.length !== header.length) throw new Error(`candidate ${k + 1} has ${row.length} fields, but the header has ${header.length}`);
  }
  return { header: header.map((name, j) => name ?? `column ${j + 1}`), rows: rest };
}

// isNumber reports whether a text is a finite number.
export function isNumber(text) {
  return text !== null && text.trim() !== "" && Number.isFinite(Number(text)) && !/^\s*[+-]?0[xob]/i.test(text);
}

const idNames = ["id", "docid", "doc", "name", "title", "key"];

// callFeature returns the names of a feature: its name or, where the model has none, its number
// with or without f.
const callFeature = (model, k) => (model.feature_names ? [model.feature_names[k]] : [`f${k + 1}`, String(k + first(model))]);

// first is the number of the first feature in LETOR text.
const first = (model) => model.first_index ?? 1;

// candidates fits a table to a model: {ids, rows, queries, left}, rows of numbers in the order of
// the features, null for a missing one; queries has null where there is none, left are columns
// that are no features.
export function candidates(table, model) {
  if (table.letor !== undefined) {
    const read = readLetor(table.letor, model.features, first(model));
    const wide = 1000; // features, from which rows are sent by the numbers of those that are not 0
    const sparse = model.features > wide && !model.feature_names && !model.precomputed;
    const body = values => (sparse ? Object.fromEntries(values.map((v, j) => [j + first(model), v]).filter(([, v]) => v !== 0)) : values);
    return { ids: read.map(row => row.id), rows: read.map(row => body(row.values)), queries: read.map(row => row.query), left: [] };
  }
  const { header, rows } = table;
  const width = rows[0].length;
  const columns = Array.from({ length: width }, (_, j) => j);
  const names = header ?? columns.map(j => `column ${j + 1}`);
  let take; // the column of each feature
  const at = new Map(names.map((name, j) => [name, j]));
  take = Array.from({ length: header ? model.features : 0 }, (_, k) => callFeature(model, k).map(name => at.get(name) ?? -1).find(j => j >= 0) ?? -1);
  const called = take.some(j => j >= 0);
  if (model.feature_names && header && !called) throw new Error(`no column has the name of a feature: the features are ${some(model.feature_names)}`);
  if (!called) {
    const numeric = columns.filter(j => rows.every(row => row[j] === null || isNumber(row[j])));
    take = numeric.filter(j => numeric.length === model.features || ![...idNames, "qid"].includes(names[j].toLowerCase()));
    if (take.length !== model.features) throw new Error(`there are ${take.length} columns of numbers, but the model has ${model.features} features`);
  }
  const used = new Set(take);
  const query = header && !used.has(at.get("qid")) ? at.get("qid") : undefined;
  const others = columns.filter(j => !used.has(j) && j !== query);
  const id = others.find(j => idNames.includes(names[j].toLowerCase())) ?? others.find(j => rows.some(row => row[j] !== null && !isNumber(row[j])));
  const ids = rows.map((row, i) => (id === undefined ? null : row[id]) ?? `candidate ${i + 1}`);
  const values = rows.map((row, i) => take.map((j, k) => {
    if (j < 0 || row[j] === null) return null;
    if (!isNumber(row[j])) throw new Error(`${ids[i]}: ${featureName(model, k)} is ${row[j]}, which is not a number`);
    return Number(row[j]);
  }));
  const queries = rows.map(row => (query === undefined ? null : row[query]));
  return { ids, rows: values, queries, left: others.filter(j => j !== id).map(j => names[j]) };
}

export function featureName(model, k) {
  return model.feature_names ? model.feature_names[k] : `feature ${k + first(model)}`;
}

// some is the first few of many names.
export function some(names) {
  return names.length > 12 ? names.slice(0, 12).join(", ") + ` and ${names.length - 12} more` : names.join(", ");
}
