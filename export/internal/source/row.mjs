// Whether each feature has a name of its own.
const unique = names !== null && new Set(names).size === features;

// Feature j of an object by its name or, where the model has none, by its number or by f and its
// number from 1, as other exports and the server call it.
function valueOf(row, j) {
  const own = (names === null ? [String(j + first), `f${j + 1}`] : [names[j]]).filter((name) => Object.hasOwn(row, name));
  if (own.length > 1) throw new TypeError(`feature ${j + 1} appears twice, as ${own.join(" and ")}`);
  return own.length === 1 ? row[own[0]] : undefined;
}

// Whether a value is missing: null, NaN or, among names, absent.
const lacks = (v) => v === null || Number.isNaN(v) || (v === undefined && names !== null);

// What stands for a missing value of feature j, as in training, or undefined.
const substitute = (j) => missing?.[j] ?? undefined;

// The values of a row in their order: of an array or a typed array of as many numbers as there
// are features, or of an object that has each name.
function values(row) {
  let x = row;
  if (!Array.isArray(row) && !ArrayBuffer.isView(row)) {
    if (row === null || typeof row !== "object") throw new TypeError("a row is an array, or an object by the names of the features");
    if (names !== null && !unique) throw new TypeError("two features have the same name: a row is an array");
    x = Array.from({ length: features }, (_, j) => valueOf(row, j));
  }
  if (x.length !== features) throw new RangeError(`a row of ${x.length} values, the model has ${features} features`);
  if (missing !== null) x = Array.from(x, (v, j) => (lacks(v) ? substitute(j) ?? v : v));
  for (let j = 0; j < features; j++) {
    if (typeof x[j] !== "number" || !Number.isFinite(x[j])) {
      throw new RangeError(`feature ${names === null ? j + first : JSON.stringify(names[j])} is ${x[j]}, not a finite number`);
    }
  }
  return x;
}

// The numbers that are scored: the values, and behind them the levels of those that are missing.
function inputs(row) {
  const x = values(row);
  if (levels.length === 0) return x;
  const listed = Array.isArray(row) || ArrayBuffer.isView(row);
  return [...x, ...levels.map((j) => (lacks(listed ? row[j] : valueOf(row, j)) ? 1 : 0))];
}

/** The score of a row; the higher it is, the better the row. */
export function score(row) {
  return add(inputs(row), () => {});
}

/** What each feature adds to the score of a row, in their order. */
export function contributions(row) {
  const parts = new Float64Array(features);
  add(inputs(row), (j, term) => {
    parts[j < features ? j : levels[j - features]] += term;
  });
  return parts;
}
